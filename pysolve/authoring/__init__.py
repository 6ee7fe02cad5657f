"""What authors of rules need besides the language: examples, templates, tags."""
