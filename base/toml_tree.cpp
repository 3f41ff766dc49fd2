// TOML as plain values that know where they were written: for files that are merged and checked as
// a whole.
#include "base/toml_tree.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/toml_node.h"

namespace faultline {
namespace {

using Kind = TomlValue::Kind;
using File = std::shared_ptr<const std::string>;

TomlValue value_from(const toml::node& node, const File& file) {
  TomlValue value;
  value.file = file;
  value.line = line_of(node);
  if (const auto* text = node.as_string()) {
    value.kind = Kind::Text;
    value.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    value.kind = Kind::Whole;
    value.whole = whole->get();
    value.number = static_cast<double>(value.whole);
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Kind::Number;
    value.number = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = Kind::Truth;
    value.truth = truth->get();
  } else if (const auto* list = node.as_array()) {
    value.kind = Kind::List;
    for (const toml::node& item : *list)
      value.items.push_back(value_from(item, file));
  } else if (const auto* table = node.as_table()) {
    value.kind = Kind::Table;
    std::vector<std::pair<toml::source_position, TomlValue>> items;
    for (const auto& [key, item] : *table) {
      TomlValue one = value_from(item, file);
      one.key = std::string(key.str());
      items.emplace_back(key.source().begin, std::move(one));
    }
    std::ranges::stable_sort(items, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [position, item] : items)
      value.items.push_back(std::move(item));
  } else {
    value.kind = Kind::Other;
  }
  return value;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string key_text(const std::string& key) {
  const bool is_bare = !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return is_bare ? key : in_quotes(key);
}

std::vector<const TomlValue*> sorted(const TomlValue& table) {
  std::vector<const TomlValue*> items;
  for (const TomlValue& item : table.items)
    items.push_back(&item);
  std::ranges::stable_sort(items, {}, [](const TomlValue* item) { return item->key; });
  return items;
}

std::string inline_text(const TomlValue& value) {
  switch (value.kind) {
    case Kind::Text:
      return in_quotes(value.text);
    case Kind::Whole:
      return std::to_string(value.whole);
    case Kind::Number: {
      const std::string number = fmt::format("{}", value.number);
      return number.find_first_of(".enai") == std::string::npos ? number + ".0" : number;
    }
    case Kind::Truth:
      return value.truth ? "true" : "false";
    case Kind::List: {
      std::string text;
      for (const TomlValue& item : value.items)
        text += (text.empty() ? "" : ", ") + inline_text(item);
      return "[" + text + "]";
    }
    case Kind::Table: {
      std::string text;
      for (const TomlValue* item : sorted(value))
        text += (text.empty() ? " " : ", ") + key_text(item->key) + " = " + inline_text(*item);
      return "{" + text + (text.empty() ? "}" : " }");
    }
    case Kind::Other:
      break;
  }
  return "\"\"";
}

}  // namespace

const TomlValue* TomlValue::find(std::string_view name) const {
  if (kind != Kind::Table) return nullptr;
  const auto found = std::ranges::find(items, name, &TomlValue::key);
  return found == items.end() ? nullptr : &*found;
}

TomlValue* TomlValue::find(std::string_view name) {
  return const_cast<TomlValue*>(std::as_const(*this).find(name));
}

TomlValue& TomlValue::set(TomlValue value) {
  if (TomlValue* old = find(value.key)) return *old = std::move(value);
  return items.emplace_back(std::move(value));
}

void TomlValue::erase(std::string_view name) {
  std::erase_if(items, [&](const TomlValue& item) { return item.key == name; });
}

std::string TomlValue::place() const {
  return fmt::format("{}:{}", file ? *file : "", line);
}

std::string TomlValue::shown() const {
  switch (kind) {
    case Kind::Table:
      return "a table";
    case Kind::List:
      return items.empty() ? "an empty list" : "a list";
    case Kind::Text:
      return quote(text);
    case Kind::Other:
      return "a date or time";
    default:
      return inline_text(*this);
  }
}

TomlValue parse_toml_tree(std::string_view text, const std::string& source) {
  return value_from(parse_toml(text, source), std::make_shared<const std::string>(source));
}

std::string to_toml_text(const TomlValue& table) {
  std::string text;
  std::string sections;
  for (const TomlValue* item : sorted(table)) {
    if (item->kind != Kind::Table) {
      text += key_text(item->key) + " = " + inline_text(*item) + "\n";
      continue;
    }
    sections += "\n[" + key_text(item->key) + "]\n";
    for (const TomlValue* inner : sorted(*item))
      sections += key_text(inner->key) + " = " + inline_text(*inner) + "\n";
  }
  return text + sections;
}

}  // namespace faultline
