"""Practice: what is asked, and the judging of presses."""
