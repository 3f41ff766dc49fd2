// Declaring what can be set: each struct of settings has one table, and from it come reading,
// checking, writing, the reference and the error messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

/// A value that its option does not allow. The message names the key as the user writes it and says
/// what would be right.
class OptionError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Anything that the type can hold.
struct Anything {};
/// A number within [low, high]. An infinite `high` is no limit, and shown as none.
struct Range {
  double low;
  double high;
};
/// A text of a closed set.
struct Choices {
  std::vector<std::string> values;
};

/// The highest limit of a whole number: every one up to it is a double too.
inline constexpr double kLargestWhole = 9e15;

/// A field of an enumeration. Its option's Choices name the enumerators, which count from 0.
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
  std::variant<bool*, int*, std::int64_t*, float*, double*, std::string*, EnumField> field;
  std::variant<Anything, Range, Choices> allowed;
  std::string help;
  /// Names that files of earlier versions have for it.
  std::vector<std::string> former_names = {};

  /// Whether it is called so, or was.
  bool has_name(std::string_view text) const;
};

/// What the settings under one heading are called, [name] in TOML, and what they are for.
struct OptionSection {
  std::string name;
  std::string help;
  std::vector<Option> options;
};

/// Two settings of one section that contradict each other, each right by itself: `name` must stand
/// in `relation` ("must not exceed") to `other`.
struct Conflict {
  std::string name;
  std::string relation;
  std::string other;
};

/// A value as a file or a command line gives it.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// A word of the command line: what `option` makes of it if it can be a value of its type, else the
/// word itself.
OptionValue parse_value(const Option& option, std::string_view word);

/// Sets the field. Throws OptionError "'KEY' is SHOWN, but must be a whole number, 2 to 64" for a
/// value of another type or one that is not allowed, and leaves the field as it was.
void assign(const Option& option, std::string_view key, const OptionValue& value,
            std::string_view shown);
/// Throws that error.
[[noreturn]] void refuse_value(const Option& option, std::string_view key, std::string_view shown);

/// The field's value as TOML.
std::string value_text(const Option& option);
/// The same of the option called `name`, which there is.
std::string value_text(const std::vector<Option>& options, std::string_view name);
/// What it may be, for people: "0 to 1", "at least 2", "sgd, adamw", "true, false", "text".
std::string allowed_text(const Option& option);

/// Throws OptionError for the first field whose value is not allowed; it is called "section.name".
void check_options(const std::vector<Option>& options, std::string_view section);
/// Throws OptionError "'net.se_ratio' is 8, but must not exceed 'net.channels', which is 4".
[[noreturn]] void refuse_conflict(const std::vector<Option>& options, std::string_view section,
                                  const Conflict& conflict);

/// An object with a value for each option, under its name.
nlohmann::json options_to_json(const std::vector<Option>& options);
/// Sets every field from an object, also under former names. Throws std::runtime_error "WHAT: ..."
/// that names a missing key, or one whose value is of another type or not allowed.
void options_from_json(const std::vector<Option>& options, const nlohmann::json& json,
                       const std::string& what);

}  // namespace faultline
