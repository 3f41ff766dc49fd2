// Variant names: `family` or `family:option=value,option=value` (docs/rules.md).
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// Unknown family, option or value; the message states what is allowed.
class VariantError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A parsed name. Only its form has been checked.
struct VariantName {
  std::string family;
  std::map<std::string, std::string> options;
};

/// Throws VariantError for an empty family, an option without `=`, or one given twice.
VariantName parse_variant_name(std::string_view text);

/// What `faultline variants` prints, and what a family's options are checked against.
struct OptionInfo {
  std::string name;
  std::string default_value;
  std::string allowed;  // "1 to 6", "on, off"
  std::string help;
};

struct FamilyInfo {
  std::string name;
  std::string inventor;
  std::string summary;  // one sentence about all its variants
  std::vector<OptionInfo> options;
  /// Plies after which matches and self-play cut a game unless told otherwise. Of 40 games of
  /// `uniform` with 100 visits at temperature 0.5, which play on where stronger players mate, at
  /// most two were longer.
  int most_plies = 500;
};

/// What `faultline variants NAME` prints for one variant: only what its options allow.
struct VariantDescription {
  std::string summary;               // one sentence
  std::vector<std::string> rulings;  // what a chess player must know
  std::string move_examples;
};

/// Throws VariantError if `name` has an option that `family` does not know.
void check_option_names(const VariantName& name, const FamilyInfo& family);

/// The value of an option, or its default. Both throw VariantError, naming what `family` allows,
/// for a value that is not a whole number from `low` to `high`, or not one of `choices`.
int number_option(const VariantName& name, const FamilyInfo& family, std::string_view option,
                  int low, int high);
std::string choice_option(const VariantName& name, const FamilyInfo& family,
                          std::string_view option, const std::vector<std::string>& choices);

}  // namespace faultline
