// The sections of a configuration: keys specific to self-play are declared here, the others next to
// the structs that they set.
#include <iterator>
#include <limits>
#include <utility>

#include "record/config.h"

namespace faultline {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

std::vector<Option> joined(std::vector<Option> first, std::vector<Option> second) {
  first.insert(first.end(), std::make_move_iterator(second.begin()),
               std::make_move_iterator(second.end()));
  return first;
}

std::vector<Option> options(RunConfig& c) {
  return {
      {"variant", &c.variant, Anything{},
       "The game: `family`, `family:option=value,...`, `data:NAME` or a game's file, as `faultline "
       "variants` lists them."},
      {"name", &c.name, Anything{},
       "Name of the run. Its folder is `runs/NAME` unless `--run` names another. Empty: the name "
       "of "
       "the configuration file."},
      {"seed", &c.seed, Range{0, kLargestWhole},
       "Seed of all random numbers: the network's initial weights, games, batches."},
      {"minutes", &c.minutes, Range{0, kNoLimit},
       "Stop after this many minutes, summed over all sessions of the run. 0: no limit."},
      {"cpu_minutes", &c.cpu_minutes, Range{0, kNoLimit},
       "Stop after this much CPU time, summed over all threads and sessions of the run: on a "
       "machine "
       "with other work, the measure of what a run has been given. 0: no limit."},
      {"games", &c.games, Range{0, kLargestWhole}, "Stop after this many games. 0: no limit."},
      {"steps", &c.steps, Range{0, kLargestWhole},
       "Stop after this many training steps. 0: no limit."},
      {"evaluations", &c.evaluations, Range{0, kLargestWhole},
       "Stop after this many positions evaluated by the network in self-play: the measure by which "
       "runs on different machines are alike. 0: no limit."},
      {"deterministic", &c.deterministic, Anything{},
       "Make the run reproducible, at some cost in speed: a single actor thread alternates with "
       "the "
       "learner, playing `selfplay.games_per_thread` games with one network per round. On one type "
       "of CPU the same seed then gives the same run, interrupted or not, unless `run.minutes`, "
       "`run.cpu_minutes` or `run.evaluations` ends it. Raising `run.games` later gives the run "
       "that had the higher limit from the start if the old limit was a multiple of "
       "`selfplay.games_per_thread` and `learner.decay_steps` is not 0. With `train --serve` "
       "actors in other processes share each round's games, which stay the same "
       "(docs/cluster.md)."},
      {"report_seconds", &c.report_seconds, Range{0.1, 3600},
       "Seconds between progress reports and between lines of `metrics.jsonl`."},
      {"tensorboard", &c.tensorboard, Anything{},
       "Also write the metrics as events for TensorBoard (`tensorboard --logdir runs`)."},
      {"strength_minutes", &c.strength_minutes, Range{0, kNoLimit},
       "Minutes from one measurement of strength to the next: the newest checkpoint plays "
       "`alphabeta` at depths 1 to 3 and earlier nets (docs/selfplay.md). Fewer are made where "
       "they "
       "would take more than 2 % of the actors' time, or of a GPU's. 0: none, as with "
       "`fast.network = \"alone\"`."},
  };
}

std::vector<Option> options(FastConfig& c) {
  return {
      {"network", EnumField(&c.network), Choices{{"no", "after", "self-taught", "alone"}},
       "Whether the run trains a fast network, which alpha-beta searches evaluate with "
       "(docs/fast-networks.md). `after`: when the run's limits are reached, one is distilled from "
       "its "
       "policy/value network, as `faultline distil` does. `self-taught`: then one learns as with "
       "`alone`, from material on, and gets into the same file. `alone`: in place of the "
       "policy/value network, on games that alpha-beta plays with it."},
      {"share", &c.share, Range{0.01, 100},
       "With `after` and `self-taught`: the CPU time for it as a share of that which the run has "
       "used."},
      {"start", EnumField(&c.start), Choices{{"nothing", "material"}},
       "With `alone`: how the first games are played, until the network has learned from "
       "`learner.min_positions`: `nothing`: with a score of 0 everywhere; `material`: by the "
       "hand-written evaluation of material and placement."},
      {"nodes", &c.nodes, Range{1, 1e9},
       "With `alone`: positions that alpha-beta searches for each move."},
      {"aside_nodes", &c.aside_nodes, Range{0, 1e9},
       "With `alone`: after each move one position off the game's line is learned from, too: one "
       "random move, "
       "then the best answers until nothing is to be captured, valued by a search of this many "
       "positions. 0: none."},
      {"teacher", &c.teacher, Anything{},
       "With `alone`: a policy/value network (a file, or a run, whose newest is taken) whose "
       "values "
       "of the positions are learned from, instead of those that alpha-beta finds: the network is "
       "distilled. `learner.root_value_share = 1` then leaves the games' results out."},
  };
}

std::vector<Option> options(SearchConfig& c) {
  return joined(
      {
          {"visits", &c.visits, Range{2, 1e6},
           "Visits that a full search makes; those of a reused subtree come on top, as a policy "
           "target would otherwise be that of a search without noise."},
          {"reduced_visits",
           &c.reduced_visits,
           Range{2, 1e6},
           "Visits of a reduced search, which adds no noise and whose move is not a policy target "
           "(playout cap randomization, Wu 2019, KataGo).",
           {"fast_visits"}},
          {"full_search_probability", &c.full_search_probability, Range{0.01, 1},
           "Probability that a move gets a full search; the others get a reduced one, and so do "
           "positions with one legal move."},
          {"tree_reuse", &c.tree_reuse, Anything{},
           "Keep the subtree of the move played for the next search."},
          {"leaves_per_tree", &c.leaves_per_tree, Range{1, 64},
           "Most leaves of one tree that may wait for evaluation at a time. More fill a batch from "
           "fewer games, but selection then has less information and the search is weaker at equal "
           "visits."},
          {"match_policy_temperature", &c.match_policy_temperature, Range{0, 10},
           "`policy_temperature` of the run's networks wherever they play but in self-play, which "
           "checkpoints and exports store. A player's own (`runs/a?policy_temperature=1`) takes "
           "its "
           "place. 0: the same as in self-play, and for the network at the end of the run what is "
           "measured to be best on a few hundred positions."},
          {"temperature", &c.temperature, Range{0, 10},
           "Moves are drawn with probability proportional to target^(1/temperature), where the "
           "target is the share of visits, or what `gumbel` teaches. 0: always the best. A move "
           "that mates is played at any temperature."},
          {"temperature_plies", &c.temperature_plies, Range{0, 10'000},
           "Plies from the first that is searched for which `temperature` applies."},
          {"final_temperature", &c.final_temperature, Range{0, 10},
           "Temperature of all later plies."},
          {"dirichlet_alpha", &c.params.dirichlet_alpha, Range{0, 10},
           "Concentration of the Dirichlet noise at the root. 0: 10 / number of legal moves."},
          {"dirichlet_weight", &c.params.dirichlet_weight, Range{0, 1},
           "Share of the noise in the root's priors in full searches. 0: no noise."},
      },
      options(c.params));
}

std::vector<Option> options(SelfPlayConfig& c) {
  return {
      {"threads", &c.threads, Range{0, 1024},
       "Actor threads. 0: one per core; on a GPU one fewer, which leaves a core to the thread that "
       "submits training steps."},
      {"games_per_thread", &c.games_per_thread, Range{1, 100'000},
       "Games that each actor thread plays concurrently. Times `search.leaves_per_tree` they "
       "should "
       "fill a batch (two batches on a GPU)."},
      {"batch", &c.batch, Range{0, 65'536},
       "Positions per inference batch. 0: chosen together with `device.backend`."},
      {"tree_memory", &c.tree_memory, Range{0, 1e9},
       "Memory for the search trees of all actor threads, in MiB, divided equally among their "
       "games. A search whose tree has no more room ends with the best move so far; a warning "
       "says so, and `metrics.jsonl` counts it. Trees take only what they need: some 0.1 kB per "
       "visit in chess. 0: half of the machine's memory."},
      {"max_plies", &c.max_plies, Range{0, 100'000},
       "Games of this length are cut; `learner.cut_as_draws` says what is learned from them. 0: as "
       "many as few games of the family reach, between 300 and 2,000."},
      {"random_plies", &c.random_plies, Range{0, 1000},
       "Each game opens with a random number of random moves, from 0 to this; they are not "
       "training "
       "targets."},
      {"one_level_games", &c.one_level_games, Range{0, 1e9},
       "Inferno: the first games of a run, this many of them (those of --games-from count), start "
       "with one level, and random plies in proportion. They end much sooner than others, and a "
       "network that shares its levels (`net.share_levels`) learns from them what pieces are worth "
       "on every level (docs/worth.md)."},
      {"rising_level_games", &c.rising_level_games, Range{0, 1e9},
       "Inferno with three levels or more: after the games of `one_level_games`, this many games "
       "whose number of levels rises evenly from two to one fewer than the variant has. They are "
       "longer than games with one level, but shorter than those with all (docs/worth.md)."},
      {"strategy", &c.strategy, Anything{},
       "A strategy (docs/strategies.md), by name or file, that one side of every game "
       "follows: White in games of even number, Black in the others. The other side plays plainly, "
       "and both are learned from. Empty: none."},
      {"resign_below", &c.resign_below, Range{-1, 0},
       "Resign when the root value stays below this (Silver et al. 2017). 0: never resign."},
      {"resign_plies", &c.resign_plies, Range{1, 100},
       "Consecutive own moves with a root value below `resign_below` before a side resigns."},
      {"resign_playthrough", &c.resign_playthrough, Range{0, 1},
       "Share of games played to the end without resigning; `metrics.jsonl` counts in them how "
       "many resignations would have been wrong."},
  };
}

std::vector<Option> options(ReplayConfig& c) {
  return {
      {"window", &c.window, Range{1, 1e10}, "Largest number of positions in the replay window."},
      {"min_window", &c.min_window, Range{1, 1e10},
       "Smallest size of the window once the run has that many positions."},
      {"window_share", &c.window_share, Range{0, 1},
       "Between the two, the window holds this share of the run's positions, the newest, so that "
       "the first, random games drop out."},
      {"chunk_games", &c.chunk_games, Range{1, 1e6}, "Games per file in `games/`."},
  };
}

std::vector<Option> options(LearnerConfig& c) {
  const std::vector<Option> batch = {
      {"batch", &c.batch, Range{2, 65'536}, "Positions per training step."},
      {"ranks", &c.ranks, Range{1, 64},
       "Processes that make each training step together, each with its share of the batch: one on "
       "each device of `device.device` in turn, or several on a CPU (docs/training.md)."}};
  return joined(
      joined(batch, options(c.train)),
      {
          {"final_learning_rate", &c.final_learning_rate, Range{0, 10},
           "Learning rate at the end of a cosine decay from `learning_rate`."},
          {"decay_steps", &c.decay_steps, Range{0, kLargestWhole},
           "Steps until `final_learning_rate` is reached. 0: the length of the run as its limits "
           "(`run.minutes`, `run.games` and the like) predict it; without limits there is no "
           "decay."},
          {"warmup_steps", &c.warmup_steps, Range{0, 1e9},
           "Steps over which the learning rate rises linearly from 0."},
          {"replay_ratio",
           &c.replay_ratio,
           Range{0.01, 1000},
           "Average number of times that each position is trained on. The learner and the actors "
           "wait for each other to keep it.",
           {"reuse"}},
          {"min_positions", &c.min_positions, Range{1, 1e10},
           "Positions required before the first step."},
          {"root_value_share", &c.root_value_share, Range{0, 1},
           "Share of the search's root value in the value target; the rest is the result of the "
           "game, or what `value_lambda` makes of it."},
          {"value_lambda", &c.value_lambda, Range{0, 1},
           "The value target of a ply is this times that of the next one plus the rest times its "
           "own root value (the lambda-return, Sutton and Barto 2018). 1: the result of the game."},
          {"cut_as_draws", &c.cut_as_draws, Anything{},
           "Learn from games that were cut at `selfplay.max_plies` as if they were drawn. "
           "Otherwise "
           "what their last searches expected is their result."},
          {"mirror", &c.mirror, Anything{},
           "Learn from half of the positions with left and right exchanged, where the game is then "
           "the same: in gardner always; without castling rights in chess, shifting, slanted and "
           "inferno, and in earthquake if the displacement can also be the opposite; never in "
           "escher."},
          {"publish_interval", &c.publish_interval, Range{1, 1e9},
           "Steps between updates of the actors' network."},
          {"checkpoint_interval", &c.checkpoint_interval, Range{1, 1e9},
           "Steps between checkpoints in `nets/`."},
          {"keep_checkpoints", &c.keep_checkpoints, Range{0, 1e9},
           "Number of newest checkpoints to keep. Older ones are deleted, except the untrained "
           "network and those that `keep_every` protects. 0: keep all."},
          {"keep_every", &c.keep_every, Range{0, kLargestWhole},
           "With `keep_checkpoints`, also keep checkpoints at multiples of this many steps. 0: "
           "none."},
      });
}

}  // namespace

std::vector<OptionSection> options(Config& c) {
  return {
      {"run", "What to train, and for how long.", options(c.run)},
      {"net", "The network's shape. It cannot change during a run.", options(c.net)},
      {"fast", "A fast network, and how games are played with it.", options(c.fast)},
      {"search", "The search behind each self-play move.", options(c.search)},
      {"selfplay", "How games are played.", options(c.selfplay)},
      {"replay", "Storage and sampling of finished games.", options(c.replay)},
      {"learner", "How the network is trained.", options(c.learner)},
      {"device", "Where the network runs.", options(c.device)},
  };
}

}  // namespace faultline
