"""Small widgets that know nothing of the experiment, and the texts they read and write."""
