"""Key and delta frames, of journals and of version 1: docs/storage_format.md, "Key frame (4)"."""

from .fields import MASK, Fields, Frame, require, signed

TIME_STEP_NS = 10_000
FRESH = 1


def read_validity(fields, count):
    validity = []
    for _ in range(fields.varint()):
        fresh, others = fields.varint(), fields.varint()
        number = fields.u8()
        require(number <= 3, "a validity above 3")
        require(fresh + others <= count - len(validity), "validity beyond the channels")
        validity += [FRESH] * fresh + [number] * others
    return validity + [FRESH] * (count - len(validity))


def read_time(fields, mono_ns):
    """When a collector was read, ns."""
    number = fields.varint()
    if number & 1:
        require(number == 1, "a reading time of unknown form")
        return signed(mono_ns + fields.zigzag())
    steps = -(number >> 2) - 1 if number & 2 else number >> 2
    return signed(mono_ns + steps * TIME_STEP_NS)


def read_bitmap(fields, count):
    """The numbers of the bits that are set."""
    bitmap = fields.take((count + 7) // 8)
    return [i for i in range(count) if bitmap[i // 8] >> i % 8 & 1]


def read_key_frame(payload, notes):
    fields = Fields(payload)
    sequence = fields.varint()
    wall_ns, mono_ns = fields.zigzag(), fields.zigzag()
    cost_ns, gap = fields.varint(), fields.u8()
    count = fields.varint()
    require(count <= len(payload), "more channels than bytes")
    validity = read_validity(fields, count)
    bits = [fields.varint() for _ in range(count)]
    times = 0 if fields.at_end() else fields.varint()
    require(times <= len(payload), "more reading times than bytes")
    read_ns = [read_time(fields, mono_ns) for _ in range(times)]
    return Frame(sequence, wall_ns, mono_ns, cost_ns, gap, bits, validity, read_ns, notes)


def read_delta_frame(payload, before, notes):
    """The frame that the payload tells as its difference from the one before."""
    fields = Fields(payload)
    based_on = fields.varint()
    require(before is not None and before.sequence == based_on,
            "based on a frame that could not be read")
    sequence = (based_on + fields.varint()) & MASK
    wall_ns = signed(before.wall_ns + fields.zigzag())
    mono_ns = signed(before.mono_ns + fields.zigzag())
    cost_ns, gap = fields.varint(), fields.u8()
    validity = read_validity(fields, len(before.bits))
    bits = list(before.bits)
    for channel in read_bitmap(fields, len(bits)):
        bits[channel] = (bits[channel] + fields.zigzag()) & MASK
    read_ns = list(before.read_ns)
    for collector in read_bitmap(fields, len(read_ns)):
        read_ns[collector] = read_time(fields, mono_ns)
    return Frame(sequence, wall_ns, mono_ns, cost_ns, gap, bits, validity, read_ns, notes)
