// Reading, checking and writing declared settings.
#include "base/options.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"

namespace faultline {
namespace {

template <class T>
constexpr bool is_whole = std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>;
template <class T>
constexpr bool is_list_type =
    std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T, std::vector<std::string>>;
template <class T>
constexpr bool is_text = std::is_same_v<T, std::string> || std::is_same_v<T, EnumField>;

/// Calls f(field, std::type_identity<T>{}), T being the field's type: EnumField for enumerations.
template <class F>
decltype(auto) visit_field(const Option& option, F&& f) {
  return std::visit(
      [&](const auto& field) -> decltype(auto) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (std::is_pointer_v<Field>)
          return f(*field, std::type_identity<std::remove_pointer_t<Field>>{});
        else
          return f(field, std::type_identity<Field>{});
      },
      option.field);
}

/// "1e-05" as "1e-5"; zero as "0.0".
template <class T>
std::string number_text(T value) {
  if (value == 0) return "0.0";
  std::string text = fmt::format("{}", value);
  if (const auto e = text.find("e-0"); e != std::string::npos) text.erase(e + 2, 1);
  return text;
}

/// A JSON string, which is also a valid TOML string.
std::string quoted_text(const std::string& text) {
  return json_text(nlohmann::json(text));
}

std::string limit_text(double limit) {
  return limit == std::floor(limit) ? fmt::format("{:.0f}", limit) : number_text(limit);
}

std::string range_text(const Range& range) {
  return (range.is_even ? "even, " : "") +
         (range.high >= kLargestWhole ? "at least " + limit_text(range.low)
                                      : limit_text(range.low) + " to " + limit_text(range.high));
}

/// "a whole number, 2 to 64", "one of: sgd, adamw".
std::string requirement(const Option& option) {
  const std::string type = visit_field(option, []<class T>(const T&, auto) -> std::string {
    if constexpr (std::is_same_v<T, bool>)
      return "true or false";
    else if constexpr (is_whole<T>)
      return "a whole number";
    else if constexpr (std::is_floating_point_v<T>)
      return "a number";
    else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
      return "a list of whole numbers";
    else if constexpr (is_list_type<T>)
      return "a list of texts in quotes";
    else
      return "a text in quotes";
  });
  if (std::holds_alternative<Choices>(option.allowed)) return "one of: " + allowed_text(option);
  const auto* range = std::get_if<Range>(&option.allowed);
  return range == nullptr ? type : type + ", " + range_text(*range);
}

/// `T` is the field's type: a limit rounded to float counts as within the limits.
template <class T>
bool in_range(const Option& option, double value) {
  if (!std::isfinite(value)) return false;
  const auto* range = std::get_if<Range>(&option.allowed);
  if (range == nullptr) return true;
  const double low = std::min(range->low, static_cast<double>(static_cast<T>(range->low)));
  const double high = std::max(range->high, static_cast<double>(static_cast<T>(range->high)));
  return value >= low && value <= high && (!range->is_even || std::fmod(value, 2) == 0);
}

/// The index of `text` among the choices, or nothing if it is not one of them.
std::optional<std::size_t> choice(const Option& option, const std::string& text) {
  const auto& values = std::get<Choices>(option.allowed).values;
  const auto found = std::find(values.begin(), values.end(), text);
  if (found == values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - values.begin());
}

/// Sets the field; returns false if the value is not allowed.
bool try_assign(const Option& option, const OptionValue& given) {
  const auto* whole = std::get_if<std::int64_t>(&given);
  const auto* text = std::get_if<std::string>(&given);
  return visit_field(option, [&]<class T>(auto& field, std::type_identity<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      const bool* value = std::get_if<bool>(&given);
      if (value == nullptr) return false;
      field = *value;
    } else if constexpr (is_whole<T>) {
      if (whole == nullptr || *whole < std::numeric_limits<T>::min() ||
          *whole > std::numeric_limits<T>::max() ||
          !in_range<double>(option, static_cast<double>(*whole)))
        return false;
      field = static_cast<T>(*whole);
    } else if constexpr (std::is_floating_point_v<T>) {
      const double* number = std::get_if<double>(&given);
      if (whole == nullptr && number == nullptr) return false;
      const double value = number != nullptr ? *number : static_cast<double>(*whole);
      if (!in_range<T>(option, value)) return false;
      field = static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, EnumField>) {
      const auto index = text != nullptr ? choice(option, *text) : std::nullopt;
      if (!index) return false;
      field.set_index(*index);
    } else if constexpr (is_list_type<T>) {
      const T* list = std::get_if<T>(&given);
      if (list == nullptr) return false;
      if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
        for (const std::int64_t one : *list)
          if (!in_range<double>(option, static_cast<double>(one))) return false;
      field = *list;
    } else {
      const auto* list = std::get_if<std::vector<std::string>>(&given);
      if (list != nullptr && !list->empty() && std::holds_alternative<TextOrList>(option.allowed)) {
        field = fmt::format("{}", fmt::join(*list, ","));
        return true;
      }
      if (text == nullptr) return false;
      if (std::holds_alternative<Choices>(option.allowed) && !choice(option, *text)) return false;
      field = *text;
    }
    return true;
  });
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The field's value.
OptionValue value_of(const Option& option) {
  return visit_field(option, [&]<class T>(const auto& field, std::type_identity<T>) -> OptionValue {
    if constexpr (std::is_same_v<T, EnumField>)
      return std::get<Choices>(option.allowed).values.at(field.index());
    else if constexpr (is_whole<T>)
      return std::int64_t{field};
    else if constexpr (std::is_same_v<T, float>)
      return parse_number<double>(number_text(field)).value();  // 1.7F as 1.7
    else
      return field;
  });
}

std::optional<OptionValue> value_of(const nlohmann::json& json, const Option& option) {
  if (json.is_boolean()) return json.get<bool>();
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  if (json.is_number_float() || (json.is_number_unsigned() && json.get<std::uint64_t>() > kLargest))
    return json.get<double>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return std::nullopt;
  if (std::holds_alternative<std::vector<std::string>*>(option.field) ||
      std::holds_alternative<TextOrList>(option.allowed)) {
    if (!std::ranges::all_of(json, [](const auto& one) { return one.is_string(); }))
      return std::nullopt;
    return json.get<std::vector<std::string>>();
  }
  if (!std::ranges::all_of(json, [](const auto& one) { return one.is_number_integer(); }))
    return std::nullopt;
  return json.get<std::vector<std::int64_t>>();
}

std::string key_of(std::string_view section, std::string_view name) {
  return section.empty() ? std::string(name) : fmt::format("{}.{}", section, name);
}

}  // namespace

