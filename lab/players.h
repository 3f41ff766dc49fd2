// Who plays: what a person names on the command line, found on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace faultline {

/// A name that is no player. The message says what is.
class PlayerError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class PlayerKind : std::uint8_t {
  Random,   // random legal moves, no search
  Uniform,  // search in which every position is a draw and every move alike
  Net       // search with a network
};

struct PlayerSpec {
  PlayerKind kind = PlayerKind::Random;
  std::filesystem::path net;  // the checkpoint; empty unless kind is Net
  std::string name;           // for people: "random", "uniform", the checkpoint's path
};

inline constexpr const char* kPlayerHelp =
    "a net (runs/NAME/nets/000123.pt), a run's folder (its newest net), untrained:RUN (its net "
    "before training), uniform (search without a net), or random";

/// `text` is one of kPlayerHelp's forms; a run may also be named without "runs/" before it. Throws
/// PlayerError if it is none of them or the net is not there.
PlayerSpec find_player(std::string_view text);

}  // namespace faultline
