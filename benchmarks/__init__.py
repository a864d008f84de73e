"""How fast every method is, as ratios to the published way on the same deals in the same run.

`python -m benchmarks` prints one table in under two minutes; `python -m benchmarks --full --write` takes as
long as it needs and puts the table into docs/benchmarks.md. Times are CPU time of one core, so that a busy
machine spoils them less; only starting times are by the clock on the wall.
"""
