"""The scores of kill -9, on cases worked out by hand."""

import json
import pathlib
import tempfile
import unittest

import kills_score
from kills_score import JUDGE, MAIN, OTHERS, RECORDER, STUDY, Gap, Kill

S = 1_000_000_000
TICK = S // 10


def kill(role, at_s, number=0, **more):
    return Kill(number, role, round(at_s * S), **more)


def window(at_s, end_s):
    """Heard of at that time; its end is None where it was not judged."""
    return {"at_ns": round(at_s * S), "state": "judging", "judged_ns": None if end_s is None else round(end_s * S)}


class VerdictTest(unittest.TestCase):
    def test_a_window_from_before_the_kill_is_no_verdict_after_it(self):
        windows = [window(9.5, 9), window(10.5, 9.9), window(11, None), window(13, 12.5), window(14, 13.5)]
        told = kills_score.verdicts([kill(JUDGE, 10)], windows)
        self.assertEqual(told.seconds, {JUDGE: [3.0]})
        self.assertEqual((told.overtaken, told.never), (0, 0))

    def test_a_kill_that_came_before_the_verdict_counts_alone(self):
        told = kills_score.verdicts([kill(JUDGE, 10), kill(RECORDER, 12, 1)], [window(13, 12.5)])
        self.assertEqual((told.seconds, told.overtaken), ({RECORDER: [1.0]}, 1))

    def test_nothing_after_it_is_never(self):
        self.assertEqual(kills_score.verdicts([kill(JUDGE, 10)], [window(9, 8.5)]).never, 1)

    def test_a_service_counts_from_its_new_start_if_asked(self):
        one = kill(MAIN, 10, started_ns=15 * S)
        for since_start, seconds in ((False, 8.0), (True, 3.0)):
            told = kills_score.verdicts([one], [window(18, 17)], since_start)
            self.assertEqual(told.seconds, {MAIN: [seconds]})

    def test_the_share_of_judged_seconds_counts_each_second_once(self):
        windows = [window(1.2, 1.0), window(1.7, 1.5), window(3, 2.5), window(4, None), window(20, 19)]
        self.assertAlmostEqual(kills_score.judged_share(windows, S, 5 * S), 0.5)


class RecordingTest(unittest.TestCase):
    def test_a_gap_is_where_numbers_are_missing(self):
        frames = [(0, 0), (TICK, 1), (5 * TICK, 5), (6 * TICK, 6)]
        self.assertEqual(kills_score.gaps_of(frames), [Gap(TICK, 5 * TICK, 3)])

    def test_a_gap_is_of_the_kill_that_lies_in_it(self):
        gap = Gap(10 * S, 12 * S, 19)
        for kills, runs, role in (
                ([kill(RECORDER, 10.05)], [], RECORDER), ([kill(MAIN, 9)], [], MAIN), ([kill(MAIN, 7.9)], [], OTHERS),
                ([kill(RECORDER, 9.9)], [], OTHERS), ([kill(JUDGE, 9.5)], [], JUDGE), ([kill(JUDGE, 8.9)], [], OTHERS),
                ([kill(JUDGE, 10.5), kill(RECORDER, 11)], [], RECORDER), ([kill(MAIN, 11)], [round(11.5 * S)], STUDY),
                ([kill(RECORDER, 12.1)], [], OTHERS)):
            with self.subTest(kills=kills):
                self.assertEqual(kills_score.whose(gap, kills, runs)[0], role)

    def test_the_tick_in_flight_is_not_lost(self):
        gap = Gap(10 * S, 12 * S, 19)
        for at_s, lost in ((10.05, 0), (10.15, 0), (10.25, 1), (10.55, 4), (9.5, 0)):
            self.assertEqual(kills_score.lost_before(gap, kill(RECORDER, at_s), TICK), lost)

    def test_lines_tell_the_kills_gaps_from_the_others(self):
        gaps = [Gap(10 * S, 12 * S, 19), Gap(20 * S, round(20.2 * S), 1), Gap(30 * S, round(30.3 * S), 2)]
        lines = kills_score.recording_lines([kill(RECORDER, 10.25), kill(JUDGE, 20.1, 1)], gaps, [], TICK)
        self.assertIn("gaps by kills of agent-recorder, s: median 2.0, 95 % 2.0, most 2.0 (1); frames lost beyond the one "
                      "in flight: 1, after 1 kills", lines)
        self.assertIn("ticks missing within 1 s after 1 kills of agent-judge: 1 in 1 places", lines)
        self.assertIn("ticks missing at other times: 2 in 1 places", lines)


