"""The maths and the data of Askew; no Qt."""
