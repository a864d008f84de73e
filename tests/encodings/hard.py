"""A deal that no method tried so far decides in seconds: two seats, 36 cards, eighteen tasks."""

from __future__ import annotations

from crewsolve.deal import Deal

HARD = Deal.parse(
    "4x9; 1; B5 B7 B8 G1 G2 G4 G5 G7 P1 P4 P5 P6 P9 Y1 Y4 Y6 Y7 Y9 | "
    "B1 B2 B3 B4 B6 B9 G3 G6 G8 G9 P2 P3 P7 P8 Y2 Y3 Y5 Y8; "
    "fixed B2:1 B3:0 B4:1 B5:0 B6:1 B7:0 B9:0 G1:1 G8:1 G9:1 P5:0 P6:0 P7:1 P8:0 Y4:0 Y7:1 Y8:0 Y9:1"
)
