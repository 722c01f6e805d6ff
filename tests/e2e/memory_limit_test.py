"""Below a limit on addresses (ulimit -v) CMD runs all the same, recorded or not. Not under the sanitizers, which
reserve terabytes of them."""

import resource
import unittest

from reveal_process import RevealTest, shown


class MemoryLimit(RevealTest):
    def limited(self, megabytes):
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    def test_cmd_runs(self):
        # Threads take their stacks, of eight megabytes each, until no more is left: in a quarter of these
        # cases a thread begins and has no memory for anything else.
        for megabytes in range(24, 112, 2):
            word = ("run", "record")[megabytes // 2 % 2]
            out = self.reveal(word, "-q", "-o", f"m-{megabytes}", "--", "sh", "-c", "echo ran; exit 5",
                              preexec_fn=self.limited(megabytes))
            self.assertEqual((out.returncode, out.stdout), (5, "ran\n"), f"{megabytes} MB: {shown(out)}")

    def test_without_cmd_a_recording_is_made_or_an_error_said(self):
        out = self.reveal("record", "-q", "-o", "alone", "--duration", "100ms",
                          preexec_fn=self.limited(100))
        self.assertIn(out.returncode, (0, 1), shown(out))


if __name__ == "__main__":
    unittest.main()
