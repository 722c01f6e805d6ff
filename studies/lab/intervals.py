"""95 % intervals of shares and of rates."""

import math

Z = 1.96  # of the normal distribution, 2.5 % on either side


def wilson(hits: float, of: int) -> tuple[float, float]:
    """Of a share (Wilson 1927). `hits` may be a fraction, where one trial was seen by several."""
    if of == 0:
        return math.nan, math.nan
    p = hits / of
    middle, spread = p + Z * Z / (2 * of), Z * math.sqrt(p * (1 - p) / of + Z * Z / (4 * of * of))
    # Of no hit, the two are equal but for their rounding.
    return max(middle - spread, 0.0) / (1 + Z * Z / of), (middle + spread) / (1 + Z * Z / of)


def byar(count: int) -> tuple[float, float]:
    """Of a Poisson mean, of which `count` events were seen: Byar's approximation of the exact interval
    (Breslow and Day 1987), within 0.03 of it from one event on."""
    def bound(events: int, sign: int) -> float:
        return events * (1 - 1 / (9 * events) + sign * Z / (3 * math.sqrt(events))) ** 3 if events else 0.0
    return bound(count, -1), bound(count + 1, 1)


def _poisson_at_most(count: int, mean: float) -> float:
    """The chance of `count` events or fewer."""
    term = total = math.exp(-mean)
    for k in range(1, count + 1):
        term *= mean / k
        total += term
    return total


def poisson(count: int, tail: float = 0.025) -> tuple[float, float]:
    """Of a Poisson mean, of which `count` events were seen: the exact interval, with so much beyond it on either side
    (Garwood 1936). Of counts up to some hundreds."""
    def mean_of(events: int, chance: float) -> float:
        low, high = 0.0, 2.0 * events + 20.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if _poisson_at_most(events, middle) > chance else (low, middle)
        return (low + high) / 2
    return mean_of(count - 1, 1 - tail) if count else 0.0, mean_of(count, tail)
