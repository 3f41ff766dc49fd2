// Maps a variant's name to the Position type that implements it. The one list of families is
// rules/families/families.list; rules/families/all.h, with the tuple Families, is generated from
// it.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/families/all.h"
#include "rules/position.h"

namespace faultline {

namespace detail {

template <class P>
bool plays(const VariantName& name) {
  if constexpr (requires { P::info(); })
    return P::info().name == name.family;
  else
    return P::plays(name);
}

}  // namespace detail

/// The descriptions of all families that are compiled, in the order of docs/rules.md.
std::vector<const FamilyInfo*> all_families();

/// One of them, or of a game's file, "data:grand"; throws VariantError for an unknown name.
const FamilyInfo& family_info(const std::string& family);

/// The pieces of a variant. Throws VariantError for a name that is none.
const PieceKinds& piece_kinds_of(std::string_view variant);

/// "unknown family 'ches'; families are chess, escher; did you mean 'chess'?"
[[noreturn]] void throw_unknown_family(const std::string& family);

/// Calls f(std::type_identity<P>{}, variant) for the family that `name` names. Throws VariantError
/// for an unknown family, option or value. `f` must return the same type for every P.
template <class F>
decltype(auto) with_family(const VariantName& name, F&& f) {
  using First = std::tuple_element_t<0, Families>;
  using Result = decltype(f(std::type_identity<First>{}, First::variant(name)));
  const auto attempt = [&]<std::size_t I>(auto&& self,
                                          std::integral_constant<std::size_t, I>) -> Result {
    if constexpr (I == std::tuple_size_v<Families>) {
      throw_unknown_family(name.family);
    } else {
      using P = std::tuple_element_t<I, Families>;
      if (detail::plays<P>(name)) return f(std::type_identity<P>{}, P::variant(name));
      return self(self, std::integral_constant<std::size_t, I + 1>{});
    }
  };
  return attempt(attempt, std::integral_constant<std::size_t, 0>{});
}

}  // namespace faultline
