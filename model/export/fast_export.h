// Fast networks in files for other programs: weights with all that it takes to evaluate positions,
// and positions with their scores (docs/export.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/fast/fast_network.h"

namespace faultline {

/// The least number of golden positions in such a file, of variants that have so many.
inline constexpr std::size_t kFastGoldenPositions = 64;

/// A position and its score in centipawns for the side to move.
struct FastGolden {
  std::string fen;
  int score = 0;
};

/// How a network of this layout and scale is evaluated: its inputs in the terms of the variant's
/// encoding (describe_encoding()), and the arithmetic. Throws ExportError if the layout is not that
/// of the network's variant in this program, VariantError if it does not know the variant.
nlohmann::ordered_json describe_fast_network(const FastNetwork& network);

/// Those of golden_positions() with all moves at random, each once. Throws as
/// describe_fast_network().
std::vector<FastGolden> fast_golden_positions(const FastNetwork& network);

/// The bytes of the file: those of fast_network_file(), with "encoding", "evaluation" and "golden"
/// beside "fast_network" in the metadata. Throws as describe_fast_network().
std::string write_fast_export(const FastNetwork& network);

/// Whether the bytes are such a file, or the network alone.
bool is_fast_export(std::string_view bytes);

struct FastExportCheck {
  std::size_t positions = 0;        // evaluated
  std::vector<std::string> faults;  // empty: the file is good
};
/// Whether the descriptions are this program's and the golden scores those that it computes. The
/// bytes are not trusted.
FastExportCheck check_fast_export(std::string_view bytes);

}  // namespace faultline
