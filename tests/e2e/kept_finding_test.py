"""reveal explain of a finding that an agent kept: the same bytes after the recording has gone."""

import io
import json
import re
import shlex
import shutil
import tarfile
import unittest
import urllib.error
import urllib.request

from reveal_process import wait_until
from running_agent import AgentRun

USAGE = 2


class KeptFindingTest(AgentRun):
    def folder_of_finding(self):
        (file,) = self.state.glob("findings/*/*/*/*/finding.json")
        return file.parent

    def explained(self, *words):
        out = self.reveal("explain", *words)
        self.assert_status(out, 0)
        return out.stdout

    def opens_elsewhere(self, address, folder):
        with urllib.request.urlopen(address) as answer:
            archive = io.BytesIO(answer.read())
        with tarfile.open(fileobj=archive) as members:
            members.extractall(self.folder / "elsewhere")
        (there,) = (self.folder / "elsewhere").iterdir()
        self.assertEqual(there.name, folder.name)
        self.assertEqual({file.name: file.read_bytes() for file in there.iterdir()},
                         {file.name: file.read_bytes() for file in (folder / "evidence").iterdir()})
        self.assert_status(self.reveal("info", there), 0)

    def test_is_explained_alike_after_its_recording_has_gone(self):
        agent = self.start_agent()
        self.wait_recorded()
        wait_until(lambda: self.health().returncode == 0, "a verdict")
        self.host.burst.set()
        wait_until(self.findings, "a finding")
        self.host.burst.clear()
        wait_until(lambda: not self.findings()[0]["open"], "its end")
        folder = self.folder_of_finding()
        early = self.reveal("explain", folder)
        self.assertEqual(early.returncode, 3, early.stderr)
        self.assertIn("are not kept yet", early.stderr)
        address = f"http://127.0.0.1:{self.port()}/api/v1/findings/{folder.name}/recording"
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address)
        self.assertEqual(refused.exception.code, 404)
        wait_until((folder / "evidence").is_dir, "the evidence")
        self.opens_elsewhere(address, folder)
        self.end(agent)

        seen = self.reveal("report", "--since", "1h", "--directory", self.state, "--json")
        self.assert_status(seen, 0)
        seen = json.loads(seen.stdout)
        self.assertEqual((seen["findings"], seen["open"]), (1, []))
        self.assertGreater(seen["judged_seconds"], 10)
        self.assertGreater(seen["learning_seconds"] + seen["degraded_seconds"], 0)
        self.assertGreater(seen["agent_cpu_seconds"], 0)
        self.assertNotEqual(seen["missing_sources"], [])

        first = self.explained(folder)
        finding = json.loads((folder / "finding.json").read_text())
        self.assertIn(f"Finding {finding['id']} of ", first)
        self.assertIn(f"\n  {finding['claim']}.\n", first)
        self.assertIn(f"1  The samples of {finding['claim_channel']}\n", first)
        # What the judge had is what the frames that were kept give once more.
        (judged, again) = re.search(r"of this window: (.*)\n   of the samples above: (.*)\n", first).groups()
        self.assertEqual(judged, again)

        shutil.rmtree(self.state / "recording")
        self.assertEqual(self.explained(folder), first)
        self.assertEqual(self.explained(f"{folder}/"), first)
        self.assertEqual(self.explained(finding["id"], "--directory", self.state), first)
        # The commands that it names work without the recording, too.
        (line,) = re.findall(r"^   2  reveal (features .*)$", first, re.M)
        self.assert_status(self.reveal(*shlex.split(line)), 0)

        self.assert_complains(self.reveal("explain", folder, "1"), USAGE, "this is one finding", "FINDING")
        unknown = "0" * 26
        self.assert_complains(self.reveal("explain", unknown, "--directory", self.state), USAGE,
                              f"there is no finding {unknown}")
        (folder / "verdict.json").write_text("{}")
        self.assert_complains(self.reveal("explain", folder), 1, "is not the verdict on a finding")


if __name__ == "__main__":
    unittest.main()
