"""Filling in the hands that a player cannot see, as tables for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crewsolve.agents.player import Sight, opened
from crewsolve.agents.vectors import generator, table_vector
from crewsolve.randomness import Stream

if TYPE_CHECKING:
    from crewsolve.agents.player import Offer


def true_tables(sight: Sight | Offer, count: int, stream: Stream) -> Any:
    """The one table there is, for players with open hands."""
    return table_vector(sight.view, hands=opened(sight).hand_masks)[None, :]


def blind_tables(sight: Sight | Offer, count: int, stream: Stream) -> Any:
    """`count` tables whose hidden cards are dealt at random, whatever has been shown."""
    import numpy as np

    from crewsolve.kernels.rollouts import deal_blindly

    view = sight.view
    table = table_vector(view)
    out = np.empty((count, len(table)), dtype=np.int64)
    deal_blindly(table, view.seats, view.seat, view.hidden.mask, generator(stream), out)
    return out


def consistent_tables(sight: Sight | Offer, count: int, stream: Stream) -> Any:
    """`count` tables drawn uniformly from all that agree with the view: voids, sizes, the highest rocket."""
    import numpy as np

    from crewsolve.proofs.sampling import sample_many

    view = sight.view
    table = table_vector(view)
    out = np.tile(table, (count, 1))
    out[:, : view.seats] = sample_many(view, count, stream)
    return out


def selected_tables(sight: Sight | Offer, count: int, stream: Stream) -> Any:
    """`count` tables that agree with the view, filled card by card: all can come up, not equally often."""
    import numpy as np

    from crewsolve.proofs.biased import draw_by_selection
    from crewsolve.proofs.determinizations import Hidden

    view = sight.view
    out = np.tile(table_vector(view), (count, 1))
    out[:, : view.seats] = draw_by_selection(Hidden.of_view(view), count, stream)
    return out
