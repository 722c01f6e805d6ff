"""The comparison with other programs, on series made by hand."""

import pathlib
import tempfile
import unittest

import compare
import crosscheck
import exposition
import prometheus
import readings
import sysstat
from compare import S, Misfit, Value
from names import PAGE, Names, Term
from readings import Readings


def read(*pairs, kind="counter", quantum=1.0, values=(), metric="cpu_forks_total"):
    """Reveal's (s, value) against values as (s, s, value)."""
    mine = Readings([round(at * S) for at, _ in pairs], [value for _, value in pairs])
    return compare.compare((metric, ""), kind, quantum, mine,
                           [Value(round(begin * S), round(end * S), value) for begin, end, value in values])


class CompareTest(unittest.TestCase):
    def test_a_counter_lies_between_the_readings_around_the_moment(self):
        for value, verdict in ((98, "different"), (99, "equal"), (130, "equal"), (131, "equal"), (132, "different")):
            one = read((0, 50), (1, 100), (2, 120), (3, 130), (4, 200), values=[(1.5, 2.5, value)])
            self.assertEqual(one.verdict, verdict, value)
        self.assertEqual(one.misfit, Misfit(Value(1.5 * S, 2.5 * S, 132), 100 - 1 - 1.3e-7, 130 + 1 + 1.3e-7))

    def test_a_reading_just_before_may_have_been_later_than_its_time(self):
        for at, verdict in ((1.15, "equal"), (1.25, "different")):
            self.assertEqual(read((0, 0), (1, 100), (2, 200), values=[(at, at + 0.1, 50)]).verdict, verdict)

    def test_one_value_of_a_counter_that_is_off_is_a_difference(self):
        one = read((0, 10), (1, 20), (2, 30), values=[(0.2, 0.3, 15), (1.2, 1.3, 25), (1.4, 1.5, 40)])
        self.assertEqual((one.verdict, one.fits, one.values), ("different", 2, 3))

    def test_a_moment_that_no_readings_surround_is_not_compared(self):
        for begin, end in ((-1, 0.5), (1.5, 3)):
            self.assertEqual(read((0, 1), (1, 1), (2, 1), values=[(begin, end, 500)]).verdict, "not compared")

    def test_a_gauge_may_leave_the_range_in_three_of_four_moments(self):
        pairs = [(at, 10.0 + at % 2) for at in range(20)]
        good, bad = (5.2, 5.3, 10.5), (7.2, 7.3, 30.0)
        self.assertEqual(read(*pairs, kind="gauge", values=[good, bad, bad, bad]).verdict, "equal")
        self.assertEqual(read(*pairs, kind="gauge", values=[good] + 4 * [bad]).verdict, "different")

    def test_a_gauge_that_was_not_read_within_a_second_says_nothing(self):
        one = read((0, 5), (10, 7), (20, 5), kind="gauge", values=[(5, 5.1, 90), (9.5, 9.6, 6)])
        self.assertEqual((one.values, one.fits), (1, 1))

    def test_what_the_other_program_opens_itself_is_spared(self):
        for count, verdict in ((26, "equal"), (27, "different")):
            one = read((0, 16), (1, 16), (2, 16), kind="gauge", values=[(1.1, 1.2, count)], metric="network_used_sockets")
            self.assertEqual(one.verdict, verdict)

    def test_a_static_is_read_once_and_exact(self):
        self.assertEqual(read((0, 1500), kind="static", values=[(50, 51, 1500)]).verdict, "equal")
        self.assertEqual(read((0, 1500), kind="static", values=[(50, 51, 1501)]).verdict, "different")

    def test_zeros_and_what_moved_are_told(self):
        zero = read((0, 0), (1, 0), values=[(0.3, 0.4, 0)])
        grew = read((0, 0), (1, 9), (2, 9), values=[(0.3, 0.4, 3), (1.3, 1.4, 9)])
        self.assertEqual([(one.is_zero, one.moved) for one in (zero, grew)], [(True, False), (False, True)])
        lines = crosscheck.lines_of("sysstat", [zero, grew, read((0, 7), (1, 7), values=[(0.3, 0.4, 3)])])
        self.assertIn("3 channels: 2 equal (1 of them moved, 1 were always 0), 1 different", lines[0])
        self.assertIn("different, 0 of 1 within: cpu_forks_total: sysstat 3, Reveal 5.999", lines[1])


