"""The painter driven into files, and numbers written out."""
