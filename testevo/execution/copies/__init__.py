"""Working copies that test runs may change."""