class ReadingsTest(unittest.TestCase):
    METADATA = {"metrics": [{"name": name, "kind": "counter", "collector": collector, "source": "s", "scale": scale}
                            for name, collector, scale in (("a", "stat", 0.5), ("b", "slow", 1.0))],
                "channels": [["a", "cpu=0"], ["b", ""]]}
    ROWS = [["time_ns", "mono_ns", "sequence", "cost_ns", "gap", "validity", "read_ns", "a{cpu=0}", "b"],
            ["5000000000", "1", "0", "0", "0", "", "100 200", "50", "7"],
            ["5100000000", "1", "1", "0", "0", "1s", "100 -99999000", "60", "7"],
            ["5200000000", "1", "2", "0", "0", "", "100 -", "70", ""]]

    def test_values_are_in_the_unit_at_the_moment_of_their_reading(self):
        one = readings.recording_of(self.METADATA, self.ROWS)
        self.assertEqual(one.readings["a", "cpu=0"], Readings([5000000100, 5100000100, 5200000100], [25.0, 30.0, 35.0]))
        self.assertEqual(one.readings["b", ""], Readings([5000000200], [7.0]))


class NamesTest(unittest.TestCase):
    NAMES = Names({"memory_active_file_bytes": "/proc/meminfo Active(file)", "storage_paged_in_bytes_total": "/proc/vmstat pgpgin",
                   "network_tcp_timeouts_total": "/proc/net/netstat TcpExt TCPTimeouts",
                   "network_udp6_no_ports_total": "/proc/net/snmp6 Udp6NoPorts",
                   "cpu_timer_interrupts_total": "/proc/interrupts LOC",
                   "memory_free_block_bytes": "/proc/buddyinfo memory in blocks of every order",
                   "memory_node_free_bytes": "/sys/devices/system/node/node*/meminfo MemFree"})

    def terms(self, name, **labels):
        return self.NAMES.terms(name, labels)

    def test_words_of_the_same_file_are_the_same_value(self):
        for name, labels, term in (
                ("node_memory_Active_file_bytes", {}, Term("memory_active_file_bytes", "")),
                ("node_vmstat_pgpgin", {}, Term("storage_paged_in_bytes_total", "", 1024.0)),
                ("node_netstat_TcpExt_TCPTimeouts", {}, Term("network_tcp_timeouts_total", "")),
                ("node_netstat_Udp6_NoPorts", {}, Term("network_udp6_no_ports_total", "")),
                ("node_memory_numa_MemFree", {"node": "0"}, Term("memory_node_free_bytes", "node=0")),
                ("node_buddyinfo_blocks", {"node": "1", "zone": "DMA", "size": "3"},
                 Term("memory_free_block_bytes", "node=1", 8 * PAGE))):
            self.assertEqual(self.terms(name, **labels), [term])

    def test_labels_choose_the_metric(self):
        self.assertEqual(self.terms("node_cpu_seconds_total", cpu="1", mode="iowait"), [Term("cpu_iowait_seconds_total", "cpu=1")])
        self.assertEqual(self.terms("node_interrupts_total", cpu="0", type="LOC"),
                         [Term("cpu_core_interrupts_total", "cpu=0"), Term("cpu_timer_interrupts_total", "cpu=0")])

    def test_what_reveal_does_not_have_is_nothing(self):
        for name in ("node_vmstat_pgreuse", "node_entropy_available_bits", "go_goroutines"):
            self.assertEqual(self.terms(name), [])

    def test_terms_of_a_channel_are_summed_and_the_rest_is_named(self):
        text = ('# TYPE node_filesystem_size_bytes gauge\nnode_filesystem_size_bytes{mountpoint="/"} 1e+03\n'
                'node_filesystem_free_bytes{mountpoint="/"} 400\nnode_selinux_enabled 0\n')
        values, others = crosscheck.node_exporter_values([[1, 2, text], [3, 4, text]], self.NAMES)
        self.assertEqual(values, {("storage_filesystem_used_bytes", "mount=/"): [Value(1, 2, 600.0), Value(3, 4, 600.0)]})
        self.assertEqual(others, {"node_selinux_enabled"})


