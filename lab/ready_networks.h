// The networks that come with the program, one file for each game of nets/, and what plays where no
// network is named.
#pragma once

#include <filesystem>
#include <string>

#include "lab/players.h"

namespace faultline {

/// Options of a game that it was not trained for may be played by a network as well: its planes and
/// moves are the same.
enum class ReadyFor : std::uint8_t { Variant, Family };

/// The file with networks for `variant` in nets/ of the current folder, of the program's folder or
/// one above it, or in share/faultline/nets of one of these; empty: there is none. Files that are
/// no networks are passed over. Throws VariantError.
std::filesystem::path ready_network(const std::string& variant, ReadyFor fit = ReadyFor::Family);

/// The player for whom both networks of a file are there: alpha-beta with the fast one where that
/// was stronger at equal time (FastMatch), or it is alone, else a tree search with the other one.
/// Throws PlayerError, CheckpointError.
PlayerSpec stronger_player(const std::filesystem::path& net);

/// Who plays `variant` where no player is named: the stronger one of its ready network, or
/// alpha-beta with material and placement. Throws VariantError.
PlayerSpec ready_player(const std::string& variant);

}  // namespace faultline
