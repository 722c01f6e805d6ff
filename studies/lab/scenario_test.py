"""What is known of scenarios before anything runs."""

import unittest

from campaigns import CAMPAIGNS
from scenario import Event, Scenario, shifted

MADE = Scenario("made", 100, (Event("swap", 64, 30, 6), Event("packet_loss", 200, 60, 6, host=1)))


class ShiftedTest(unittest.TestCase):
    def test_a_seed_moves_every_event_by_up_to_three_seconds_and_nothing_else(self):
        for seed in range(20):
            for event, moved in zip(MADE.events, shifted(MADE, seed).events, strict=True):
                self.assertTrue(0 <= moved.at_s - event.at_s <= 3)
                self.assertEqual((moved.fault, moved.strength, moved.for_s, moved.host),
                                 (event.fault, event.strength, event.for_s, event.host))

    def test_seeds_differ_and_repeat(self):
        times = {tuple(event.at_s for event in shifted(MADE, seed).events) for seed in range(20)}
        self.assertEqual(len(times), 20)
        self.assertEqual(shifted(MADE, 3), shifted(MADE, 3))


class ElasticTest(unittest.TestCase):
    def test_what_changes_by_itself_is_elastic(self):
        elastic = {one.name for scenarios in CAMPAIGNS.values() for one in scenarios if one.elastic}
        self.assertEqual(elastic, {"pause", "batch", "starts", "late", "stops"})


if __name__ == "__main__":
    unittest.main()
