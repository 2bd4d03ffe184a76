"""The machine that draws from the posterior."""