class ExpositionTest(unittest.TestCase):
    def test_labels_may_have_quotes_braces_and_lines(self):
        series = list(exposition.series_of('# HELP x y\nx{a="q\\"}\\\\",b="1\\n2"} 1.5e+06 1700000000000\ny NaN\n'))
        self.assertEqual((series[0].labels, series[0].value), ({"a": 'q"}\\', "b": "1\n2"}, 1.5e6))
        self.assertNotEqual(series[1].value, series[1].value)

    def test_another_format_is_refused(self):
        with self.assertRaises(ValueError):
            list(exposition.series_of("<html>"))


class SysstatTest(unittest.TestCase):
    RAW = ("100; CPU; -1; %usr; 900; 1000; %sys; 5; 7; %guest; 10; 20;\n100; CPU; 1; %usr; 1; 2;\n"
           "100; INTR; LOC; all; 1; 2; CPU0; 1; 2;\n100; kbmemfree; 4; kbavail; 8;\n"
           "100; major; 7; minor; 0; DEV; sda; tps; 1; 2; rkB/s; 64; 128; rd_ticks; 1; 2500;\n"
           "100; active/s; 3; 4; passive/s; 0; 0;\n100; call/s; 0; 0; retrans/s; 99; 99;\n100; atmptf/s; 1; 1; retrans/s; 5; 6;\n")

    def test_the_second_number_is_that_of_the_moment(self):
        values = sysstat.values_of(self.RAW)
        ticks = sysstat.TICKS
        expected = {("cpu_user_seconds_total", ""): 1020 / ticks, ("cpu_system_seconds_total", ""): 7 / ticks,
                    ("cpu_user_seconds_total", "cpu=1"): 2 / ticks, ("memory_free_bytes", ""): 4096.0,
                    ("memory_available_bytes", ""): 8192.0, ("storage_read_sectors_total", "dev=sda"): 128.0,
                    ("storage_read_seconds_total", "dev=sda"): 2.5, ("network_tcp_active_opens_total", ""): 4.0,
                    ("network_tcp_passive_opens_total", ""): 0.0, ("network_tcp_attempt_failures_total", ""): 1.0,
                    ("network_tcp_retransmits_total", ""): 6.0}
        self.assertEqual(set(values), set(expected))
        for channel, value in expected.items():
            self.assertEqual((values[channel][0].begin_ns, values[channel][0].end_ns), (100 * S, 102 * S))
            self.assertAlmostEqual(values[channel][0].value, value, msg=str(channel))


class PrometheusTest(unittest.TestCase):
    TRUTH = [{"name": "disk", "subsystem": "storage", "begin_ns": 100 * S, "end_ns": 120 * S}]

    def told(self, *findings):
        return prometheus.lines_of(self.TRUTH, [{"begin": {"ns": begin * S}, "end": {"ns": end * S}, "subsystem": subsystem,
                                                 "claim": "It rose"} for begin, end, subsystem in findings])

    def test_the_finding_that_overlaps_most_tells_subsystem_and_times(self):
        self.assertEqual(self.told((90, 102, "cpu"), (101, 123, "storage")),
                         (["disk: found in storage, begin +1.0 s, end +3.0 s: It rose"], True))
        self.assertFalse(self.told((90, 119, "cpu"), (118, 123, "storage"))[1])

    def test_none_is_not_found(self):
        self.assertEqual(self.told(), (["disk: not found"], False))

    def test_one_beyond_a_window_of_it_is_of_no_disturbance(self):
        for end, right in ((91, True), (90, False)):
            self.assertEqual(self.told((101, 120, "storage"), (80, end, "memory"))[1], right)

    def test_the_samples_are_asked_for_as_the_document_says(self):
        how_to = (prometheus.STUDIES.parent / "docs" / "how_to" / "exchange.md").read_text(encoding="utf-8")
        self.assertIn("/api/v1/query_range", how_to)
        self.assertIn("query={instance=", how_to)


if __name__ == "__main__":
    unittest.main()
