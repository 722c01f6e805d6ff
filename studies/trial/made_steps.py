"""Steps of a job for tests."""

from harm import S, Steps


def steps(*stretches):
    """Of (from s, to s, seconds a step): one after another."""
    out = []
    for begin, end, each in stretches:
        count = round((end - begin) / each)
        out += [((begin + number * each) * S, (begin + (number + 1) * each) * S) for number in range(count)]
    return Steps(out)
