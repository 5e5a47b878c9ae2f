"""What every face asks: terms and judges, requests and errors, verdicts as JSON. Neither Flask nor click."""