bool Option::has_name(std::string_view text) const {
  return name == text || std::ranges::find(former_names, text) != former_names.end();
}

bool Option::is_list() const {
  return visit_field(*this,
                     []<class T>(const auto&, std::type_identity<T>) { return is_list_type<T>; });
}

OptionValue parse_value(const Option& option, std::string_view word) {
  if (std::holds_alternative<std::vector<std::string>*>(option.field))
    return std::vector<std::string>{std::string(word)};
  if (option.is_list()) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; at <= word.size();) {
      const std::size_t end = std::min(word.find(',', at), word.size());
      const auto number = parse_number<std::int64_t>(word.substr(at, end - at));
      if (!number) return std::string(word);
      numbers.push_back(*number);
      at = end + 1;
    }
    return numbers;
  }
  const bool is_text_field =
      visit_field(option, []<class T>(const auto&, std::type_identity<T>) { return is_text<T>; });
  if (is_text_field) return std::string(word);
  if (word == "true" || word == "false") return word == "true";
  if (const auto whole = parse_number<std::int64_t>(word)) return *whole;
  if (const auto number = parse_number<double>(word)) return *number;
  return std::string(word);
}

void refuse_value(const Option& option, std::string_view key, std::string_view shown) {
  throw OptionError(fmt::format("'{}' is {}, but must be {}", key, shown, requirement(option)));
}

