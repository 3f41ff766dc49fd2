// How a game's file refers to pieces and squares: letters, zones, and values of one side.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml_tree.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"
#include "rules/data/zones.h"

namespace faultline::data {

/// Letters of pieces in a text ("QRBN", "Q+R", "*", "not K") or a list of them.
class Letters {
 public:
  Letters(const std::vector<PieceType>& pieces, const MergedFile& file, Findings& findings)
      : pieces_(pieces), file_(file), findings_(findings) {}
  /// In their order, each once. nullopt if there is none, and reported, if one is unknown; `says`
  /// begins the message about one that the file removed: "P promotes to".
  std::optional<std::vector<TypeIndex>> read(const TomlValue& value,
                                             std::string_view says = "") const;
  /// Empty if they cannot be read.
  TypeSet read_set(const TomlValue* value) const;
  TypeIndex find(std::string_view letter) const;
  std::string all() const;

 private:
  bool read_text(const TomlValue& value, const std::string& text, std::string_view says,
                 std::vector<TypeIndex>& types) const;
  void refuse(const TomlValue& value, const std::string& text, std::string_view letter,
              std::string_view says) const;

  const std::vector<PieceType>& pieces_;
  const MergedFile& file_;
  Findings& findings_;
};

/// A zone. nullopt, and reported, if it is none.
std::optional<SquareSet> read_zone(const TomlValue& value, const MergedFile& file,
                                   const Zones& zones, Findings& findings);

/// A key's value for one side, or null.
struct SideValue {
  const TomlValue* value = nullptr;
  Colour colour = Colour::White;
  bool absolute = false;  // from white = { … } or black = { … }: zones in it are not mirrored

  bool is_mirrored() const { return colour == Colour::Black && !absolute; }
  /// A value within this one.
  SideValue within(const TomlValue* inner) const { return {inner, colour, absolute}; }
};
SideValue side_value(const TomlValue& table, std::string_view key, Colour colour);

/// Zones of a side: White's as they are written, Black's mirrored, unless they are absolute.
class SideZones {
 public:
  SideZones(const MergedFile& file, const Zones& zones, Findings& findings)
      : file_(file), zones_(zones), findings_(findings) {}
  /// nullopt if there is no text, and reported, if it is no zone.
  std::optional<SquareSet> read(const SideValue& said) const;

 private:
  const MergedFile& file_;
  const Zones& zones_;
  Findings& findings_;
};

}  // namespace faultline::data
