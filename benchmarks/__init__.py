"""Speed as ratios to a stated baseline measured in the same run; `python -m benchmarks` prints the table."""
