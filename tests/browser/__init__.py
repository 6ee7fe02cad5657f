"""What people do with the page, in the Chromium of the system."""
