// Reading what UCI engines print.
#include "engine/uci_engine_output.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace faultline {

namespace {

/// The next word, removed from `text`; "" at the end.
std::string_view next_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

template <class Number>
bool read_number(std::string_view word, Number& number) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return false;
  number = value;
  return true;
}

std::optional<std::int64_t> number_of(std::string_view word) {
  std::int64_t number = 0;
  return read_number(word, number) ? std::optional(number) : std::nullopt;
}

std::optional<UciOption::Type> option_type(std::string_view word) {
  using enum UciOption::Type;
  if (word == "check") return Check;
  if (word == "spin") return Spin;
  if (word == "combo") return Combo;
  if (word == "button") return Button;
  if (word == "string") return String;
  return std::nullopt;
}

/// "score cp 20", "score mate -3", with "lowerbound" or "upperbound" after it.
struct Score {
  std::optional<int> centipawns, mate;
  bool is_bound = false;
};

}  // namespace

std::optional<UciOption> parse_uci_option(std::string_view line) {
  if (next_word(line) != "option" || next_word(line) != "name") return std::nullopt;
  // Names and values may have several words: each lasts until the next keyword.
  UciOption option;
  std::optional<UciOption::Type> type;
  std::string low, high;
  std::string* field = &option.name;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (word == "type" && !type) {
      type = option_type(next_word(line));
      if (!type) return std::nullopt;
      field = nullptr;
    } else if (type && word == "default") {
      field = &option.default_value;
    } else if (type && word == "min") {
      field = &low;
    } else if (type && word == "max") {
      field = &high;
    } else if (type && word == "var") {
      field = &option.values.emplace_back();
    } else if (field != nullptr) {
      if (!field->empty()) *field += ' ';
      *field += word;
    }
  }
  if (!type || option.name.empty()) return std::nullopt;
  option.type = *type;
  option.min = number_of(low);
  option.max = number_of(high);
  return option;
}

std::string why_refused(const UciOption& option, std::string_view value) {
  switch (option.type) {
    case UciOption::Type::Check:
      return value == "true" || value == "false" ? "" : "true or false";
    case UciOption::Type::Spin: {
      const auto number = number_of(value);
      if (number && (!option.min || *number >= *option.min) &&
          (!option.max || *number <= *option.max))
        return "";
      std::string allowed = "a whole number";
      if (option.min) allowed += " from " + std::to_string(*option.min);
      if (option.max) allowed += " to " + std::to_string(*option.max);
      return allowed;
    }
    case UciOption::Type::Combo: {
      if (std::ranges::find(option.values, value) != option.values.end()) return "";
      std::string allowed = "one of";
      for (const std::string& one : option.values)
        allowed += (allowed == "one of" ? " " : ", ") + one;
      return allowed;
    }
    case UciOption::Type::Button:
      return value.empty() ? "" : "no value, it is a button";
    case UciOption::Type::String:
      break;
  }
  return "";
}

bool read_uci_info(std::string_view line, UciInfo& info) {
  if (next_word(line) != "info") return false;
  UciInfo read;
  Score score;
  int rank = 1;  // "multipv"
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (word == "string") break;
    if (word == "depth") {
      read_number(next_word(line), read.depth);
    } else if (word == "seldepth") {
      read_number(next_word(line), read.selective_depth);
    } else if (word == "nodes") {
      read_number(next_word(line), read.nodes);
    } else if (word == "nps") {
      read_number(next_word(line), read.nodes_per_second);
    } else if (word == "multipv") {
      read_number(next_word(line), rank);
    } else if (word == "cp") {
      if (int value = 0; read_number(next_word(line), value)) score.centipawns = value;
    } else if (word == "mate") {
      if (int value = 0; read_number(next_word(line), value)) score.mate = value;
    } else if (word == "lowerbound" || word == "upperbound") {
      score.is_bound = true;
    } else if (word == "wdl") {
      std::array<int, 3> wdl{};
      bool valid = true;
      for (int& part : wdl)
        valid = read_number(next_word(line), part) && part >= 0 && part <= 1000 && valid;
      if (valid && wdl[0] + wdl[1] + wdl[2] > 0) read.wdl = wdl;
    } else if (word == "pv") {  // the last field
      for (word = next_word(line); !word.empty(); word = next_word(line))
        read.variation.emplace_back(word);
    }
  }

  info.nodes = std::max(info.nodes, read.nodes);
  if (read.nodes_per_second > 0) info.nodes_per_second = read.nodes_per_second;
  if (rank != 1) return true;
  info.selective_depth = std::max(info.selective_depth, read.selective_depth);
  const bool has_score = score.centipawns || score.mate;
  const bool had_score = info.centipawns || info.mate;
  if (!has_score || (score.is_bound && had_score)) return true;
  if (read.depth > 0 && !score.is_bound) info.depth = read.depth;
  info.centipawns = score.centipawns;
  info.mate = score.mate;
  info.wdl = read.wdl;
  info.variation = std::move(read.variation);
  return true;
}

}  // namespace faultline