void assign(const Option& option, std::string_view key, const OptionValue& value,
            std::string_view shown) {
  if (!try_assign(option, value)) refuse_value(option, key, shown);
}

void assign_given(const std::vector<Option>& options, const GivenValues& given) {
  for (const Option& option : options)
    if (const auto found = given.find(option.name); found != given.end())
      assign(option, option.name, found->second, "given");
}

std::string value_text(const Option& option) {
  return visit_field(option, [&]<class T>(const auto& field, std::type_identity<T>) -> std::string {
    if constexpr (std::is_same_v<T, bool>)
      return field ? "true" : "false";
    else if constexpr (is_whole<T>)
      return std::to_string(field);
    else if constexpr (std::is_floating_point_v<T>)
      return number_text(field);
    else if constexpr (is_list_type<T>)
      return json_text(nlohmann::json(field));
    else if (const auto text = std::get<std::string>(value_of(option));
             std::holds_alternative<TextOrList>(option.allowed) &&
             text.find(',') != std::string::npos)
      return json_text(nlohmann::json(split_list(text, ',')));
    else
      return quoted_text(text);
  });
}

std::string value_text(const std::vector<Option>& options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &Option::name);
  assert(found != options.end());
  return value_text(*found);
}

std::string allowed_text(const Option& option) {
  if (const auto* range = std::get_if<Range>(&option.allowed)) return range_text(*range);
  if (const auto* choices = std::get_if<Choices>(&option.allowed))
    return fmt::format("{}", fmt::join(choices->values, ", "));
  return std::holds_alternative<bool*>(option.field) ? "true, false" : "text";
}

void check_options(const std::vector<Option>& options, std::string_view section) {
  for (const Option& option : options)
    assign(option, key_of(section, option.name), value_of(option), value_text(option));
}

void refuse_conflict(const std::vector<Option>& options, std::string_view section,
                     const Conflict& conflict) {
  throw OptionError(fmt::format("'{}' is {}, but {} '{}', which is {}",
                                key_of(section, conflict.name), value_text(options, conflict.name),
                                conflict.relation, key_of(section, conflict.other),
                                value_text(options, conflict.other)));
}

nlohmann::ordered_json options_to_json(const std::vector<Option>& options) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Option& option : options)
    std::visit([&](const auto& value) { json[option.name] = value; }, value_of(option));
  return json;
}

namespace {

void read_options(const std::vector<Option>& options, const nlohmann::json& json,
                  const std::string& what, bool all_are_needed) {
  if (!json.is_object()) throw std::runtime_error(what + ": expected a JSON object");
  for (const Option& option : options) {
    auto found = json.find(option.name);
    for (const std::string& former : option.former_names)
      if (found == json.end()) found = json.find(former);
    if (found == json.end()) {
      if (!all_are_needed) continue;
      throw std::runtime_error(fmt::format("{}: key '{}' is missing", what, option.name));
    }
    const std::optional<OptionValue> value = value_of(*found, option);
    if (!value)
      throw std::runtime_error(fmt::format("{}: key '{}' has the wrong type ({})", what,
                                           option.name, found->type_name()));
    if (!try_assign(option, *value))
      throw std::runtime_error(fmt::format("{}: key '{}' is {}, but must be {}", what, option.name,
                                           quote(found->dump()), requirement(option)));
  }
}

}  // namespace

void options_from_json(const std::vector<Option>& options, const nlohmann::json& json,
                       const std::string& what) {
  read_options(options, json, what, true);
}

void some_options_from_json(const std::vector<Option>& options, const nlohmann::json& json,
                            const std::string& what) {
  read_options(options, json, what, false);
}

}  // namespace faultline
