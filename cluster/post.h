// The folder through which a learner and its actors in other processes speak (docs/cluster.md).
//
//   run.json, config.toml, game.toml, strategies/, teacher.pt   what both sides must agree on
//   epochs/000001            one new file for each learner; the highest is in office
//   orders.json              what actors are told: replaced as a whole
//   learner.json             the learner's beat, and what it knows of its actors
//   asked                    "drain" or "stop", as long as somebody asks for it
//   nets/HASH.pt             networks, by the hash of their bytes
//   numbers/A-B.range        games from A to below B, on offer: an actor claims them by renaming;
//                            in a deterministic run A-B-STEPS-HASH.range: by this network alone
//   actors/NAME/             of one actor: beat.json, claimed ranges, and its parts, finished games
//                            as a chunk (record/chunk.h): 000001.part.tmp, once synced 000001.part;
//                            shut-out, the learner's: why it takes no more of this actor
//   aside/                   parts that could not be taken, and why
//
// Every file has one writer and appears by a rename; nobody reads a clock or a time of a file of
// another machine.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "selfplay/actor_links.h"

namespace faultline {

inline constexpr int kPostFormat = 2;

struct PostSettings {
  std::chrono::milliseconds tick{100};       // between looks into the folder
  std::chrono::milliseconds beat{2'000};     // between beats of whoever lives
  std::chrono::milliseconds silent{60'000};  // without a beat: taken for dead; NFS shows files late
  std::chrono::milliseconds part{2'000};     // after which games are sent on
  std::size_t part_games = 256;              // that fill a part
  std::size_t part_bytes = std::size_t{1} << 20;
  std::chrono::milliseconds farewell{6'000};  // at the end: for what others still say
  std::size_t most_unconfirmed = 20'000;      // games of an actor; then it waits
  std::uint64_t range = 256;                  // numbers that are claimed at once
  std::uint64_t checked = 200;  // one game in so many is searched again by the learner's machine
  double check_share = 0.01;    // of a processor's time that this takes at most
};

inline constexpr const char* kShutOutName = "shut-out";

struct Post {
  std::filesystem::path folder;

  std::filesystem::path terms() const { return folder / "run.json"; }
  std::filesystem::path config() const { return folder / "config.toml"; }
  std::filesystem::path teacher() const { return folder / "teacher.pt"; }
  std::filesystem::path epochs() const { return folder / "epochs"; }
  std::filesystem::path orders() const { return folder / "orders.json"; }
  std::filesystem::path learner() const { return folder / "learner.json"; }
  std::filesystem::path asked() const { return folder / "asked"; }
  std::filesystem::path nets() const { return folder / "nets"; }
  std::filesystem::path numbers() const { return folder / "numbers"; }
  std::filesystem::path actors() const { return folder / "actors"; }
  std::filesystem::path aside() const { return folder / "aside"; }
};

/// The post of the run in `folder`, or the post that is this folder.
Post find_post(const std::filesystem::path& folder);

/// Replaces a file at once for its readers, but does not sync it: for what is written anew soon.
/// Throws std::system_error.
void replace_file(const std::filesystem::path& file, std::string_view text);
/// The file's JSON object; nothing if it is not there, cannot be read, or is none.
std::optional<nlohmann::json> read_object(const std::filesystem::path& file);
/// The text of a small file without the end of its line; "" if there is none.
std::string read_word(const std::filesystem::path& file);
/// Files and folders whose names end in `ending`, in the order of their names; none if the folder
/// cannot be read.
std::vector<std::filesystem::path> names_in(const std::filesystem::path& folder,
                                            std::string_view ending = {});

/// "000000000256-000000000512.range", with a network "...512-40-0123456789abcdef.range".
std::string range_name(const NumberRange& range);
/// Nothing for a name that is none, or of more numbers than anybody gives out.
std::optional<NumberRange> range_of(const std::filesystem::path& file);

std::string host_name();

/// Tells whether something still changes, by this process's own clock.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  /// Call with each value that is seen.
  void see(std::uint64_t value, Clock::time_point now = Clock::now()) {
    if (value == value_ && since_ != Clock::time_point{}) return;
    value_ = value;
    since_ = now;
  }
  /// How long it has not changed; 0 if nothing was seen yet.
  std::chrono::milliseconds unchanged(Clock::time_point now = Clock::now()) const {
    if (since_ == Clock::time_point{}) return {};
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - since_);
  }

 private:
  std::uint64_t value_ = 0;
  Clock::time_point since_{};
};

}  // namespace faultline
