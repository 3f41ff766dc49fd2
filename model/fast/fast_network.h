// Fast networks: small evaluations for alpha-beta searches, computed anew at every node, so that
// boards may move as they like. One hidden layer over the pieces as each side sees them, in the
// manner of NNUE (Nasu 2018, "Efficiently updatable neural-network-based evaluation functions for
// computer shogi"), without its incremental updates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace faultline {

/// A file that has no fast network, or none for the variant. The message names the file.
class FastNetworkError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Inputs of which a position has at most one (a number) or at most one per cell (`by_cell`).
struct FastInputGroup {
  std::string name;  // "own pawn", "gaps", "dx / 8", "levels"
  int size = 0;
  bool by_cell = false;
  friend bool operator==(const FastInputGroup&, const FastInputGroup&) = default;
};

/// The inputs of a family's fast networks, each 0 or 1, in order. They follow from the encoding
/// (model/fast/fast_encoder.h): pieces by the policy cell (model/encoding/encoding.h) at which the
/// viewing side sees them, and how the board has changed.
struct FastLayout {
  std::string family;
  std::vector<FastInputGroup> groups;
  int levels = 1;  // that share weights while a network learns: input cell * levels + level

  std::size_t inputs() const {
    std::size_t sum = 0;
    for (const FastInputGroup& group : groups)
      sum += static_cast<std::size_t>(group.size);
    return sum;
  }
  friend bool operator==(const FastLayout&, const FastLayout&) = default;
};

/// Hidden units for each side's view.
inline constexpr int kFastHidden = 32;
/// No number of FastNetwork::direct is larger.
inline constexpr std::int32_t kMostDirect = 1 << 20;
/// A score of this many centipawns is an expected result of 1 / (1 + 1/e) of a point.
inline constexpr double kFastCentipawns = 160;

/// A network in whole numbers, as it plays. With h(view) = clamp(bias + the rows of `first` of the
/// inputs that are 1, 0, scale), the score in centipawns for the side to move is
///   (direct of its own inputs - direct of the opponent's) / 32
///     + (second[0] · h(own) + second[1] · h(opponent's)) / (8 * scale) + output,
/// where divisions round towards 0. No sum of `first` exceeds 16 bits in any position.
struct FastNetwork {
  FastLayout layout;
  std::string variant;               // that it was trained for
  std::int64_t steps = 0;            // optimiser steps of its training
  int scale = 256;                   // of the hidden units: a power of two
  std::vector<std::int16_t> first;   // [inputs][kFastHidden]
  std::vector<std::int32_t> direct;  // [inputs]
  std::vector<std::int16_t> bias;    // [kFastHidden]
  std::vector<std::int16_t> second;  // [2][kFastHidden]
  std::int32_t output = 0;

  friend bool operator==(const FastNetwork&, const FastNetwork&) = default;
};

/// Reads the fast network of a checkpoint, a bundle, or a file of its own (safetensors,
/// model/fast/fast_file.h). Throws FastNetworkError, and CheckpointError for a damaged checkpoint.
FastNetwork load_fast_network(const std::filesystem::path& file);

}  // namespace faultline
