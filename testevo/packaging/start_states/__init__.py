"""What a system starts from, and the control submissions."""
