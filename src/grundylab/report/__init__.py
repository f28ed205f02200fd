"""What people look at: the catalogue, the page, grids and pictures."""
