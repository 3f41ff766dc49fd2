// The language of games' files: its tables, their keys, and what each may be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/data/game_file.h"

namespace faultline::data {

/// What a value may be; any of several kinds.
struct Allowed {
  std::string what = {};  // for people: "a zone", "a whole number, 1 to 26"
  bool anything = false;
  bool text = false;
  bool truth = false;
  bool numbers = false;                // a list of numbers
  std::optional<Interval> whole = {};  // a whole number
  std::optional<Interval> pair = {};   // two of them
  std::vector<std::string_view> choices = {};
  std::string_view table = {};  // one with the keys of this path
  enum class Lists : std::uint8_t { No, Too, Only };
  Lists lists = Lists::No;  // whether it may also be, or must be, a list of these
};

/// How often a table has a key: in the tables of both sides as well, only outside them, always.
enum class Given : std::uint8_t { BySide, Once, Always };

struct KnownKey {
  std::string_view name;
  Allowed allowed;
  std::string_view example;  // a line to paste
  Given given = Given::BySide;
};

struct KnownTable {
  std::string_view path;  // "pieces.P"; "" for the whole file
  std::vector<KnownKey> keys;
  std::string_view called = {};          // in messages: "a link"; by default its own key
  std::optional<KnownKey> letters = {};  // what keys that are letters of pieces are
  const KnownKey* find(std::string_view key) const;
};

/// All tables of the language with all their keys, in the order of the documentation.
const std::vector<KnownTable>& known_tables();
const KnownTable& known_table(std::string_view path);

/// What other notations, or an older form of this one, call a key, and what to write; why a
/// reserved one is refused. "" for other keys.
std::string_view why_refused(std::string_view path, std::string_view key);

/// "K", "+R".
bool is_piece_letter(std::string_view key);

}  // namespace faultline::data
