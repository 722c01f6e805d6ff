"""The reference page says what the registries say, on every host."""

import unittest

from reveal_process import REPOSITORY, RevealTest, fixture

PAGE = REPOSITORY / "docs" / "reference" / "metrics.md"


class MetricsPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("metrics", "--format", "markdown")
        self.assert_status(out, 0)
        # No diff of hundreds of rows: what to do is always the same.
        self.assertTrue(out.stdout == PAGE.read_text(encoding="utf-8"),
                        f"{PAGE} is stale; run `make docs` and commit what it writes")

    def test_does_not_depend_on_the_host(self):
        here = self.reveal("metrics", "--format", "markdown").stdout
        there = self.reveal("metrics", "--format", "markdown",
                            *fixture("server-8cpu-linux-4.18")).stdout
        self.assertTrue(here == there)


if __name__ == "__main__":
    unittest.main()
