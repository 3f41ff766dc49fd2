// Players: resolves the names given on the command line to files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace faultline {

/// A name that is not a player. The message lists the valid forms.
class PlayerError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class PlayerKind : std::uint8_t {
  Random,   // random legal moves, no search
  Uniform,  // search in which every position is a draw and all priors are equal
  Net       // search with a network
};

struct PlayerSpec {
  PlayerKind kind = PlayerKind::Random;
  std::filesystem::path net;  // the checkpoint; empty unless kind is Net
  std::string name;           // for display: "random", "uniform", the checkpoint's path
};

inline constexpr const char* kPlayerHelp =
    "a net (runs/NAME/nets/000123.pt), a run's folder (its newest net), untrained:RUN (its net "
    "before training), uniform (search without a net), or random";

/// `text` has one of kPlayerHelp's forms; a run may also be named without the leading "runs/".
/// Throws PlayerError if it has none of them or the net does not exist.
PlayerSpec find_player(std::string_view text);

}  // namespace faultline
