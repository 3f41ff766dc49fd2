// Where a match's openings come from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace faultline {

/// Openings that cannot be made as requested. The message names the file and line, or the key.
class OpeningError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct OpeningSource {
  enum class Kind : std::uint8_t {
    Random,    // uniformly random moves
    Balanced,  // random moves that a shallow search finds even
    Policy,    // moves drawn from a network's policy
    File
  };
  Kind kind = Kind::Random;
  int plies = 6;            // all but File
  int depth = 3;            // Balanced: of the alpha-beta search
  double max_value = 0.15;  // Balanced: the largest |win - loss| it may find
  float temperature = 1;    // Policy
  std::string net = {};     // Policy: as on the command line; "": the first player's that has one
  std::filesystem::path file = {};
  bool shuffled = false;  // File: in an order drawn from the seed instead of the file's
  bool strict = false;    // File: refuse it if one of its openings cannot be used
};

inline constexpr const char* kOpeningsHelp =
    "PLIES or random:PLIES (random moves), balanced:PLIES[,depth=D,value=V] (random moves that a "
    "shallow search finds even), policy:PLIES[,temperature=T,net=NET] (drawn from a net's policy), "
    "or FILE (a FEN or moves per line, or games as PGN; FILE?order=random shuffles; "
    "FILE?strict=true refuses a file with an opening that cannot be used, which else is left out)";

/// Throws OpeningError that names the form or key and what is valid.
OpeningSource parse_opening_source(std::string_view text);
/// Does as parse_opening_source() for what was checked when games were recorded: a file may be
/// gone.
OpeningSource recorded_opening_source(std::string_view text);
/// The text that parse_opening_source() reads: "random:6".
std::string text(const OpeningSource& source);
/// "random openings of 6 plies", for people.
std::string describe(const OpeningSource& source);

}  // namespace faultline
