// TOML as plain values that know where they were written: for files that are merged and checked as
// a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// A value, with the name of the file and the line in which it stands.
struct TomlValue {
  enum class Kind : std::uint8_t { Text, Whole, Number, Truth, List, Table, Other };

  Kind kind = Kind::Table;
  std::string key;  // its name in its table, "" in a list
  std::shared_ptr<const std::string> file;
  int line = 0;
  std::string text;
  std::int64_t whole = 0;
  double number = 0;  // also of whole numbers
  bool truth = false;
  std::vector<TomlValue> items;  // of a list, or of a table in the order of the file

  bool is_text() const { return kind == Kind::Text; }
  bool is_list() const { return kind == Kind::List; }
  bool is_table() const { return kind == Kind::Table; }
  /// The value of that name in a table, or null.
  const TomlValue* find(std::string_view name) const;
  TomlValue* find(std::string_view name);
  /// Adds a value to a table, or replaces the one with its key.
  TomlValue& set(TomlValue value);
  void erase(std::string_view name);
  /// "chess.toml:19".
  std::string place() const;
  /// As messages show it: "'text'", "12", "a table".
  std::string shown() const;
};

/// Throws TomlTextError "SOURCE:LINE: not valid TOML: …" or what check_toml_text() throws.
TomlValue parse_toml_tree(std::string_view text, const std::string& source);

/// The table as TOML: names in alphabetical order, its tables as sections, what is deeper inline.
std::string to_toml_text(const TomlValue& table);

}  // namespace faultline
