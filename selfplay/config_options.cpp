// The declaration of every configuration key: name, field, allowed values, help.
#include <limits>

#include "selfplay/config.h"

namespace faultline {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kLong = 9e15;  // whole numbers that a double holds exactly

std::vector<Option> run_options(RunConfig& c) {
  return {
      {"variant", &c.variant, Anything{},
       "The game: `family` or `family:option=value,...`, as `faultline variants` lists them."},
      {"name", &c.name, Anything{},
       "Name of the run; its folder is `runs/NAME` unless `--run` says otherwise. Empty: the "
       "config file's name."},
      {"seed", &c.seed, Range{0, kLong},
       "Where all randomness starts: the network's first weights, every game, every sample."},
      {"minutes", &c.minutes, Range{0, kNoLimit},
       "Stop after this many minutes, counted over all sessions of the run. 0: no limit."},
      {"games", &c.games, Range{0, kLong}, "Stop after this many games. 0: no limit."},
      {"steps", &c.steps, Range{0, kLong}, "Stop after this many optimiser steps. 0: no limit."},
      {"deterministic", &c.deterministic, Anything{},
       "One actor thread that takes turns with the learner: play `selfplay.games_per_thread` games "
       "with one network, learn, save. The same seed then gives the same run, interrupted or not "
       "(on one CPU type; a limit in minutes stops where the clock says). A run whose `games` were "
       "raised equals one that had as many from the start if the old limit was a multiple of "
       "`selfplay.games_per_thread` and `learner.decay_steps` is not 0. Slower."},
      {"report_seconds", &c.report_seconds, Range{0.1, 3600},
       "Seconds between two lines of `metrics.jsonl` and of the progress report."},
  };
}

std::vector<Option> net_options(NetConfig& c) {
  return {
      {"blocks", &c.blocks, Range{1, 80}, "Residual blocks, two 3x3 convolutions each."},
      {"channels", &c.channels, Range{4, 1024}, "Width of the tower."},
      {"se_ratio", &c.se_ratio, Range{0, 64},
       "Squeeze-and-excitation in every block with `channels / se_ratio` squeezed values (Hu et "
       "al. 2018). 0: none."},
      {"policy_dim", &c.policy_dim, Range{4, 512},
       "Length of a square's query and key vectors in the policy head."},
      {"value_channels", &c.value_channels, Range{1, 256}, "Planes that the value head sees."},
      {"value_hidden", &c.value_hidden, Range{4, 1024}, "Width of the value head's hidden layer."},
  };
}

std::vector<Option> search_options(SearchConfig& c) {
  SearchParams& p = c.params;
  return {
      {"visits", &c.visits, Range{2, 1e6},
       "Visits of a full search, the subtree kept from the last move included."},
      {"reduced_visits", &c.reduced_visits, Range{2, 1e6},
       "Visits of a fast search: without noise, and its move is no training target "
       "(playout cap randomization, Wu 2019, KataGo)."},
      {"full_search_probability", &c.full_search_probability, Range{0.01, 1},
       "Share of moves that get a full search. 1: all, `reduced_visits` is then unused."},
      {"tree_reuse", &c.tree_reuse, Anything{},
       "Keep the subtree below the move that was played. Off: every search starts anew."},
      {"leaves_per_tree", &c.leaves_per_tree, Range{1, 64},
       "Leaves that one tree may have waiting at a time. More than 1 fills a batch from fewer "
       "games, at the price of a blunter search."},
      {"temperature", &c.temperature, Range{0, 10},
       "A move is picked with probability ~ visits^(1/temperature). 0: the best."},
      {"temperature_plies", &c.temperature_plies, Range{0, 10'000},
       "Plies (from the start) that `temperature` applies to."},
      {"final_temperature", &c.final_temperature, Range{0, 10}, "The temperature after them."},
      {"cpuct", &p.cpuct, Range{0, 20},
       "PUCT's exploration constant at a node's first visits (Silver et al. 2018)."},
      {"cpuct_base", &p.cpuct_base, Range{1, 1e9},
       "Visits at which exploration has grown by log 2 (AlphaZero's pseudocode)."},
      {"fpu_reduction", &p.fpu_reduction, Range{0, 2},
       "An unvisited move is valued at its parent's value minus this times the square root of the "
       "visited moves' share of the priors."},
      {"fpu_root", &p.fpu_root, Range{0, 2}, "The same at the root."},
      {"draw_score", &p.draw_score, Range{-1, 1},
       "What a draw is worth to the side to move at the root."},
      {"two_fold_draws", &p.two_fold_draws, Anything{},
       "Inside the tree a first repetition already counts as a draw."},
      {"virtual_loss", &p.virtual_loss, Range{1, 100},
       "Visits counted as lost while a leaf waits for its evaluation."},
      {"dirichlet_alpha", &p.dirichlet_alpha, Range{0, 10},
       "Shape of the root noise. 0: 10 / number of legal moves."},
      {"dirichlet_weight", &p.dirichlet_weight, Range{0, 1},
       "Share of the noise in the root's priors, in full searches. 0: none."},
      {"policy_temperature", &p.policy_temperature, Range{0.1, 10},
       "Softens the network's priors: prior^(1/this), normalised."},
  };
}

std::vector<Option> selfplay_options(SelfPlayConfig& c) {
  return {
      {"threads", &c.threads, Range{0, 1024}, "Actor threads. 0: one a core."},
      {"games_per_thread", &c.games_per_thread, Range{1, 100'000},
       "Games that one actor thread plays at the same time. With `search.leaves_per_tree` this "
       "must fill a batch (two batches on a GPU)."},
      {"batch", &c.batch, Range{1, 65'536}, "Positions that are evaluated together."},
      {"max_plies", &c.max_plies, Range{2, 100'000},
       "A game that lasts this long is cut and counts as a draw."},
      {"random_plies", &c.random_plies, Range{0, 1000},
       "Every game opens with 0 to this many random plies, which are no training targets."},
      {"resign_below", &c.resign_below, Range{-1, 0},
       "Resign when the root's value stays below this. 0: nobody resigns."},
      {"resign_plies", &c.resign_plies, Range{1, 100},
       "Own moves in a row whose value must lie below `resign_below`."},
      {"resign_playthrough", &c.resign_playthrough, Range{0, 1},
       "Share of games in which nobody may resign; `metrics.jsonl` counts from them how many "
       "resignations would have been wrong."},
  };
}

std::vector<Option> replay_options(ReplayConfig& c) {
  return {
      {"window", &c.window, Range{1, 1e10}, "The most positions that the learner samples from."},
      {"min_window", &c.min_window, Range{1, 1e10},
       "The window is never smaller than this (as soon as there are so many positions)."},
      {"window_share", &c.window_share, Range{0, 1},
       "In between, the window is this share of all positions of the run, so that the first, "
       "random games are forgotten."},
      {"chunk_games", &c.chunk_games, Range{1, 1e6}, "Games in one file of `games/`."},
  };
}

std::vector<Option> learner_options(LearnerConfig& c) {
  return {
      {"batch", &c.batch, Range{2, 65'536}, "Positions a step."},
      {"optimizer", &c.optimizer, Choices{{"sgd", "adamw"}},
       "`sgd` (with Nesterov momentum) or `adamw` (Loshchilov and Hutter 2019)."},
      {"learning_rate", &c.learning_rate, Range{1e-8, 10}, "Learning rate after the warm-up."},
      {"final_learning_rate", &c.final_learning_rate, Range{0, 10},
       "Learning rate at the end; a cosine leads there."},
      {"decay_steps", &c.decay_steps, Range{0, kLong},
       "Steps after which the final rate is reached. 0: at the end of the run, as far as its "
       "limits (`run.minutes`, `run.games`, `run.steps`) tell; without limits the rate stays."},
      {"warmup_steps", &c.warmup_steps, Range{0, 1e9},
       "Steps over which the rate grows linearly from zero."},
      {"weight_decay", &c.weight_decay, Range{0, 1},
       "Decoupled for `adamw`. Biases and batch norms have none."},
      {"momentum", &c.momentum, Range{0, 0.9999}, "`sgd`'s momentum, `adamw`'s beta1."},
      {"gradient_clip", &c.gradient_clip, Range{0, 1e9},
       "Largest norm of the whole gradient. 0: no limit."},
      {"replay_ratio", &c.replay_ratio, Range{0.01, 1000},
       "How often each position is trained on, on average. The learner waits for the actors, and "
       "they for it, to keep to it."},
      {"min_positions", &c.min_positions, Range{1, 1e10},
       "Positions that must be there before the first step."},
      {"root_value_share", &c.root_value_share, Range{0, 1},
       "Share of the search's root value in the value target; the game's result has the rest."},
      {"policy_weight", &c.policy_weight, Range{0, 100}, "Weight of the policy loss."},
      {"value_weight", &c.value_weight, Range{0, 100}, "Weight of the win/draw/loss loss."},
      {"moves_left_weight", &c.moves_left_weight, Range{0, 100}, "Weight of the moves-left loss."},
      {"ema", &c.ema, Range{0, 0.99999},
       "Decay of the running mean of the weights, which self-play and matches use. 0: none."},
      {"publish_interval", &c.publish_interval, Range{1, 1e9},
       "Steps after which the actors get the new weights."},
      {"checkpoint_interval", &c.checkpoint_interval, Range{1, 1e9},
       "Steps after which a checkpoint is written to `nets/`."},
      {"keep_checkpoints", &c.keep_checkpoints, Range{0, 1e9},
       "How many of the newest checkpoints stay in `nets/`; older ones are deleted, but for the "
       "untrained network and those that `keep_every` spares. 0: all stay."},
      {"keep_every", &c.keep_every, Range{0, kLong},
       "With `keep_checkpoints`: checkpoints at multiples of this many steps stay for good. "
       "0: none."},
      {"threads", &c.threads, Range{0, 1024},
       "Threads of a step on the CPU. 0: 1 (the actors have the other cores)."},
  };
}

std::vector<Option> device_options(DeviceConfig& c) {
  return {
      {"device", &c.device, Anything{},
       "`cpu`, `cuda`, `cuda:1` ... or `auto` (CUDA if there is any)."},
      {"precision", &c.precision, Choices{{"fp32", "bf16"}},
       "Of the actors' inference (bf16 is for GPUs). Training is in fp32."},
  };
}

}  // namespace

std::vector<OptionSection> options(Config& c) {
  return {
      {"run", "What is trained, and for how long.", run_options(c.run)},
      {"net", "The network. It cannot change once a run has begun.", net_options(c.net)},
      {"search", "How a move is searched for in self-play.", search_options(c.search)},
      {"selfplay", "How games are played.", selfplay_options(c.selfplay)},
      {"replay", "What becomes of finished games.", replay_options(c.replay)},
      {"learner", "How the network learns from them.", learner_options(c.learner)},
      {"device", "Where the network is computed.", device_options(c.device)},
  };
}

}  // namespace faultline
