"""The traces of a run, on samples worked out by hand."""

import json
import math
import pathlib
import tempfile
import unittest

import traces
from shell import LabError

S = 1_000_000_000
HEADING = ("time_ns,network_tcp_retransmits_total,network_tcp_out_of_order_total,"
           "network_tcp_sack_recoveries_total,network_tcp_round_trip_median_seconds\n")


class TracesTest(unittest.TestCase):
    def test_events_are_summed_rates_and_levels_averaged(self):
        # Two seconds each: 3 + 5 sent again are 4 a second; rates 10 and 20 are 15; 100 and 300 us are 200.
        rows = f"{10 * S},3,,10,0.0001\n{11 * S},5,,20,0.0003\n{12 * S},7,,,\n"
        binned = traces.binned(HEADING + rows, 10 * S, 2, 5)
        self.assertEqual(binned["network_tcp_retransmits_total"][:2], [4, 3.5])
        self.assertTrue(math.isnan(binned["network_tcp_retransmits_total"][2]))
        self.assertTrue(all(map(math.isnan, binned["network_tcp_out_of_order_total"])))
        self.assertEqual(binned["network_tcp_sack_recoveries_total"][0], 15)
        self.assertAlmostEqual(binned["network_tcp_round_trip_median_seconds"][0], 200)

    def test_samples_outside_are_of_no_row(self):
        rows = f"{9 * S},3,,10,\n{12 * S},5,,20,\n"
        self.assertTrue(math.isnan(traces.binned(HEADING + rows, 10 * S, 2, 2)["network_tcp_retransmits_total"][0]))

    def test_a_host_without_a_metric_has_none(self):
        self.assertTrue(math.isnan(traces.binned(f"time_ns\n{10 * S}\n", 10 * S, 1, 1)["network_tcp_retransmits_total"][0]))

    def test_steps_count_where_they_end(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "steps0.jsonl"
            log.write_text("".join(json.dumps({"end_ns": int(at * S), "ms": ms}) + "\n"
                                   for at, ms in ((9.9, 1), (10.1, 50), (11, 70), (11.9, 300), (12, 80))))
            self.assertEqual(traces.steps(log, 10 * S, 2, 4), [70, 80])
            self.assertTrue(math.isnan(traces.steps(pathlib.Path(folder) / "none", 10 * S, 2, 2)[0]))

    def test_what_is_no_run_is_told(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(LabError, "no truth.json"):
            traces.table(pathlib.Path(folder), pathlib.Path("reveal"), 5)


if __name__ == "__main__":
    unittest.main()
