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
      CompiledFamilies{});
}

const FamilyInfo& family_info(const std::string& family) {
  for (const FamilyInfo* info : all_families())
    if (info->name == family) return *info;
  return with_family({.family = family, .options = {}},
                     []<class P>(std::type_identity<P>, const auto& of) -> const FamilyInfo& {
                       return family_of<P>(of);
                     });
}

const PieceKinds& piece_kinds_of(std::string_view variant) {
  return with_family(parse_variant_name(variant),
                     []<class P>(std::type_identity<P>, const auto& of) -> const PieceKinds& {
                       return P::start(of).piece_kinds();
                     });
}

void throw_unknown_family(const std::string& family) {
  std::vector<std::string> names;
  for (const FamilyInfo* info : all_families())
    names.push_back(info->name);
  std::string message = "unknown family " + quote(family) + "; families are ";
  for (std::size_t i = 0; i < names.size(); ++i)
    message += (i ? ", " : "") + names[i];
  message += ", and data:NAME of the file games/NAME.toml";
  throw VariantError(message + did_you_mean(nearest_name(family, names)));
}

}  // namespace faultline
