"""A small complete realtime-sync client."""
