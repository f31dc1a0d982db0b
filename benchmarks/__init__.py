"""The benches: `drunemeton bench NAME` runs `bench_NAME.py`, in a checkout. Each has a `measure` that answers rows."""
