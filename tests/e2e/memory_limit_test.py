"""Below a limit on addresses (ulimit -v) CMD runs all the same, recorded or not. Not under the sanitizers, which
reserve terabytes of them."""

import resource
import unittest

from reveal_process import RevealTest, shown


class MemoryLimit(RevealTest):
    def limited(self):
        resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))

    def test_cmd_runs(self):
        for word in ("run", "record"):
            out = self.reveal(word, "-q", "-o", f"m-{word}", "--", "sh", "-c", "echo ran; exit 5",
                              preexec_fn=self.limited)
            self.assertEqual((out.returncode, out.stdout), (5, "ran\n"), shown(out))

    def test_without_cmd_a_recording_is_made_or_an_error_said(self):
        out = self.reveal("record", "-q", "-o", "alone", "--duration", "100ms",
                          preexec_fn=self.limited)
        self.assertIn(out.returncode, (0, 1), shown(out))


if __name__ == "__main__":
    unittest.main()
