// What the readers of a game's file share: findings, and values of the types that keys allow.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/toml_tree.h"
#include "rules/data/game_file.h"

namespace faultline::data {

/// Collects what is wrong with a file; nothing is said twice.
class Findings {
 public:
  void error(const TomlValue& at, std::string text) { add(true, at, std::move(text)); }
  void warning(const TomlValue& at, std::string text) { add(false, at, std::move(text)); }
  void error_in(const std::string& file, int line, std::string text);
  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  /// Sorted: those about `main` first, then by file and line.
  std::vector<Finding> sorted(const std::string& main) const;

 private:
  void add(bool is_error, const TomlValue& at, std::string text);
  void add(Finding finding);
  std::vector<Finding> all_;
  std::size_t errors_ = 0;
};

/// A key of the language.
struct KnownKey {
  std::string_view name;
  std::string_view what;     // what its value is: "a zone"
  std::string_view example;  // a line to paste
};
struct KnownTable {
  std::string_view path;  // "pieces.P"; "" for the whole file
  std::vector<KnownKey> keys;
};
/// All tables of the language with all their keys, in the order of the documentation.
const std::vector<KnownTable>& known_tables();

/// Reports the keys of a table that are not among those of `path`, with what is meant or why they
/// are refused. Keys for which `also` is true belong to it, too. Returns whether some were unknown.
bool check_keys(const TomlValue& table, std::string_view path, Findings& findings,
                bool (*also)(std::string_view) = nullptr);

/// Reports that the value is not what the key `path`.`value.key` allows.
void wrong_value(const TomlValue& value, std::string_view path, Findings& findings);

/// The value of a key of a table of that path; null or nullopt, and reported, if it has another
/// type.
const TomlValue* table_of(const TomlValue& parent, std::string_view key, std::string_view path,
                          Findings& findings);
std::optional<std::string> text_of(const TomlValue& parent, std::string_view key,
                                   std::string_view path, Findings& findings);
std::optional<int> whole_of(const TomlValue& parent, std::string_view key, Interval allowed,
                            std::string_view path, Findings& findings);
std::optional<bool> truth_of(const TomlValue& parent, std::string_view key, std::string_view path,
                             Findings& findings);
/// Two whole numbers.
std::optional<Interval> pair_of(const TomlValue& parent, std::string_view key, Interval allowed,
                                std::string_view path, Findings& findings);
/// The index of the text among `choices`.
std::optional<std::size_t> choice_of(const TomlValue& parent, std::string_view key,
                                     std::initializer_list<std::string_view> choices,
                                     std::string_view path, Findings& findings);

/// "a, b and c".
std::string listed(const std::vector<std::string>& words);

}  // namespace faultline::data