def event(name, kind, finding, episode="e"):
    return {"event": name, "kind": kind, "id": finding, "episode": episode}


class NotificationTest(unittest.TestCase):
    def test_an_event_is_heard_once(self):
        once = [event("1", "open", "a"), event("2", "update", "a"), event("3", "update", "a"), event("4", "close", "a")]
        self.assertEqual(kills_score.doubles(once), [])
        self.assertEqual(kills_score.doubles([*once, event("2", "update", "a")]), ["2"])

    def test_a_finding_that_begins_under_other_labels_is_told_anew(self):
        once = [event("1", "open", "a", "1"), event("2", "close", "a", "1"), event("3", "close", "a", "2")]
        self.assertEqual(kills_score.told_anew(once), [])
        self.assertEqual(kills_score.told_anew([*once, event("4", "open", "a", "2")]), ["a"])

    def test_begins_without_ends_and_ends_without_begins_are_counted(self):
        told = [event("1", "open", "a", "1"), event("2", "open", "b", "2"), event("3", "close", "b", "2"),
                event("4", "close", "c", "3")]
        self.assertEqual(kills_score.unpaired(told), (1, 1))

    def test_an_episode_may_begin_with_one_finding_and_end_with_another(self):
        self.assertEqual(kills_score.unpaired([event("1", "open", "a"), event("2", "close", "b")]), (0, 0))


class LogTest(unittest.TestCase):
    def test_only_kill_9_is_as_it_should_be(self):
        wrong, others = kills_score.said(
            "reveal: the judge was ended by signal 9; it is started again\n"
            "reveal: the judge was ended by signal 11; it is started again\n"
            "reveal: the recorder ended with status 1; it is started again\n"
            "reveal: answers at 127.0.0.1:4000\nreveal: answers at 127.0.0.1:4001\n"
            "reveal: finding 01M8CDRCF03WAS8D8T782GWT40: cpu, minor: It rose by 1 %\n"
            "reveal: finding goes on 01M8CDRCF03WAS8D8T782GWT40: cpu, major: It rose by 5 %\n")
        self.assertEqual([line.split(";")[0] for line in wrong], ["reveal: the judge was ended by signal 11",
                                                                  "reveal: the recorder ended with status 1"])
        self.assertEqual(others, {"reveal: answers at N.N:N": 2, "finding": 1, "finding goes on": 1})


class PieceTest(unittest.TestCase):
    def test_pieces_are_read_in_the_order_of_their_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            for number in (10, 2, 0):
                file = pathlib.Path(folder) / f"piece_{number}.json"
                file.write_text(json.dumps({"kills": [{"number": number, "role": JUDGE, "at_ns": 1, "roles": []}]}))
            kills = [kills_score.kill_of(one) for one in kills_score.read_kills(pathlib.Path(folder))]
        self.assertEqual([one.number for one in kills], [0, 2, 10])

    def test_quantiles_are_values_that_were_seen(self):
        self.assertEqual([kills_score.quantile(range(1, 21), share) for share in (0, 0.5, 0.95, 1)], [1, 10, 19, 20])

    def test_a_trend_compares_the_ends(self):
        self.assertEqual(kills_score.trend([1, 2, 3, 9, 9, 9, 5, 6, 7]), "; first third median 2.0, last 6.0")
        self.assertEqual(kills_score.trend([1, 2]), "")


if __name__ == "__main__":
    unittest.main()
