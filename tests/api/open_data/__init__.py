"""Tests of the open data."""
