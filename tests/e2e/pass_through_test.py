"""CMD cannot tell that reveal is there: its streams, surroundings, signals and exit status."""

import ctypes
import hashlib
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from reveal_process import PATIENCE_S, RevealTest, fixture, shown, wait_until

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_RT_SIGACTION = {"x86_64": 13, "aarch64": 134, "riscv64": 134}[platform.machine()]
GLIBC_SIGNALS = (32, 33)  # which sigaction(3) refuses

RUNS = ["run", "-q", *fixture()]


class PassThrough(RevealTest):
    def with_and_without(self, *command, **options):
        """Runs CMD alone and below reveal in the same surroundings; returns both outcomes."""
        options = {"text": True, "capture_output": True, "timeout": PATIENCE_S,
                   "cwd": self.folder, "stdin": subprocess.DEVNULL, **options}
        alone = subprocess.run(command, **options)
        recording = tempfile.mkdtemp(dir=self.folder)
        return alone, self.reveal(*RUNS, "-o", recording, "--", *command, **options)

    def assert_same(self, alone, below):
        self.assertEqual(below.stdout, alone.stdout, shown(below))
        self.assertEqual(below.returncode, alone.returncode, shown(below))

    def test_a_binary_megabyte_comes_through_unchanged(self):
        payload = os.urandom(1 << 20)
        out = self.reveal(*RUNS, "-o", "r", "--", "cat", input=payload, text=False)
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertEqual(hashlib.sha256(out.stdout).digest(), hashlib.sha256(payload).digest())

    def test_the_report_is_not_on_the_stdout_of_cmd(self):
        out = self.reveal("run", "-o", "r", "--", "echo", "only this")
        self.assertEqual(out.stdout, "only this\n")
        self.assertIn("reveal: recorded", out.stderr)

    def test_stderr_of_cmd_comes_through(self):
        out = self.reveal(*RUNS, "-o", "r", "--", "sh", "-c", "echo words of CMD >&2")
        self.assertIn("words of CMD\n", out.stderr)

    def test_arguments_are_words_not_shell_text(self):
        words = ["two words", "$HOME", "--", "--help", "", "\xff*"]
        alone, below = self.with_and_without("printf", "[%s]", *words)
        self.assert_same(alone, below)
        self.assertIn("[$HOME][--][--help][]", below.stdout)

    def test_environment_and_folder(self):
        environment = {"PATH": os.environ["PATH"], "A": "b=c", "EMPTY": ""}
        self.assert_same(*self.with_and_without("env", env=environment))
        self.assert_same(*self.with_and_without("pwd"))

    def test_signal_mask_and_dispositions(self):
        def unusual():
            for number in (signal.SIGCHLD, signal.SIGUSR1, signal.SIGPIPE, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGALRM})

        def all_ignored():
            """As some container runtimes start what is in them: glibc's own signals too."""
            for number in GLIBC_SIGNALS:
                ignore = (ctypes.c_uint64 * 4)(signal.SIG_IGN)
                if LIBC.syscall(SYS_RT_SIGACTION, number, ignore, None, 8) != 0:
                    raise OSError(ctypes.get_errno(), f"rt_sigaction of signal {number}")

        for surroundings in (None, unusual, all_ignored):
            with self.subTest(surroundings=surroundings):
                alone, below = self.with_and_without(
                    "grep", "-E", "^(SigBlk|SigIgn|SigPnd|ShdPnd)", "/proc/self/status",
                    preexec_fn=surroundings, restore_signals=surroundings is None)
                self.assert_same(alone, below)
                self.assertEqual(len(below.stdout.splitlines()), 4, shown(below))

    def test_an_ignored_sigchld_does_not_lose_the_status(self):
        out = self.reveal(*RUNS, "-o", "r", "--", "sh", "-c", "exit 42",
                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assert_status(out, 42)

    def test_no_descriptor_leaks_and_none_is_lost(self):
        with open("/dev/zero", "rb") as extra:
            alone, below = self.with_and_without(
                "sh", "-c", "cd /proc/$$/fd && for fd in *; do echo $fd $(readlink $fd); done",
                pass_fds=[extra.fileno()])
        numbers = [line.split()[0] for line in alone.stdout.splitlines()]
        self.assertEqual([line.split()[0] for line in below.stdout.splitlines()], numbers)
        self.assertIn("/dev/zero", below.stdout)

    def test_closed_streams_stay_closed(self):
        def close_all():
            for fd in (0, 1, 2):
                os.close(fd)

        script = "ls /proc/$$/fd > fds"
        subprocess.run(["sh", "-c", script], preexec_fn=close_all, cwd=self.folder, check=False)
        alone = (self.folder / "fds").read_text()
        self.reveal(*RUNS, "-o", "r", "--", "sh", "-c", script, preexec_fn=close_all,
                    capture_output=False)
        self.assertEqual((self.folder / "fds").read_text(), alone)
        # A frame of reveal's must not have gone where its complaints went, nor the reverse.
        analyzed = self.reveal("analyze", "r")
        self.assertNotIn("unreadable", analyzed.stderr)

    def test_process_group_and_session(self):
        script = "import os; print(os.getpgid(0), os.getsid(0), os.umask(0), os.nice(0))"
        self.assert_same(*self.with_and_without(sys.executable, "-c", script))

    def test_limits(self):
        def few_files():
            resource.setrlimit(resource.RLIMIT_NOFILE, (12, 4096))

        for surroundings in (None, few_files):  # reveal itself needs more than twelve
            alone, below = self.with_and_without("cat", "/proc/self/limits",
                                                 preexec_fn=surroundings)
            self.assert_same(alone, below)
            self.assertIn("Max open files", below.stdout)

    def test_exit_statuses(self):
        for status in (0, 1, 42, 125, 255):
            with self.subTest(status=status):
                out = self.reveal(*RUNS, "-o", f"r{status}", "--", "sh", "-c", f"exit {status}")
                self.assert_status(out, status)

    def test_death_by_a_signal(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGPIPE,
                       signal.SIGXFSZ, signal.SIGUSR1):
            with self.subTest(number=number):
                script = f"ulimit -c 0; kill -{number} $$"
                out = self.reveal("record", "-q", *fixture(), "-o", f"r{number}", "--",
                                  "sh", "-c", script)
                self.assert_status(out, -number)

    def test_the_same_for_record(self):
        out = self.reveal("record", *fixture(), "-o", "r", "--", "sh", "-c", "echo out; exit 9")
        self.assert_status(out, 9)
        self.assertEqual(out.stdout, "out\n")

    def test_a_script_without_an_interpreter_line_runs_as_below_env(self):
        script = self.folder / "script"
        script.write_text("echo ran; exit 5\n")
        script.chmod(0o755)
        self.assert_same(*self.with_and_without("env", str(script)))
        out = self.reveal(*RUNS, "-o", "r2", "--", script)
        self.assertEqual((out.stdout, out.returncode), ("ran\n", 5), shown(out))


class NotStarted(RevealTest):
    def assert_never_ran(self, status, *words, command=("touch", "ran"), **options):
        out = self.reveal(*words, "--", *command, **options)
        self.assert_complains(out, status)
        self.assertFalse((self.folder / "ran").exists(), shown(out))
        return out

    def test_a_command_that_is_not_there(self):
        for command in (["no-such-program"], ["./no-such-program"], ["/no/such/program"]):
            self.assert_never_ran(127, *RUNS, "-o", "r", command=command)
        self.assertFalse((self.folder / "r").exists(), "a folder was made for nothing")

    def test_a_command_that_cannot_be_executed(self):
        (self.folder / "plain").write_text("true\n")
        (self.folder / "folder").mkdir()
        for command in (["./plain"], ["./folder"], ["/"]):
            self.assert_never_ran(126, *RUNS, "-o", "r", command=command)

    def test_an_interpreter_that_is_not_there(self):
        script = self.folder / "script"
        script.write_text("#!/no/such/interpreter\n")
        script.chmod(0o755)
        self.assert_never_ran(127, *RUNS, "-o", "r", command=["./script"])

        self.assertFalse((self.folder / "r").exists(), "a folder was made for nothing")

    def test_options_that_make_no_sense(self):
        for words in (["--no-such-flag"], ["--interval", "3x"], ["--duration", "1"]):
            self.assert_never_ran(125, *RUNS, "-o", "r", *words)
            self.assert_never_ran(125, "record", *fixture(), "-o", "r", *words)

    def test_windows_that_do_not_fit(self):
        self.assert_never_ran(125, *RUNS, "-o", "r", "--window", "250ms")


class TheJobComesFirst(RevealTest):
    """Whatever Reveal cannot do, CMD runs as if Reveal were not there."""

    SCRIPT = "grep -E '^Sig(Blk|Ign|Cgt)|^NoNewPrivs' /proc/self/status; ulimit -n; exit 5"

    def assert_ran_alone(self, *words, why="", **options):
        command = ["sh", "-c", self.SCRIPT]
        alone = subprocess.run(command, capture_output=True, text=True, cwd=self.folder,
                               stdin=subprocess.DEVNULL, check=False, **options)
        out = self.reveal(*words, "--", *command, **options)
        self.assert_complains(out, 5, why, "sh runs all the same, and nothing is recorded")
        self.assertEqual(out.stdout, alone.stdout, shown(out))

    def test_a_folder_that_cannot_be_made(self):
        for word in ("run", "record"):
            self.assert_ran_alone(word, *fixture(), "-o", "/proc/reveal", why="/proc/reveal")

    def test_a_folder_that_is_not_empty(self):
        (self.folder / "r").mkdir()
        (self.folder / "r" / "mine").write_text("keep")
        self.assert_ran_alone(*RUNS, "-o", "r", why="choose an empty directory")
        self.assertEqual((self.folder / "r" / "mine").read_text(), "keep")

    def test_a_recording_that_is_there_already(self):
        self.assert_status(self.reveal(*RUNS, "-o", "r", "--", "sh", "-c", "exit 4"), 4)
        self.assert_ran_alone(*RUNS, "-o", "r", why="already holds a recording")

    def test_a_configuration_that_is_broken(self):
        (self.folder / "c.toml").write_text("[collect\n")
        self.assert_ran_alone(*RUNS, "-o", "r", "--config", "c.toml", why="c.toml, line 1")
        self.assert_ran_alone(*RUNS, "-o", "r", "--config", "absent.toml", why="absent.toml")
        self.assertFalse((self.folder / "r").exists())

    def test_a_plan_that_is_not_there(self):
        self.assert_ran_alone("record", *fixture(), "-o", "r", "--select", "none.json",
                              why="none.json")

    def test_a_host_without_files(self):
        self.assert_ran_alone("run", "-o", "r", "--proc-root", "/nowhere", "--sys-root", "/nowhere",
                              why="nothing to record")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become a user without processes")
    def test_threads_and_processes_that_are_limited(self):
        user = 60_000 + os.getpid() % 5_000
        for most in range(0, 24, 3):
            def limit(most=most):
                resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            self.folder.chmod(0o777)
            out = self.reveal("run", "-q", "-o", f"p{most}", "--", sys.executable, "-c",
                              "print('ran'); raise SystemExit(5)", preexec_fn=limit)
            self.assertEqual((out.returncode, out.stdout), (5, "ran\n"), shown(out))

    def test_tasks_that_start_at_once_lose_no_rank(self):
        ranks = [self.start("run", "-q", *fixture(), "--", "sh", "-c", f"exit {rank}",
                            env={**os.environ, "SLURM_JOB_ID": "77", "SLURM_PROCID": str(rank)})
                 for rank in range(8)]
        for rank, process in enumerate(ranks):
            self.assert_status(self.finish(process), rank)
        names = sorted(path.name for path in self.folder.glob("reveal-*"))
        self.assertEqual(len(names), 8, names)
        for rank, name in enumerate(sorted(names, key=lambda name: name.rsplit("-", 1)[1])):
            self.assertRegex(name, rf"^reveal-[\w.-]+-\d{{8}}-\d{{6}}-\d+-job77-rank{rank}$")

    def test_a_folder_that_goes_while_it_is_recorded_into_is_said(self):
        process = self.start("record", "-q", *fixture(), "-o", "gone", "--interval", "10ms",
                             "--duration", "1s")
        wait_until(lambda: (self.folder / "gone/000001.rvj").exists(), "the recording")
        shutil.rmtree(self.folder / "gone")
        out = self.finish(process)
        self.assert_status(out, 1)
        self.assertIn("was removed during the recording", out.stderr)


if __name__ == "__main__":
    unittest.main()
