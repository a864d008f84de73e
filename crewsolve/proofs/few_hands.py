"""Closed sums for two and three hidden hands, and how many variables such sums need.

De Jong 2021, equations 19 to 22 and Table 1; any number of hands: `determinizations.Table`.
"""

from __future__ import annotations

from math import comb

from crewsolve.proofs.determinizations import Hidden, cards_of


def count_two(hidden: Hidden) -> int:
    """The number of distributions over two hands: who gets which of the cards both may hold."""
    p, q = hidden.may
    return _choose((p & q).bit_count(), hidden.sizes[0] - (p & ~q).bit_count())


def count_three(hidden: Hidden, *, as_printed: bool = False) -> int:
    """De Jong's sum for three hands (eq. 20).

    The printed sum forgets the cards that only the second hand may hold: they, too, are part of its size.
    With `as_printed` it is evaluated as it stands.
    """
    p, q, r = hidden.may
    size_p, size_q, _ = hidden.sizes
    pq, pr, qr, pqr = p & q & ~r, p & r & ~q, q & r & ~p, p & q & r
    only_p, only_q = p & ~(q | r), q & ~(p | r)
    need_p = size_p - only_p.bit_count()
    need_q = size_q - pq.bit_count() - (0 if as_printed else only_q.bit_count())
    return sum(
        comb(pq.bit_count(), i)
        * comb(pqr.bit_count(), j)
        * _choose(pr.bit_count(), need_p - i - j)
        * comb(qr.bit_count(), k)
        * _choose(pqr.bit_count() - j, need_q + i - k)
        for i in range(pq.bit_count() + 1)
        for j in range(pqr.bit_count() + 1)
        for k in range(qr.bit_count() + 1)
    )


def _choose(n: int, k: int) -> int:
    return comb(n, k) if 0 <= k <= n else 0


def summation_variables(hands: int) -> int:
    """The free variables of such a sum over `hands` hidden hands (de Jong, eq. 22 and Table 1).

    >>> [summation_variables(n) for n in range(1, 8)]
    [0, 0, 3, 14, 45, 124, 315]
    """
    return (2 ** (hands - 1) - 1) * (hands - 2)


def summation_variables_by_graph(hands: int) -> int:
    """The same as the number of independent cycles in the graph of classes and the hands that share them.

    The splits of all classes form a flow in that graph, so this is the dimension of the space of splits.
    """
    import networkx as nx

    graph = nx.Graph()
    for group in range(1, 1 << hands):
        graph.add_edges_from((("class", group), ("hand", hand)) for hand in cards_of(group))
    cycles = graph.number_of_edges() - graph.number_of_nodes() + nx.number_connected_components(graph)
    return int(cycles)
