"""Exact counts, each with its formula, its enumerator and the check of one against the other.

Nothing here calls a method of `crewsolve.encodings`: theorems and solvers check each other from outside.
"""
