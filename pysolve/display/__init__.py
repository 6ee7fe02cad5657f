"""What people see of a position: pictures, rows of text, a board in a notebook."""
