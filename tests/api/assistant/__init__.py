"""Tests of the tools for assistants."""
