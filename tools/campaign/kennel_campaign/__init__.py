"""Campaigns of the kit on a Dask cluster."""
