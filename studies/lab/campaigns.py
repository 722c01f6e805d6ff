"""Which scenarios are run together, and how long each is."""

from scenario import Event, Scenario

FAULT_S = 6.0
FIRST_S, APART_S = 35.0, 33.0
RUN_S = 130.0


def faulty(name: str, *faults: tuple[str, float], **workload: object) -> Scenario:
    """A run with these faults, well apart, each in a twentieth of it."""
    events = tuple(Event(fault, strength, FIRST_S + number * APART_S, FAULT_S)
                   for number, (fault, strength) in enumerate(faults))
    return Scenario(name, RUN_S, events, **workload)


# Two faults of different subsystems, and a stretch without any before, between and after; and two
# runs with one fault each: what the page of the README was made of, and what readers were asked about.
PAGE = (
    Scenario("two_faults", 150, (Event("storage_burst", 4, 50, 8), Event("slow_link", 60, 105, 10))),
    Scenario("contention", 120, (Event("cpu_contention", 3, 60, 10),), model="transformer"),
    Scenario("swapping", 120, (Event("swap", 192, 60, 10),)),
)
# The smallest that goes through everything: a fault of the machine and one of a host's network.
QUICK = (
    Scenario("quick", 70, (Event("storage_burst", 8, 20, 5), Event("slow_link", 60, 48, 5))),
)
FAULTS_OF_ALL_KINDS = (
    faulty("network", ("packet_loss", 1000), ("slow_link", 200), ("packet_loss", 200)),
    faulty("network_weak", ("packet_loss", 100), ("slow_link", 400), ("softirq_concentration", 64)),
    faulty("processor", ("cpu_contention", 2), ("cpu_throttle", 30), ("cpu_unplug", 1), model="transformer"),
    faulty("processor_weak", ("cpu_contention", 1), ("cpu_throttle", 60), ("starved_recorder", 1), model="cnn"),
    faulty("storage", ("storage_burst", 8), ("slow_disk", 10), ("write_back", 160), reads_disk=True),
    faulty("storage_weak", ("storage_burst", 1), ("slow_disk", 40), ("write_back", 60), reads_disk=True, model="cnn"),
    faulty("memory", ("swap", 192), ("huge_pages", 1024), ("giant_pages", 1024)),
    faulty("memory_weak", ("swap", 64), ("huge_pages", 256), model="infer"),
    Scenario("nine", RUN_S, (Event("slow_link", 200, 40, FAULT_S, host=7), Event("packet_loss", 1000, 85, FAULT_S, host=4)),
             hosts=9),
)
# Workloads' own ways: nothing of this is a fault.
HEALTHY = (
    Scenario("steady", RUN_S),
    Scenario("pause", 100, train=("--pause", "50:55")),
    Scenario("batch", 100, train=("--batch-from", "58:16")),
    Scenario("starts", 100, job_from_s=45),
    # For a sixth of the run: not enough to be usual in it.
    Scenario("late", 170, job_from_s=140),
    Scenario("stops", 100, job_until_s=55),
    Scenario("inference", 90, model="infer"),
    Scenario("compile", 90, hosts=1, model="none", command=("bash", "-c", "while :; do g++ -x c++ -O2 -std=c++20 "
             "-include regex -include map -include functional -fsyntax-only /dev/null; done")),
    Scenario("database", 90, hosts=1, model="none", command=("/usr/bin/python3", "-c", "import sqlite3, random\n"
             "base = sqlite3.connect('DISK/base.db')\n"
             "base.execute('create table if not exists t (k integer primary key, v text)')\n"
             "while True:\n with base:\n  for _ in range(500): base.execute('insert or replace into t values (?, ?)', "
             "(random.randrange(100000), 'x' * 100))")),
)
# docs/cases/packet_loss.md: what such a job sends again by itself, and what it does where packets to one
# host are lost; the same before the loss and after it.
PACKET_LOSS = tuple(Scenario(name, 120, events, hosts=4) for name, events in (
    ("loss_before", ()),
    ("loss_weak", (Event("packet_loss", 200, 60, 10, host=2),)),
    ("loss_brief", (Event("packet_loss", 1000, 60, 10, host=2),)),
    ("loss_lasting", (Event("packet_loss", 1000, 60, 60, host=2),)),
    ("loss_after", ()),
))
# An hour in which all is well, and then three short faults, watched live.
HOUR = (
    Scenario("hour", 3840, (Event("cpu_contention", 2, 3660, 5), Event("slow_link", 200, 3720, 5),
                            Event("swap", 192, 3780, 5)), watched=True),
)
CAMPAIGNS: dict[str, tuple[Scenario, ...]] = {
    "page": PAGE, "quick": QUICK, "full": FAULTS_OF_ALL_KINDS + HEALTHY, "cases": PACKET_LOSS, "hour": HOUR}
