// What the readers of a game's file share: findings, and values of the kinds that keys allow.
#include "rules/data/reading.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

using Kind = TomlValue::Kind;

bool is_whole(const TomlValue& value, const std::optional<Interval>& within) {
  return value.kind == Kind::Whole && within && value.whole >= within->low &&
         value.whole <= within->high;
}

/// Whether a value, or an element of a list where that is allowed, is of an allowed kind.
bool fits(const TomlValue& value, const Allowed& allowed) {
  switch (value.kind) {
    case Kind::Text:
      return allowed.text ||
             std::ranges::find(allowed.choices, value.text) != allowed.choices.end();
    case Kind::Whole:
      return is_whole(value, allowed.whole);
    case Kind::Truth:
      return allowed.truth;
    case Kind::Table:
      return !allowed.table.empty();
    case Kind::List: {
      const auto in_pair = [&](const TomlValue& one) { return is_whole(one, allowed.pair); };
      const auto is_number = [](const TomlValue& one) {
        constexpr double kMost = 1000;
        return (one.kind == Kind::Whole || one.kind == Kind::Number) &&
               std::abs(one.number) <= kMost;
      };
      return (value.items.size() == 2 && std::ranges::all_of(value.items, in_pair)) ||
             (allowed.numbers && std::ranges::all_of(value.items, is_number));
    }
    default:
      return false;
  }
}

class TableChecks {
 public:
  explicit TableChecks(Findings& findings)
      : findings_(findings), has_bases_(!findings.has_errors()) {}

  /// `name`: the table's in messages; `of_side`: it is one side's part of another table.
  void check(TomlValue& table, const KnownTable& known, const std::string& name, bool of_side) {
    for (TomlValue& item : table.items) {
      const KnownKey* key = known.find(item.key);
      if (key == nullptr) {
        refuse_key(table, item, known, name);
        item.kind = Kind::Other;
      } else if (of_side && key->given == Given::Once) {
        findings_.error(item, item.key + " is the same for both sides: put it outside " +
                                  table.key + " = { … }");
        item.kind = Kind::Other;
      } else {
        // Pieces go by their letters.
        const std::string key_name =
            name.empty() || name == "pieces" ? item.key : name + '.' + item.key;
        check_value(item, *key, key_name, known.path);
      }
    }
    if (table.kind == Kind::Other) return;
    for (const KnownKey& key : known.keys) {
      if (key.given != Given::Always || table.find(key.name) != nullptr) continue;
      if (has_bases_)
        findings_.error(table,
                        (known.called.empty() ? "[" + name + "]" : std::string(known.called)) +
                            " has no " + std::string(key.name) + ": " + std::string(key.example));
      table.kind = Kind::Other;
      return;
    }
  }

 private:
  void check_value(TomlValue& value, const KnownKey& key, const std::string& name,
                   std::string_view path) {
    const Allowed& allowed = key.allowed;
    if (allowed.anything) return;
    if (value.is_list() && allowed.lists != Allowed::Lists::No) {
      for (TomlValue& one : value.items)
        check_one(one, key, name, path, " has ");
    } else if (allowed.lists == Allowed::Lists::Only) {
      refuse_value(value, key, name, " is ");
    } else {
      check_one(value, key, name, path, " is ");
    }
  }

  /// `is`: or "has", of an element of a list.
  void check_one(TomlValue& value, const KnownKey& key, const std::string& name,
                 std::string_view path, const std::string& is) {
    if (!fits(value, key.allowed))
      refuse_value(value, key, name, is);
    else if (value.is_table())
      check(value, known_table(key.allowed.table), name, key.allowed.table == path);
  }

  void refuse_value(TomlValue& value, const KnownKey& key, const std::string& name,
                    const std::string& is) {
    std::string example(key.example);
    if (example.starts_with("P ") && is_piece_letter(name)) example.replace(0, 1, name);
    findings_.error(
        value, name + is + value.shown() + ", but must be " + key.allowed.what + ": " + example);
    value.kind = Kind::Other;
  }

  void refuse_key(const TomlValue& table, const TomlValue& item, const KnownTable& known,
                  const std::string& table_name) {
    const bool is_section = known.path.empty() && item.is_table();
    const std::string name =
        is_section ? "[" + printable(item.key, 40) + "]"
                   : quote(table_name.empty() ? item.key : table_name + '.' + item.key, 60);
    if (const std::string_view reason = why_refused(known.path, item.key); !reason.empty())
      return findings_.error(item, name + " " + std::string(reason));
    if (known.keys.empty()) return refuse_letter(table, item);
    std::vector<std::string> same_kind;
    for (const KnownKey& key : known.keys)
      if (!known.path.empty() || key.allowed.table.empty() != is_section)
        same_kind.emplace_back(key.name);
    std::string text = std::string("unknown ") + (is_section ? "table " : "key ") + name + ".";
    if (const std::string nearest = nearest_name(item.key, same_kind); !nearest.empty())
      text += " Did you mean " + (is_section ? "[" + nearest + "]" : quote(nearest)) + "?";
    else if (const std::string elsewhere = tables_with(item.key); !elsewhere.empty())
      text += " There is such a key in " + elsewhere + ".";
    text += (is_section ? " Tables here: " : " Keys here: ") + joined(same_kind, ", ");
    findings_.error(item, text + (known.letters ? " and letters of pieces." : "."));
  }

