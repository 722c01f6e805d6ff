"""Coded numbers and the range coding below them: docs/storage_format.md, "Coded numbers"."""

from .fields import MASK, signed

RESIDUAL = 6  # the form whose set B is told as a difference from the reference

# Kinds of decision within a code, as indices into its probabilities. A set of integers has its sign, a
# probability for each length, and one for each length and each beginning of up to three bits.
MOVED, ALIKE, SET_A = 0, 16, 18
SET_LONGER = 1
SET_BITS = SET_LONGER + 65
SET_KINDS = SET_BITS + 65 * 8
SET_B = SET_A + SET_KINDS
KINDS = SET_B + SET_KINDS

RATES = [655360 // (10 * used + 16) for used in range(81)]


class RangeDecoder:
    def __init__(self, data):
        self._data = data
        self._at = 8
        self._code = int.from_bytes(data[:8].ljust(8, b"\0"), "big")
        self._range = MASK
        self._probability = [32768] * KINDS
        self._used = [0] * KINDS

    def decide(self, kind):
        probability = self._probability[kind]
        used = self._used[kind]
        part = (self._range >> 16) * probability
        yes = self._code < part
        if yes:
            self._range = part
            self._probability[kind] = probability + ((65504 - probability) * RATES[used] >> 16)
        else:
            self._code -= part
            self._range -= part
            self._probability[kind] = probability - ((probability - 32) * RATES[used] >> 16)
        if used < 80:
            self._used[kind] = used + 1
        self._widen()
        return yes

    def raw_bits(self, count):
        number = 0
        while count > 0:
            step = min(count, 16)
            self._range >>= step
            bits = min(self._code // self._range, (1 << step) - 1)
            self._code -= bits * self._range
            number = number << step | bits
            count -= step
            self._widen()
        return number

    def _widen(self):
        if self._range < 1 << 32:
            following = self._data[self._at:self._at + 4].ljust(4, b"\0")
            self._at += 4
            self._range <<= 32
            self._code = (self._code << 32 | int.from_bytes(following, "big")) & MASK

    def integer(self, kinds, shortest):
        """An integer that is not zero, of the set whose probabilities begin at `kinds`."""
        negative = self.decide(kinds)
        length = shortest
        while length < 64 and self.decide(kinds + SET_LONGER + length):
            length += 1
        size = 1
        told = min(length - 1, 3)
        for _ in range(told):
            size = size << 1 | self.decide(kinds + SET_BITS + length * 8 + size)
        remaining = length - 1 - told
        size = size << remaining | self.raw_bits(remaining)
        return signed(-size if negative else size)


def coded_numbers(code, form, shortest, reference):
    """Yields the number at each coded tick, `reference` having the reference's steps there."""
    decoder = RangeDecoder(code)
    shortest_b = 1 if form == RESIDUAL else shortest
    moved_lately = 0
    alike = True
    for step in reference:
        moved = decoder.decide(MOVED + (8 if step else 0) + moved_lately)
        moved_lately = moved_lately << 1 & 7 | moved
        if not moved:
            yield 0
        elif not step:
            yield decoder.integer(SET_A, shortest)
        else:
            alike = decoder.decide(ALIKE + alike)
            if alike:
                yield step
            else:
                number = decoder.integer(SET_B, shortest_b)
                yield signed(number + step) if form == RESIDUAL else number
