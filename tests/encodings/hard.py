"""Deals that are not decided in seconds: with two seats, losses are long to prove."""

from __future__ import annotations

from crewsolve.deal import Deal

HARD = Deal.parse(
    "4x9; 1; B5 B7 B8 G1 G2 G4 G5 G7 P1 P4 P5 P6 P9 Y1 Y4 Y6 Y7 Y9 | "
    "B1 B2 B3 B4 B6 B9 G3 G6 G8 G9 P2 P3 P7 P8 Y2 Y3 Y5 Y8; "
    "fixed B2:1 B3:0 B4:1 B5:0 B6:1 B7:0 B9:0 G1:1 G8:1 G9:1 P5:0 P6:0 P7:1 P8:0 Y4:0 Y7:1 Y8:0 Y9:1"
)
"""Eighteen tasks: too much for the published formula in any form; the lean one has it in a second."""

HOPELESS = Deal.parse(
    "5x12; 0; B1 B4 B5 B8 G1 G3 G4 G9 G10 G11 P1 P4 P5 P6 P7 P8 Y1 Y3 Y4 Y5 Y6 Y8 Y9 Y11 A2 A3 A4 A7 A8 A9 | "
    "B2 B3 B6 B7 B9 B10 B11 B12 G2 G5 G6 G7 G8 G12 P2 P3 P9 P10 P11 P12 Y2 Y7 Y10 Y12 A1 A5 A6 A10 A11 A12; "
    "fixed B1:0"
)
"""Lost for want of room to discard, as the two-player theorem says; no method decides it by itself."""
