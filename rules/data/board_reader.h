// [board] of a game's file.
#pragma once

#include <string_view>

#include "base/toml_tree.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"
#include "rules/data/zones.h"

namespace faultline::data {

struct BoardRead {
  Board board;
  Zones zones;
  bool usable = false;  // whether its squares are known, so that what names them can be read
};
/// What refers to pieces (Levels::descend, Levels::same) is left to read_descent().
BoardRead read_board(const MergedFile& file, Findings& findings);

/// A zone of [board]. nullopt, and reported, if it is none.
std::optional<SquareSet> read_zone(const TomlValue& value, std::string_view path,
                                   const MergedFile& file, const Zones& zones, Findings& findings);

/// How areas of sectors are called: "BIII".
std::string area_name(const Sectors& sectors, int area);

}  // namespace faultline::data
