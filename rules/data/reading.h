// What the readers of a game's file share: findings, and values of the kinds that keys allow.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/toml_tree.h"
#include "rules/data/game_file.h"
#include "rules/data/known_tables.h"

namespace faultline::data {

/// Collects what is wrong with a file; nothing is said twice.
class Findings {
 public:
  void error(const TomlValue& at, std::string text) { add(true, at, std::move(text)); }
  void warning(const TomlValue& at, std::string text) { add(false, at, std::move(text)); }
  void error_in(const std::string& file, int line, std::string text) {
    add({.is_error = true, .file = file, .line = line, .text = std::move(text)});
  }
  bool has_errors() const;
  /// Sorted: those about `main` first, then by file and line.
  std::vector<Finding> sorted(const std::string& main) const;

 private:
  void add(bool is_error, const TomlValue& at, std::string text) {
    add({.is_error = is_error,
         .file = at.file ? *at.file : "",
         .line = at.line,
         .text = std::move(text)});
  }
  void add(Finding finding);
  std::vector<Finding> all_;
};

/// Reports unknown keys, with what is meant or why they are refused, values of kinds that their
/// keys do not allow, and keys that are missing. Values and tables so reported become
/// TomlValue::Kind::Other, which no reader takes for a value.
void check_tables(TomlValue& root, Findings& findings);
/// Whether a table is missing because its name is misspelt: what it would have said is not to be
/// asked for.
bool is_misspelt(const TomlValue& root, std::string_view table);

// The value of a key of a checked table; null or nullopt if it has none of that kind. `path`: that
// of the table.
const TomlValue* table_of(const TomlValue& table, std::string_view key);
std::optional<std::string> text_of(const TomlValue& table, std::string_view key);
std::optional<int> whole_of(const TomlValue& table, std::string_view key);
std::optional<bool> truth_of(const TomlValue& table, std::string_view key);
std::optional<Interval> pair_of(const TomlValue& table, std::string_view key);
/// The index of the text among the key's choices.
std::optional<std::size_t> choice_of(const TomlValue& table, std::string_view path,
                                     std::string_view key);
/// The elements of a list, or the value itself; those of one kind only.
std::vector<const TomlValue*> texts_in(const TomlValue* value);
std::vector<const TomlValue*> tables_in(const TomlValue* value);

}  // namespace faultline::data
