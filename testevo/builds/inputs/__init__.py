"""What decides a build besides its sources: files of a checkout, and the plugins that are left out."""
