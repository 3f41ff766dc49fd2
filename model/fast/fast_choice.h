// Which of a file's two networks is to play.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace faultline {

/// Games of a checkpoint's two networks, alpha-beta with the fast one against a tree search with
/// the other, at equal time.
struct FastMatch {
  int milliseconds = 0;  // per move
  int games = 0;
  double score = 0;  // of the fast network: 0 to 1
  friend bool operator==(const FastMatch&, const FastMatch&) = default;
};
/// "the fast network scores 77.5 % against the other one at 20 ms per move (40 games)".
std::string text(const FastMatch& match);

/// Stores it in a checkpoint that has both networks. Throws CheckpointError.
void store_fast_match(const std::filesystem::path& file, const FastMatch& match);
/// Nothing if the checkpoint, or another file, has none. Throws CheckpointError.
std::optional<FastMatch> stored_fast_match(const std::filesystem::path& file);

/// Whether the fast network of a checkpoint, a bundle or a file of its own is to play: it is alone,
/// or scores at least half of the points in its match. Throws CheckpointError.
bool fast_is_stronger(const std::filesystem::path& file);

}  // namespace faultline
