"""The statements of docs/how_to/fleet.md, each asked of a database that an analyser filled."""

import json
import re

from reveal_process import REPOSITORY


def documented():
    text = (REPOSITORY / "docs" / "how_to" / "fleet.md").read_text(encoding="utf-8")
    return re.findall(r"```sql\n(.*?)```", text, flags=re.S)


def ask(test, database, statement, **options):
    out = test.reveal("sql", "--fleet", database, statement, "--format", "json", **options)
    test.assert_status(out, 0)
    return json.loads(out.stdout)


def check_documented(test, database):
    """`database` has a group of nine hosts, of which n07 was slow once; none had a finding of its own."""
    jobs, incidents, causes, facts, findings, standings = (ask(test, database, statement) for statement in documented())
    test.assertEqual(jobs, [])
    test.assertEqual([one["state"] for one in incidents], ["closed"])
    test.assertIn("host n07 was slow", incidents[0]["sentence"])
    test.assertIsInstance(incidents[0]["seconds"], int)
    test.assertEqual(causes, [{"name": "n07", "incidents": 1, "waited": 0}])
    kernels = [one for one in facts if one["subject"] == "kernel"]
    test.assertEqual(sum(one["hosts"] for one in kernels), 9)
    test.assertEqual(findings, [])
    test.assertEqual(standings, [one for one in standings if one["standing"] != "compared"])
    tables = test.reveal("sql", "--fleet", database)
    test.assert_status(tables, 0)
    test.assertEqual(re.findall(r"^(\w+): A row", tables.stdout, re.M),
                     ["hosts", "facts", "findings", "incidents", "incident_hosts", "leases",
                      "late_seconds", "late_dictionaries", "gaps", "jobs"])
    test.assertIn("  onset_ns\n", tables.stdout)
    refused = test.reveal("sql", "--fleet", database, "DELETE FROM incidents")
    test.assertNotEqual(refused.returncode, 0)
    test.assertEqual(len(ask(test, database, "SELECT id FROM incidents")), 1)
