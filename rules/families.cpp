// The list of families, for display.
#include "rules/families.h"

#include "base/nearest_name.h"
#include "base/quote.h"

namespace faultline {

std::vector<const FamilyInfo*> all_families() {
  return std::apply(
      [](const auto&... position) {
        return std::vector<const FamilyInfo*>{&std::decay_t<decltype(position)>::info()...};
      },
      Families{});
}

const FamilyInfo& family_info(const std::string& family) {
  for (const FamilyInfo* info : all_families())
    if (info->name == family) return *info;
  throw_unknown_family(family);
}

void throw_unknown_family(const std::string& family) {
  std::vector<std::string> names;
  for (const FamilyInfo* info : all_families())
    names.push_back(info->name);
  std::string message = "unknown family " + quote(family) + "; families are ";
  for (std::size_t i = 0; i < names.size(); ++i)
    message += (i ? ", " : "") + names[i];
  throw VariantError(message + did_you_mean(nearest_name(family, names)));
}

}  // namespace faultline
