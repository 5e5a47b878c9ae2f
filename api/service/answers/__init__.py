"""Answers: what is known of a verdict, a card, a list, an edition or a day, as the JSON that every face gives."""
