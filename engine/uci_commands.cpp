// The commands of the Universal Chess Interface that have arguments, parsed from their text.
#include "engine/uci_commands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <span>
#include <system_error>

#include <fmt/core.h>

#include "base/quote.h"

namespace faultline {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 14> kGoKeys = {
    "searchmoves", "ponder", "wtime", "btime", "winc",     "binc",     "movestogo",
    "depth",       "nodes",  "mate",  "perft", "movetime", "infinite", "moves"};

bool is_go_key(std::string_view word) {
  return std::ranges::find(kGoKeys, word) != kGoKeys.end();
}

/// A whole number, moved into the range of its type if it is too large for it.
std::optional<std::int64_t> parse_whole(std::string_view word) {
  std::int64_t value = 0;
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (end != last || word.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return word.front() == '-' ? std::numeric_limits<std::int64_t>::min()
                               : std::numeric_limits<std::int64_t>::max();
  if (error != std::errc{}) return std::nullopt;
  return value;
}

int to_int(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

/// A time that can be added to others without overflow.
std::chrono::milliseconds to_time(std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4'000'000;
  return std::chrono::milliseconds(std::clamp(value, -kMost, kMost));
}

void set_number(GoCommand& go, std::string_view key, std::int64_t value) {
  if (key == "nodes") go.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
  if (key == "depth") go.depth = to_int(value);
  if (key == "mate") go.mate = to_int(value);
  if (key == "perft") go.perft = to_int(value);
  if (key == "movestogo") go.moves_to_go = to_int(value);
  if (key == "movetime") go.move_time = to_time(value);
  if (key == "wtime") go.time[0] = to_time(value);
  if (key == "btime") go.time[1] = to_time(value);
  if (key == "winc") go.increment[0] = to_time(value);
  if (key == "binc") go.increment[1] = to_time(value);
}

std::string joined(Words words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

/// The part of `line` from the start of `first` to the end of `last`, words of it.
std::string between(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

}  // namespace

std::vector<std::string_view> uci_words(std::string_view line) {
  const auto separates = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    if (separates(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && !separates(line[end]))
      ++end;
    words.push_back(line.substr(i, end - i));
    i = end;
  }
  return words;
}

GoCommand parse_go(std::string_view line) {
  const std::vector<std::string_view> words = uci_words(line);
  GoCommand go;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view key = words[i];
    if (key == "infinite") {
      go.infinite = true;
    } else if (key == "ponder") {
      go.ponder = true;
    } else if (key == "searchmoves" || key == "moves") {
      while (i + 1 < words.size() && !is_go_key(words[i + 1]))
        go.search_moves.emplace_back(words[++i]);
    } else if (is_go_key(key)) {
      const bool given = i + 1 < words.size() && !is_go_key(words[i + 1]);
      const auto value = given ? parse_whole(words[++i]) : std::nullopt;
      if (!value)
        go.complaints.push_back(
            fmt::format("go {}: {}, but a whole number is needed; 0 is taken", key,
                        given ? quote(words[i]) + " was given" : "nothing was given"));
      set_number(go, key, value.value_or(0));
    } else {
      go.complaints.push_back("go: " + quote(key) + " is ignored");
    }
  }
  return go;
}

std::optional<PositionCommand> parse_position(std::string_view line) {
  const std::vector<std::string_view> all = uci_words(line);
  const Words words = Words(all).subspan(std::min<std::size_t>(1, all.size()));
  if (words.empty()) return std::nullopt;
  const auto moves = std::ranges::find(words, "moves");
  const auto before = static_cast<std::size_t>(moves - words.begin());
  PositionCommand command;
  if (words.front() == "fen")
    command.fen = joined(words.subspan(1, std::max<std::size_t>(before, 1) - 1));
  else if (words.front() != "startpos")
    return std::nullopt;
  if (before < words.size())
    for (const std::string_view move : words.subspan(before + 1))
      command.moves.emplace_back(move);
  return command;
}

std::optional<SetOptionCommand> parse_setoption(std::string_view line) {
  const std::vector<std::string_view> words = uci_words(line);
  if (words.size() < 3 || words[1] != "name") return std::nullopt;
  const auto value = std::ranges::find(words, "value");
  const auto names = static_cast<std::size_t>(value - words.begin());
  if (names <= 2) return std::nullopt;
  SetOptionCommand command{.name = joined(Words(words).subspan(2, names - 2)), .value = {}};
  if (names + 1 < words.size()) command.value = between(words[names + 1], words.back());
  return command;
}

}  // namespace faultline
