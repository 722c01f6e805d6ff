"""What the check of a real GPU concludes from nvidia-smi's lines and Reveal's: all numbers here are made by hand."""

import datetime
import pathlib
import tempfile
import unittest

import check_score
from check_fields import FIELDS, number

BEGIN = 1_700_000_000
GPU = "0000:17:00.0"
PHASES = ('{"phase": "context", "begin_ns": %d, "end_ns": %d, "turns": 1}\n'
          '{"phase": "busy", "begin_ns": %d, "end_ns": %d, "turns": 9}\n') % (
              BEGIN * 10**9, (BEGIN + 10) * 10**9, (BEGIN + 10) * 10**9, (BEGIN + 20) * 10**9)
HEADER = ("timestamp, pci.bus_id, utilization.gpu [%], memory.used [MiB], pstate, clocks_event_reasons.sw_power_cap, "
          "ecc.errors.corrected.volatile.total, fan.speed [%], clocks_event_reasons_counters.sw_power_cap [us]\n")


def smi(busy: int, power_cap: str) -> str:
    lines = [HEADER]
    for second in range(20):
        when = datetime.datetime.fromtimestamp(BEGIN + second + 0.25).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3]
        lines.append(f"{when}, 00000000:17:00.0, {0 if second < 10 else busy}, 1024, {'P8' if second < 10 else 'P0'}, "
                     f"{'Not Active' if second < 10 else power_cap}, 3, [N/A], {max(0, second - 10) * 1000000}\n")
    return "".join(lines) + "2023/11/"  # cut off while it was written


def reveal(rows: dict[str, tuple[float, float]]) -> str:
    """By metric, a value for each phase."""
    lines = ["time_ns,mono_ns,sequence,cost_ns,gap,metric,instance,value,validity,read_ns\n"]
    for tick in range(200):
        at = BEGIN * 10**9 + tick * 10**8
        for metric, values in rows.items():
            lines.append(f"{at},{at},{tick},1,0,{metric},gpu={GPU},{values[tick // 100]},fresh,{at}\n")
        lines.append(f"{at},{at},{tick},1,0,gpu_busy_ratio,gpu=0000:ca:00.0,0.5,fresh,{at}\n")
    return "".join(lines)


class Check(unittest.TestCase):
    def score(self, derived: dict[str, tuple[float, float]], raw: dict[str, tuple[float, float]], busy: int = 90,
              power_cap: str = "Active") -> dict[str, check_score.Verdict]:
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            (out / "phases.jsonl").write_text(PHASES, encoding="ascii")
            (out / "smi.csv").write_text(smi(busy, power_cap), encoding="ascii")
            (out / "derived.csv").write_text(reveal(derived), encoding="ascii")
            (out / "raw.csv").write_text(reveal(raw), encoding="ascii")
            (out / "processes.jsonl").write_text(
                "".join('{"at_ns": %d, "processes": 1, "mib": [512]}\n' % ((BEGIN + s) * 10**9) for s in range(20)),
                encoding="ascii")
            return {row.metric: row for row in check_score.score(out)}

    def test_what_agrees_passes(self) -> None:
        rows = self.score({"gpu_busy_ratio": (0, 0.93), "gpu_memory_used_bytes": (2**30, 2**30),
                           "gpu_performance_state": (8, 0), "gpu_throttle_power_cap_active": (0, 1),
                           "gpu_compute_processes": (1, 1), "gpu_process_memory_bytes": (2**29, 2**29)},
                          {"gpu_ecc_corrected_volatile_errors_total": (3, 3),
                           "gpu_throttled_by_power_seconds_total": (0, 7e9)})
        for metric in ("gpu_busy_ratio", "gpu_memory_used_bytes", "gpu_performance_state", "gpu_compute_processes",
                       "gpu_throttle_power_cap_active", "gpu_ecc_corrected_volatile_errors_total",
                       "gpu_process_memory_bytes", "gpu_throttled_by_power_seconds_total"):
            self.assertEqual(rows[metric].word, "pass", rows[metric])
        self.assertEqual(rows["gpu_fan_speed_ratio"].word, "neither")

    def test_another_number_fails_and_both_are_told(self) -> None:
        rows = self.score({"gpu_busy_ratio": (0, 0.7), "gpu_memory_used_bytes": (2**30, 3 * 2**30),
                           "gpu_throttle_power_cap_active": (0, 0.5)},
                          {"gpu_ecc_corrected_volatile_errors_total": (3, 4)})
        self.assertEqual((rows["gpu_busy_ratio"].word, rows["gpu_busy_ratio"].why),
                         ("FAIL", "context 0 0; busy 0.9 but 0.7"))
        self.assertEqual(rows["gpu_memory_used_bytes"].word, "FAIL")
        self.assertEqual(rows["gpu_throttle_power_cap_active"].word, "FAIL")
        self.assertEqual(rows["gpu_ecc_corrected_volatile_errors_total"].why, "context 3 3; busy 3 but 4")

    def test_what_only_one_of_them_has(self) -> None:
        rows = self.score({"gpu_fan_speed_ratio": (0.3, 0.3)}, {})
        self.assertEqual((rows["gpu_busy_ratio"].word, rows["gpu_busy_ratio"].why),
                         ("FAIL", "only nvidia-smi has it: 0.9"))
        self.assertEqual(rows["gpu_fan_speed_ratio"].word, "only Reveal")

    def test_energy_is_held_against_power(self) -> None:
        rows = [check_score.energy({"gpu_power_watts": [(BEGIN * 10**9 + i * 10**8, 300.0) for i in range(200)]},
                                   {"gpu_energy_joules_total": [(BEGIN * 10**9 + i * 10**8, 1e6 + 3e5 * (i // 10))
                                                                for i in range(200)]},
                                   [{"begin_ns": BEGIN * 10**9, "end_ns": (BEGIN + 20) * 10**9}])]
        rows.append(check_score.energy({"gpu_power_watts": [(BEGIN * 10**9 + i * 10**8, 300.0) for i in range(200)]},
                                       {"gpu_energy_joules_total": [(BEGIN * 10**9 + i * 10**8, 1e6 + 2e5 * (i // 10))
                                                                    for i in range(200)]},
                                       [{"begin_ns": BEGIN * 10**9, "end_ns": (BEGIN + 20) * 10**9}]))
        self.assertEqual([row.word for row in rows], ["pass", "FAIL"])  # 300 and 200 joules a second

    def test_words_of_nvidia_smi(self) -> None:
        for text, value in (("Enabled", 1), ("Not Active", 0), ("P2", 2), ("0x0000000000000004", 4), ("[N/A]", None),
                            ("[Not Supported]", None), ("350.25", 350.25), ("", None), ("Completed", 3)):
            self.assertEqual(number(text), value, text)

    def test_each_metric_is_compared_once(self) -> None:
        self.assertEqual(len({field.metric for field in FIELDS}), len(FIELDS))
        reference = (pathlib.Path(__file__).resolve().parents[2] / "docs/reference/metrics.md").read_text("utf-8")
        self.assertEqual([field.metric for field in FIELDS if f"`{field.metric}`" not in reference], [])


if __name__ == "__main__":
    unittest.main()
