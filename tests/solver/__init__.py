"""The solver against facts, against a naive search, and its two kernels against each other."""
