// faultline.h: families, options, and variants with what networks see of them.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/interned.h"
#include "library/errors.h"
#include "library/handles.h"
#include "model/encoding/attack_planes.h"
#include "model/export/export_options.h"
#include "rules/families.h"

namespace faultline {

const faultline_variant& variant_of(const Game& game) {
  static Interned<const Game*, faultline_variant> variants;
  return variants.get(&game, [](const Game* of) {
    return faultline_variant{.game = of,
                             .encoding_with_attacks = faultline::with_attack_planes(of->encoding()),
                             .start_fen = of->start()->fen(),
                             .summary = of->description().summary};
  });
}

void require_variant(const faultline_position& position, const faultline_variant& variant,
                     const char* whose) {
  if (position.variant == &variant) return;
  throw LibraryError(FAULTLINE_ERROR_VARIANT, "the position is of the variant '" +
                                                  position.variant->game->variant() + "', the " +
                                                  whose + " of '" + variant.game->variant() + "'");
}

namespace {

const FamilyInfo& family_at(std::size_t index) {
  static const std::vector<const FamilyInfo*> families = all_families();
  if (index < families.size()) return *families[index];
  throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "there is no family " + std::to_string(index) +
                                                   "; they are numbered 0 to " +
                                                   std::to_string(families.size() - 1));
}

const OptionInfo& option_at(std::size_t family, std::size_t index) {
  const FamilyInfo& info = family_at(family);
  if (index < info.options.size()) return info.options[index];
  throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "the family '" + info.name + "' has " +
                                                   std::to_string(info.options.size()) +
                                                   " options, no option " + std::to_string(index));
}

/// A number of the variant's encoding; 0 without a variant.
template <class Number>
auto encoding_number(const faultline_variant* variant, Number number)
    -> decltype(number(variant->game->encoding())) {
  const auto* const found = pointer_of([&] { return &given(variant, "variant").game->encoding(); });
  return found == nullptr ? 0 : number(*found);
}

}  // namespace
}  // namespace faultline

using faultline::EncodingInfo;
using faultline::given;
using faultline::pointer_of;

size_t faultline_family_count(void) {
  return faultline::all_families().size();
}
const char* faultline_family_name(size_t family) {
  return pointer_of([&] { return faultline::family_at(family).name.c_str(); });
}
const char* faultline_family_inventor(size_t family) {
  return pointer_of([&] { return faultline::family_at(family).inventor.c_str(); });
}
const char* faultline_family_summary(size_t family) {
  return pointer_of([&] { return faultline::family_at(family).summary.c_str(); });
}
size_t faultline_option_count(size_t family) {
  const auto* const info = pointer_of([&] { return &faultline::family_at(family); });
  return info == nullptr ? 0 : info->options.size();
}
const char* faultline_option_name(size_t family, size_t option) {
  return pointer_of([&] { return faultline::option_at(family, option).name.c_str(); });
}
const char* faultline_option_default(size_t family, size_t option) {
  return pointer_of([&] { return faultline::option_at(family, option).default_value.c_str(); });
}
const char* faultline_option_allowed(size_t family, size_t option) {
  return pointer_of([&] { return faultline::option_at(family, option).allowed.c_str(); });
}
const char* faultline_option_help(size_t family, size_t option) {
  return pointer_of([&] { return faultline::option_at(family, option).help.c_str(); });
}

const faultline_variant* faultline_variant_find(const char* name) {
  return pointer_of([&] {
    given(name, "name");
    return &faultline::variant_of(faultline::find_game(name));
  });
}
const char* faultline_variant_name(const faultline_variant* variant) {
  return pointer_of([&] { return given(variant, "variant").game->variant().c_str(); });
}
const char* faultline_variant_family(const faultline_variant* variant) {
  return pointer_of([&] { return given(variant, "variant").game->family().name.c_str(); });
}
const char* faultline_variant_summary(const faultline_variant* variant) {
  return pointer_of([&] { return given(variant, "variant").summary.c_str(); });
}
const char* faultline_variant_start_fen(const faultline_variant* variant) {
  return pointer_of([&] { return given(variant, "variant").start_fen.c_str(); });
}

size_t faultline_variant_planes(const faultline_variant* variant) {
  return faultline::encoding_number(variant,
                                    [](const EncodingInfo& info) { return info.planes.size(); });
}
size_t faultline_variant_attack_planes(const faultline_variant* variant) {
  return faultline::encoding_number(variant, [](const EncodingInfo& info) {
    return faultline::with_attack_planes(info).planes.size() - info.planes.size();
  });
}
size_t faultline_variant_height(const faultline_variant* variant) {
  return faultline::encoding_number(
      variant, [](const EncodingInfo& info) { return static_cast<size_t>(info.height); });
}
size_t faultline_variant_width(const faultline_variant* variant) {
  return faultline::encoding_number(
      variant, [](const EncodingInfo& info) { return static_cast<size_t>(info.width); });
}
const char* faultline_variant_plane_name(const faultline_variant* variant, size_t plane) {
  return pointer_of([&] {
    const std::vector<std::string>& planes = given(variant, "variant").encoding_with_attacks.planes;
    if (plane >= planes.size())
      throw faultline::LibraryError(FAULTLINE_ERROR_ARGUMENT,
                                    "there is no plane " + std::to_string(plane) +
                                        "; they are numbered 0 to " +
                                        std::to_string(planes.size() - 1));
    return planes[plane].c_str();
  });
}
int64_t faultline_variant_slots(const faultline_variant* variant) {
  return faultline::encoding_number(
      variant, [](const EncodingInfo& info) { return faultline::slot_count(info); });
}
