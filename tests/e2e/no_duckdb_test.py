"""Without DuckDB, what needs it says so with the one command that installs it; nothing else does."""

import os
import re
import shutil
import unittest

from reveal_process import REPOSITORY, REVEAL, RevealTest, fixture, shown


class NoDuckdb(RevealTest):
    def setUp(self):
        super().setUp()
        self.without = {**os.environ, "REVEAL_DUCKDB_LIB": "/nonexistent/libduckdb.so"}
        self.assert_status(self.reveal("record", "-q", "-o", "r", "--duration", "300ms",
                                       *fixture()), 0)

    def assert_says_how(self, outcome):
        self.assert_complains(outcome, 1, "DuckDB",
                              "(npm install --prefix ~/.local/lib/reveal @duckdb/node-bindings-")

    def test_sql_and_parquet_say_what_installs_it(self):
        for words in (["sql", "r", "SELECT 1"], ["export", "r", "-o", "x.parquet"]):
            out = self.reveal(*words, env=self.without)
            self.assert_says_how(out)
            self.assertIn("/nonexistent/libduckdb.so", out.stderr)
        (self.folder / "x.parquet").write_bytes(b"PAR1")
        self.assert_says_how(self.reveal("import", "x.parquet", "-o", "i", env=self.without))

    def test_nothing_else_needs_it(self):
        for words in (["sql", "r"], ["export", "r", "-o", "x.csv"], ["metrics", *fixture()]):
            self.assert_status(self.reveal(*words, env=self.without), 0)

    def test_doctor_says_what_is_missing_without_it(self):
        there, missing = (self.reveal("doctor", *fixture(), env=env).stdout for env in (None, self.without))
        self.assertIn("\nDuckDB is not here, for reveal sql and Parquet:\n  why: ", missing)
        self.assertIn("/nonexistent/libduckdb.so", missing)
        self.assertNotIn("DuckDB", there)

    def test_where_nothing_was_ever_installed(self):
        # A program on its own, and a user without a home of libraries.
        alone = self.folder / "bin" / "reveal"
        alone.parent.mkdir()
        shutil.copy(REVEAL, alone)
        out = self.finish(self.start("sql", "r", "SELECT 1", executable=str(alone),
                                     env={"HOME": str(self.folder)}))
        if out.returncode == 0:
            self.skipTest("this system has a libduckdb.so of its own")
        self.assert_says_how(out)
        self.assertIn("is not installed", out.stderr, shown(out))

    def test_the_script_installs_what_the_message_names(self):
        out = self.reveal("sql", "r", "SELECT 1", env=self.without)
        (package,) = re.findall(r"(@duckdb/\S+@[\w.-]+)", out.stderr)
        script = (REPOSITORY / "tools" / "install_duckdb.sh").read_text(encoding="utf-8")
        self.assertIn(f'"{package}"', script)


if __name__ == "__main__":
    unittest.main()
