// Declaring settings: each settings struct has one table, from which parsing, validation,
// serialisation, the reference documentation and the error messages are derived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

/// A value that its option does not allow. The message names the key as the user writes it and
/// states what is allowed.
class OptionError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Any value of the type.
struct Anything {};
/// A number within [low, high]; of a list, each of its numbers. A `high` of kLargestWhole or more
/// is not shown, and infinity means no upper limit.
struct Range {
  double low;
  double high;
  bool is_even = false;  // only even numbers
};
/// One of a fixed set of strings.
struct Choices {
  std::vector<std::string> values;
};

/// A text, or a list of texts, which is kept as one text with commas between.
struct TextOrList {};

/// The highest limit of an integer: every integer up to it is exactly representable as a double.
inline constexpr double kLargestWhole = 9e15;

/// A field of enumeration type. Its option's Choices name the enumerators, which are numbered from
/// 0.
class EnumField {
 public:
  template <class Enum>
  requires std::is_enum_v<Enum>
  explicit EnumField(Enum* field)
      : field_(field),
        read_([](const void* f) { return static_cast<std::size_t>(*static_cast<const Enum*>(f)); }),
        write_([](void* f, std::size_t i) { *static_cast<Enum*>(f) = static_cast<Enum>(i); }) {}

  std::size_t index() const { return read_(field_); }
  void set_index(std::size_t index) const { write_(field_, index); }

 private:
  void* field_;
  std::size_t (*read_)(const void*);
  void (*write_)(void*, std::size_t);
};

/// One setting, bound to a field of one struct; its default is the field's initialiser.
struct Option {
  std::string name;
  std::variant<bool*, int*, std::int64_t*, float*, double*, std::string*, EnumField,
               std::vector<std::int64_t>*, std::vector<std::string>*>
      field;
  std::variant<Anything, Range, Choices, TextOrList> allowed;
  std::string help;
  /// Names used for it in files of earlier versions.
  std::vector<std::string> former_names = {};

  /// Whether this is its name or a former name.
  bool has_name(std::string_view text) const;
  bool is_list() const;
};

/// A section of settings, [name] in TOML, and its purpose.
struct OptionSection {
  std::string name;
  std::string help;
  std::vector<Option> options;
};

/// Two settings of one section that are each valid but contradict each other: `name` violates
/// its `relation` ("must not exceed") to `other`.
struct Conflict {
  std::string name;
  std::string relation;
  std::string other;
};

/// A value as given in a file or on the command line.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<std::string>>;

/// A command-line argument, converted to `option`'s type if possible, else the string itself. Of a
/// list it is one element or, of numbers, several with commas between.
OptionValue parse_value(const Option& option, std::string_view word);

/// Values by the names of their options, as the command line gives them.
using GivenValues = std::map<std::string, OptionValue, std::less<>>;
/// Sets the fields of the options that are given. Throws as assign() does.
void assign_given(const std::vector<Option>& options, const GivenValues& given);

/// Sets the field. Throws OptionError "'KEY' is SHOWN, but must be a whole number, 2 to 64" for a
/// value of the wrong type or one that is not allowed, and leaves the field unchanged.
void assign(const Option& option, std::string_view key, const OptionValue& value,
            std::string_view shown);
/// Throws that error.
[[noreturn]] void refuse_value(const Option& option, std::string_view key, std::string_view shown);

/// The field's value as TOML.
std::string value_text(const Option& option);
/// The value of the option called `name`, which must exist, as text.
std::string value_text(const std::vector<Option>& options, std::string_view name);
/// The allowed values, human-readable: "0 to 1", "at least 2", "sgd, adamw", "true, false", "text".
std::string allowed_text(const Option& option);

/// Throws OptionError for the first field whose value is not allowed; it is called "section.name",
/// or "name" if `section` is "".
void check_options(const std::vector<Option>& options, std::string_view section);
/// Throws OptionError "'net.se_ratio' is 8, but must not exceed 'net.channels', which is 4".
[[noreturn]] void refuse_conflict(const std::vector<Option>& options, std::string_view section,
                                  const Conflict& conflict);

/// An object with each option's value under its name, in the order of the options.
nlohmann::ordered_json options_to_json(const std::vector<Option>& options);
/// Sets every field from an object; former names are accepted. Throws std::runtime_error "WHAT:
/// ..." naming a missing key, or one whose value has the wrong type or is not allowed.
void options_from_json(const std::vector<Option>& options, const nlohmann::json& json,
                       const std::string& what);
/// Does the same, but a field whose key is missing keeps its value.
void some_options_from_json(const std::vector<Option>& options, const nlohmann::json& json,
                            const std::string& what);

}  // namespace faultline
