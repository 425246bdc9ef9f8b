"""The site's side of the package: what pages embed, how it looks, and the check that decides whether a build counts."""
