"""scripts/worth: its designs and statistics, its errors, and a small experiment from end to end.

  worth_test.py scripts/worth build/release/bin/faultline
"""
import importlib.machinery
import importlib.util
import itertools
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPT, PROGRAM = sys.argv[1], sys.argv[2]
loader = importlib.machinery.SourceFileLoader("worth", SCRIPT)
worth = importlib.util.module_from_spec(importlib.util.spec_from_loader("worth", loader))
sys.dont_write_bytecode = True
loader.exec_module(worth)

SETTINGS = """
set = ["net.blocks=1", "net.channels=8", "net.value_hidden=8", "net.policy_dim=4",
       "search.visits=12", "search.reduced_visits=4", "selfplay.games_per_thread=4",
       "selfplay.max_plies=30", "learner.min_positions=20", "learner.batch=16",
       "device.backend=cpu", "device.precision=fp32", "learner.precision=fp32"]
visits = 8
games = 4
opponents = ["random"]
opponent_games = 2
"""


class Design(unittest.TestCase):
    def test_factors_are_balanced_and_clear_of_pairs(self):
        for runs, count in ((8, 4), (16, 8), (32, 16)):
            names = [f"f{i}" for i in range(count)]
            on = worth.design(names, runs)
            signs = {n: [1 if n in row else -1 for row in on] for n in names}
            self.assertEqual(len(on), runs)
            for a in names:
                self.assertEqual(sum(signs[a]), 0)
            for a, b in itertools.combinations(names, 2):
                self.assertEqual(sum(x * y for x, y in zip(signs[a], signs[b])), 0)
                for c in names:
                    if c not in (a, b):
                        self.assertEqual(sum(x * y * z for x, y, z in zip(signs[a], signs[b], signs[c])), 0)


class Statistics(unittest.TestCase):
    def test_quantiles_of_t(self):
        for freedom, expected in ((1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)):
            self.assertAlmostEqual(worth.t_quantile(freedom), expected, delta=0.03)

    def test_elo(self):
        self.assertEqual(worth.elo(0.5, 100), 0)
        self.assertAlmostEqual(worth.elo(0.75, 10_000), 190.8, delta=0.5)
        self.assertTrue(400 < worth.elo(1, 20) < 1000)

    def test_intervals_cover(self):
        rng, covered = random.Random(1), 0
        for _ in range(1000):
            mean, width = worth.interval([rng.gauss(3, 20) for _ in range(4)])
            covered += abs(mean - 3) <= width
        self.assertTrue(925 <= covered <= 975, covered)


class Experiments(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.config = self.path / "config.toml"
        self.config.write_text('[run]\nvariant = "gardner"\n')

    def tearDown(self):
        self.folder.cleanup()

    def command(self, text, *options):
        file = self.path / "experiment.toml"
        file.write_text(f'config = "{self.config}"\n' + text)
        return [sys.executable, SCRIPT, str(file), "--program", PROGRAM, "--out", str(self.path / "out"), *options]

    def run_worth(self, text, *options):
        return subprocess.run(self.command(text, *options), capture_output=True, text=True, check=False)

    def test_what_is_wrong_is_named(self):
        for text, reason in (
                ("evaluations = 100\n[arms]\na = [\"x=1\"]\nvists = 3\n", "arms.vists must be a list"),
                ("evaluations = 100\nvists = 3\n[arms]\n", "unknown key 'vists'"),
                ("[arms]\na = []\n", "'evaluations' is missing"),
                ("evaluations = -1\n[arms]\n", "evaluations = -1"),
                ("evaluations = 100\ngames = 3\n[arms]\n", "odd"),
                ("evaluations = 100\n", "either [arms] or [factors]"),
                ("evaluations = 100\nruns = 12\nreference = \"x\"\n[factors]\na = []\n", "power of two"),
                ("evaluations = 100\nruns = 2\nreference = \"x\"\n[factors]\na = []\nb = []\n", "at least 4 runs"),
                ("evaluations = 100\n[factors]\na = []\n", "needs a reference"),
                ("evaluations = 100\nreference = \"x\"\nruns = 1\n[factors]\n", "[factors] is empty"),
                ("evaluations = 100\narms = 3\n", "must be a table"),
                ("evaluations = 100\nopponents = \"random\"\n[arms]\n", "opponents must be a list"),
                ("evaluations = 100\nopponents = [3]\n[arms]\n", "opponents must be a list"),
                ("evaluations = 100\nset = \"net.blocks=1\"\n[arms]\n", "set must be a list"),
                ("evaluations = 100\n[arms]\n\"a/b\" = []\n", "letters, digits"),
                ("evaluations = \n", "experiment.toml")):
            result = self.run_worth(text)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(reason, result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def test_those_of_the_docs_can_be_read(self):
        root = pathlib.Path(SCRIPT).resolve().parent.parent
        files = sorted((root / "bench/experiments").glob("*.toml"))
        self.assertGreater(len(files), 10)
        for file in files:
            experiment = worth.read_experiment(file)
            self.assertTrue((root / experiment["config"]).is_file(), file)

    def test_a_setting_that_training_refuses_is_reported(self):
        result = self.run_worth("evaluations = 500\nseeds = 1\n" + SETTINGS +
                                "[arms]\nwrong = [\"search.vists=3\"]\n")
        self.assertEqual(result.returncode, 2)
        self.assertIn("search.vists", result.stderr)
        self.assertIn("wrong-1.log", result.stderr)

    def test_arms_are_trained_and_compared(self):
        text = ("evaluations = 1500\nseeds = 2\n" + SETTINGS +
                "[arms]\ngumbel = [\"search.gumbel=true\"]\n")
        result = self.run_worth(text)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line for line in result.stdout.splitlines() if line.startswith("| gumbel ")]
        self.assertEqual(len(rows), 1, result.stdout)
        self.assertIn("| 2 |", rows[0])
        self.assertIn("±", rows[0])
        out = self.path / "out"
        self.assertEqual(len(list((out / "matches").glob("*.json"))), 6)
        for run in ("base-1", "base-2", "gumbel-1", "gumbel-2"):
            state = json.loads((out / "runs" / run / "state.json").read_text())
            self.assertGreaterEqual(state["evaluations"], 1500)
        again = self.run_worth(text)
        self.assertEqual(again.stdout, result.stdout, "nothing is left to do")
        changed = self.run_worth(text + "other = []\n")
        self.assertEqual(changed.returncode, 2)
        self.assertIn("has changed", changed.stderr)

    def test_an_interrupted_experiment_continues(self):
        text = "evaluations = 6000\nseeds = 2\n" + SETTINGS + "[arms]\na = []\n"
        process = subprocess.Popen(self.command(text, "--jobs", "1"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        while not (self.path / "out" / "runs" / "base-1" / "state.json").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("Stopped", errors)
        result = self.run_worth(text)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| a | 2 |", result.stdout)

    def test_factors_are_screened(self):
        result = self.run_worth("evaluations = 500\nruns = 4\n" + SETTINGS +
                                "[factors]\ngumbel = [\"search.gumbel=true\"]\nmirror = [\"learner.mirror=true\"]\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("4 of 4 trainings have played", result.stdout)
        self.assertEqual(sum(line.startswith(("| gumbel ", "| mirror ")) for line in result.stdout.splitlines()), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
