// A position given on the command line: a variant, a FEN or its start, and moves played from there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "play/game.h"
#include "play/san.h"

namespace CLI {
class App;
}

namespace faultline {

/// What names a variant on the command line, as help texts say it.
inline constexpr const char* kVariantHelp =
    "family, family:option=value,..., data:NAME or a game's file ('faultline variants' lists them)";

struct PositionOptions {
  std::string variant;
  std::string fen;    // "": the start position
  std::string moves;  // separated by blanks
};

/// Adds VARIANT, --fen and --moves, which write into `options`.
void add_position_options(CLI::App& command, PositionOptions& options);

/// Throws UsageError for the `index`-th (from 1) of the given moves; lists the moves that are legal
/// from the square that `text` starts with, or else all of them.
[[noreturn]] void refuse_move(const std::string& text, std::size_t index, const std::string& fen,
                              const std::vector<std::string>& legal);

/// The texts of all legal moves, sorted by byte value.
std::vector<std::string> sorted_move_texts(const GamePosition& position);

/// A position given on the command line.
struct NamedPosition {
  const Game* game;
  std::unique_ptr<GamePosition> position;
  /// The position before the last of --moves, and that move; null without moves.
  std::unique_ptr<GamePosition> before_last;
  Move last = Move::none();
  PlayedMoves played = {};
};

/// Throws VariantError, FenError, and UsageError for an illegal move.
NamedPosition find_position(const PositionOptions& options);

}  // namespace faultline