  static std::string tables_with(std::string_view key) {
    std::vector<std::string> tables;
    for (const KnownTable& table : known_tables())
      if (std::ranges::find(table.keys, key, &KnownKey::name) != table.keys.end())
        tables.push_back(table.path.empty() ? "the top of the file"
                                            : "[" + std::string(table.path) + "]");
    return joined(tables, ", ");
  }

  void refuse_letter(const TomlValue& table, const TomlValue& item) {
    std::string text = quote(item.key) + " is no letter of a piece: ";
    if (item.key.size() == 1 && is_small_letter(item.key[0])) {
      text += "write " + in_capitals(item.key) + "; FEN has it in lower case for Black";
    } else {
      text +=
          "pieces are one capital, or + and a capital for what another piece becomes. Free "
          "letters: ";
      for (char c = 'A'; c <= 'Z'; ++c)
        if (table.find(std::string(1, c)) == nullptr) text += c;
    }
    findings_.error(item, text);
  }

  Findings& findings_;
  bool has_bases_;  // whether nothing is missing because a file could not be read
};

const TomlValue* find_kind(const TomlValue& table, std::string_view key, Kind kind) {
  const TomlValue* value = table.find(key);
  return value != nullptr && value->kind == kind ? value : nullptr;
}

std::vector<const TomlValue*> of_kind(const TomlValue* value, Kind kind) {
  std::vector<const TomlValue*> found;
  if (value == nullptr) return found;
  if (value->kind == kind) found.push_back(value);
  for (const TomlValue& one : value->items)
    if (value->is_list() && one.kind == kind) found.push_back(&one);
  return found;
}

}  // namespace

bool Findings::has_errors() const {
  return std::ranges::any_of(all_, &Finding::is_error);
}

void Findings::add(Finding finding) {
  const auto same = [&](const Finding& other) {
    return other.file == finding.file && other.line == finding.line && other.text == finding.text;
  };
  if (std::ranges::none_of(all_, same)) all_.push_back(std::move(finding));
}

std::vector<Finding> Findings::sorted(const std::string& main) const {
  std::vector<Finding> findings = all_;
  std::ranges::stable_sort(findings, {}, [&](const Finding& finding) {
    return std::tuple(finding.file != main, finding.file, finding.line);
  });
  return findings;
}

void check_tables(TomlValue& root, Findings& findings) {
  TableChecks(findings).check(root, known_table(""), "", false);
}

bool is_misspelt(const TomlValue& root, std::string_view table) {
  std::vector<std::string> known;
  for (const KnownKey& key : known_table("").keys)
    if (!key.allowed.table.empty()) known.emplace_back(key.name);
  return std::ranges::any_of(root.items, [&](const TomlValue& item) {
    return std::ranges::find(known, item.key) == known.end() && !item.items.empty() &&
           nearest_name(item.key, known) == table;
  });
}

const TomlValue* table_of(const TomlValue& table, std::string_view key) {
  return find_kind(table, key, Kind::Table);
}

std::optional<std::string> text_of(const TomlValue& table, std::string_view key) {
  const TomlValue* value = find_kind(table, key, Kind::Text);
  return value != nullptr ? std::optional(value->text) : std::nullopt;
}

std::optional<int> whole_of(const TomlValue& table, std::string_view key) {
  const TomlValue* value = find_kind(table, key, Kind::Whole);
  return value != nullptr ? std::optional(static_cast<int>(value->whole)) : std::nullopt;
}

std::optional<bool> truth_of(const TomlValue& table, std::string_view key) {
  const TomlValue* value = find_kind(table, key, Kind::Truth);
  return value != nullptr ? std::optional(value->truth) : std::nullopt;
}

std::optional<Interval> pair_of(const TomlValue& table, std::string_view key) {
  const TomlValue* value = find_kind(table, key, Kind::List);
  if (value == nullptr) return std::nullopt;
  return Interval{static_cast<int>(value->items[0].whole), static_cast<int>(value->items[1].whole)};
}

std::optional<std::size_t> choice_of(const TomlValue& table, std::string_view path,
                                     std::string_view key) {
  const TomlValue* value = find_kind(table, key, Kind::Text);
  if (value == nullptr) return std::nullopt;
  const std::vector<std::string_view>& choices = known_table(path).find(key)->allowed.choices;
  return static_cast<std::size_t>(std::ranges::find(choices, value->text) - choices.begin());
}

std::vector<const TomlValue*> texts_in(const TomlValue* value) {
  return of_kind(value, Kind::Text);
}

std::vector<const TomlValue*> tables_in(const TomlValue* value) {
  return of_kind(value, Kind::Table);
}

}  // namespace faultline::data
