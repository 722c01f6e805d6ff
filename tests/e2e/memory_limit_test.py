"""Below a limit on addresses (ulimit -v) CMD runs all the same, recorded or not. Not under the sanitizers, which
reserve terabytes of them."""

import resource
import unittest

from reveal_process import RevealTest, shown


class MemoryLimit(RevealTest):
    def limited(self, megabytes):
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    def check_that_cmd_runs(self, megabytes, recorded):
        for word in ("run", "record"):
            out = self.reveal(word, "-q", "-o", f"{word}-{megabytes}", "--", "sh", "-c", "echo ran; exit 5",
                              preexec_fn=self.limited(megabytes))
            self.assertEqual((out.returncode, out.stdout), (5, "ran\n"), f"{megabytes} MB: {shown(out)}")
            self.assertEqual("nothing is recorded" not in out.stderr, recorded, f"{megabytes} MB: {shown(out)}")

    def least_start(self):
        """MB with which the program itself starts and reads its command line, and one more."""
        for megabytes in range(16, 100):
            if self.reveal("version", preexec_fn=self.limited(megabytes)).returncode == 0:
                return megabytes + 1
        self.fail("the program does not start below 100 MB of addresses")

    def test_cmd_runs_below_too_low_a_limit(self):
        for megabytes in [*range(self.least_start(), 112, 2), 400]:
            self.check_that_cmd_runs(megabytes, recorded=False)

    def test_cmd_is_recorded_below_one_that_leaves_enough(self):
        # Without care the C library would take 64 MB for each thread until no more is left.
        for megabytes in range(650, 1450, 40):
            self.check_that_cmd_runs(megabytes, recorded=True)

    def test_a_limit_on_addresses_is_named(self):
        out = self.reveal("record", "-q", "-o", "named", "--duration", "100ms", preexec_fn=self.limited(300))
        self.assertEqual(out.returncode, 1, shown(out))
        self.assertIn("raise ulimit -v", out.stderr)

    def test_without_cmd_a_recording_is_made_or_an_error_said(self):
        out = self.reveal("record", "-q", "-o", "alone", "--duration", "100ms",
                          preexec_fn=self.limited(100))
        self.assertIn(out.returncode, (0, 1), shown(out))


if __name__ == "__main__":
    unittest.main()
