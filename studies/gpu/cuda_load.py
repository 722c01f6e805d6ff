"""A known load of one NVIDIA GPU, by the driver alone: no toolkit, no framework.

    cuda_load.py [--gpu N] [--seconds S] [--again]

Goes through its phases, S seconds each, and prints a line of JSON after each: {"phase", "begin_ns", "end_ns"} by
the wall clock, and what it holds or did. --again makes all processors busy once more at the end ("busy again"), for
a check that changes the clock meanwhile. The phases:

    context   a program that does nothing
    memory    an eighth of the GPU's memory is taken
    busy      every multiprocessor computes
    half      the same for half of the time
    copy      memory is copied to the GPU, as fast as it goes
    given     the memory was given back
"""

import argparse
import ctypes
import json
import sys
import time

LAUNCH_S = 0.01
COPY = 256 << 20
THREADS, BLOCKS_EACH = 256, 8
MULTIPROCESSORS = 16  # the driver's number of the attribute

# A chain of multiplications that nothing can shorten. A target so old runs on every chip since.
PTX = b"""
.version 6.0
.target sm_50
.address_size 64
.visible .entry chain(.param .u64 out, .param .u32 rounds)
{
  .reg .pred %more;
  .reg .f32 %x, %y;
  .reg .b32 %round, %rounds;
  .reg .b64 %out, %place;
  ld.param.u64 %out, [out];
  ld.param.u32 %rounds, [rounds];
  mov.f32 %x, 0f3F800000;
  mov.f32 %y, 0f3F7FFFFE;
  mov.u32 %round, 0;
again:
""" + b"  fma.rn.f32 %x, %x, %y, %y;\n" * 16 + b"""
  add.u32 %round, %round, 1;
  setp.lt.u32 %more, %round, %rounds;
  @%more bra again;
  cvta.to.global.u64 %place, %out;
  st.global.f32 [%place], %x;
  ret;
}
"""


class CudaError(Exception):
    """What the driver refused."""


class Driver:
    """The calls of libcuda that the load needs; one that fails is a CudaError."""

    def __init__(self) -> None:
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError as missing:
            raise CudaError(f"NVIDIA's driver is not here: {missing}") from missing

    def __call__(self, name: str, *arguments: object) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            words = ctypes.c_char_p()
            self._library.cuGetErrorString(code, ctypes.byref(words))
            raise CudaError(f"{name}: {(words.value or b'error %d' % code).decode()}")


class Load:
    def __init__(self, gpu: int) -> None:
        self.call = Driver()
        self.call("cuInit", 0)
        device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), gpu)
        self.call("cuCtxCreate_v2", ctypes.byref(context), 0, device)
        self.call("cuModuleLoadData", ctypes.byref(module), PTX)
        self.kernel = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(self.kernel), module, b"chain")
        units = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(units), MULTIPROCESSORS, device)
        self.blocks = units.value * BLOCKS_EACH
        self.out = self.take(4)
        self.rounds = self.calibrated()

    def take(self, size: int) -> ctypes.c_uint64:
        place = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(size))
        return place

    def total(self) -> int:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return total.value

    def compute(self, rounds: int) -> None:
        count = ctypes.c_uint32(rounds)
        words = (ctypes.c_void_p * 2)(ctypes.addressof(self.out), ctypes.addressof(count))
        self.call("cuLaunchKernel", self.kernel, self.blocks, 1, 1, THREADS, 1, 1, 0, None, words, None)
        self.call("cuCtxSynchronize")

    def calibrated(self) -> int:
        """How many rounds take about LAUNCH_S."""
        rounds = 1 << 10
        while True:
            self.compute(rounds)
            begin = time.monotonic()
            self.compute(rounds)
            took = time.monotonic() - begin
            if took >= LAUNCH_S / 2:
                return max(1, round(rounds * LAUNCH_S / took))
            rounds *= 2


def phase(name: str, seconds: float, act, **said: object) -> None:
    """Does that over and over for so long, and tells of it."""
    begin, until = time.time_ns(), time.monotonic() + seconds
    turns = 0
    while time.monotonic() < until:
        act()
        turns += 1
    print(json.dumps({"phase": name, "begin_ns": begin, "end_ns": time.time_ns(), "turns": turns, **said}), flush=True)


def rest() -> None:
    time.sleep(0.05)


def run(options: argparse.Namespace) -> None:
    load = Load(options.gpu)
    phase("context", options.seconds, rest)
    held = load.total() // 8
    memory = load.take(max(held, COPY))
    phase("memory", options.seconds, rest, held_bytes=max(held, COPY))
    phase("busy", options.seconds, lambda: load.compute(load.rounds))

    def half() -> None:
        begin = time.monotonic()
        load.compute(load.rounds)
        time.sleep(time.monotonic() - begin)

    phase("half", options.seconds, half)
    host = ctypes.c_void_p()
    load.call("cuMemAllocHost_v2", ctypes.byref(host), ctypes.c_size_t(COPY))
    phase("copy", options.seconds, lambda: load.call("cuMemcpyHtoD_v2", memory, host, ctypes.c_size_t(COPY)),
          bytes_a_turn=COPY)
    if options.again:
        phase("busy again", options.seconds, lambda: load.compute(load.rounds))
    load.call("cuMemFree_v2", memory)
    phase("given", options.seconds, rest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=16.0)
    parser.add_argument("--again", action="store_true")
    try:
        run(parser.parse_args())
    except CudaError as error:
        sys.exit(f"cuda_load.py: {error}")


if __name__ == "__main__":
    main()
