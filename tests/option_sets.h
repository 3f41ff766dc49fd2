// The variants that tests of every family go through, by canonical name.
#pragma once

#include <string>
#include <vector>

#include "rules/families.h"

namespace faultline::test {

template <class P>
std::vector<std::string> option_sets() {
  return {P::info().name};  // families without options
}

/// Everything that the options allow.
template <>
inline std::vector<std::string> option_sets<SlantedPosition>() {
  std::vector<std::string> names;
  for (const std::string board : {"ultra", "standard", "mini"})
    for (const std::string army : {"standard", "almost", "sort-of-almost"})
      for (const std::string first : {"white", "black"})
        for (const std::string jumpcheck : {"on", "off"})
          if (board == "ultra" || army == "standard")
            names.push_back(SlantedPosition::variant({"slanted",
                                                      {{"board", board},
                                                       {"army", army},
                                                       {"first", first},
                                                       {"jumpcheck", jumpcheck}}})
                                .canonical_name());
  return names;
}

template <>
inline std::vector<std::string> option_sets<EarthquakePosition>() {
  return {
      "earthquake",
      "earthquake:dx=-3",
      "earthquake:dx=7",
      "earthquake:dx=8",
      "earthquake:dx=-8",
      "earthquake:dx=0",
      "earthquake:dx=-2,dy=1",
      "earthquake:dx=0,dy=2",
      "earthquake:dx=-8,dy=3",
      "earthquake:dx=8,dy=4",
      "earthquake:dx=-8,dy=4",
      "earthquake:dx=2,dy=-1,fly=on",
      "earthquake:dx=-5,dy=-2,fly=on",
      "earthquake:dx=8,dy=-2,fly=on",
      "earthquake:dx=0,dy=-2,fly=on",
      "earthquake:dx=4,dy=2,fly=on",
      "earthquake:aftershock=2",
      "earthquake:dx=-1,aftershock=9,shock=7",
      "earthquake:dx=8,dy=3,aftershock=3,shock=4",
      "earthquake:dx=-8,dy=4,aftershock=9,shock=7",
      "earthquake:dx=3,dy=1,aftershock=4,shock=2",
      "earthquake:dx=-4,dy=2,aftershock=9",
      "earthquake:dx=0,dy=-1,fly=on,aftershock=3,shock=3",
      "earthquake:dx=-6,dy=2,fly=on,aftershock=5,shock=5",
      "earthquake:dx=8,dy=-2,fly=on,aftershock=9,shock=7",
  };
}

template <>
inline std::vector<std::string> option_sets<InfernoPosition>() {
  return {"inferno:levels=1", "inferno:levels=2", "inferno:levels=3",
          "inferno:levels=4", "inferno",          "inferno:levels=6"};
}

/// All pairs of gaps.
template <>
inline std::vector<std::string> option_sets<ShiftingPosition>() {
  const std::vector<std::string> areas = {"AII", "AIII", "BII", "BIII",
                                          "CII", "CIII", "DII", "DIII"};
  std::vector<std::string> names;
  for (auto a = areas.begin(); a != areas.end(); ++a)
    for (auto b = a + 1; b != areas.end(); ++b)
      names.push_back(
          ShiftingPosition::variant({"shifting", {{"gaps", *a + "+" + *b}}}).canonical_name());
  return names;
}

/// The variant of that name; it lives until the program ends.
template <class P>
const typename P::Variant& variant(const std::string& name) {
  return P::variant(parse_variant_name(name));
}

}  // namespace faultline::test
