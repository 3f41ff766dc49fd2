// How a game's file refers to pieces and squares: letters, zones, and values of one side.
#include "rules/data/references.h"

#include <algorithm>

#include "base/quote.h"
#include "rules/data/words.h"

namespace faultline::data {

TypeIndex Letters::find(std::string_view letter) const {
  const auto found = std::ranges::find(pieces_, letter, &PieceType::letter);
  return found == pieces_.end() ? kNoType : static_cast<TypeIndex>(found - pieces_.begin());
}

std::string Letters::all() const {
  std::vector<std::string> letters;
  for (const PieceType& piece : pieces_)
    letters.push_back(piece.letter);
  return joined(letters, " ", " ");
}

std::optional<std::vector<TypeIndex>> Letters::read(const TomlValue& value,
                                                    std::string_view says) const {
  std::vector<TypeIndex> types;
  const std::vector<const TomlValue*> texts = texts_in(&value);
  for (const TomlValue* one : texts)
    if (!read_text(value, one->text, says, types)) return std::nullopt;
  if (!types.empty()) return types;
  if (!texts.empty() || (value.is_list() && value.items.empty()))
    findings_.error(value,
                    value.key + " = " + value.shown() + " names no piece; pieces are " + all());
  return std::nullopt;
}

bool Letters::read_text(const TomlValue& value, const std::string& text, std::string_view says,
                        std::vector<TypeIndex>& types) const {
  std::string_view rest = trimmed(text);
  const bool inverted = rest.starts_with("not ");
  if (inverted) rest.remove_prefix(4);
  std::vector<TypeIndex> named;
  const auto add_once = [](std::vector<TypeIndex>& list, TypeIndex type) {
    if (std::ranges::find(list, type) == list.end()) list.push_back(type);
  };
  while (!rest.empty()) {
    const std::string_view letter = rest.substr(0, rest[0] == '+' ? 2 : 1);
    rest.remove_prefix(letter.size());
    if (letter == " " || letter == ",") continue;
    if (letter == "*") {
      for (std::size_t t = 0; t < pieces_.size(); ++t)
        add_once(named, static_cast<TypeIndex>(t));
      continue;
    }
    const TypeIndex type = find(letter);
    if (type == kNoType) {
      refuse(value, text, letter, says);
      return false;
    }
    add_once(named, type);
  }
  for (std::size_t t = 0; inverted && t < pieces_.size(); ++t)
    if (std::ranges::find(named, static_cast<TypeIndex>(t)) == named.end())
      add_once(types, static_cast<TypeIndex>(t));
  for (std::size_t i = 0; !inverted && i < named.size(); ++i)
    add_once(types, named[i]);
  return true;
}

void Letters::refuse(const TomlValue& value, const std::string& text, std::string_view letter,
                     std::string_view says) const {
  const TomlValue* pieces = file_.root.find("pieces");
  if (pieces_.empty() || pieces == nullptr || pieces->find(letter) != nullptr) return;  // told
  const MergedFile::Removal* removal = file_.find_removal("pieces." + std::string(letter));
  if (removal == nullptr || file_.is_own(value) || says.empty()) {
    findings_.error(value,
                    value.key + " = " + value.shown() + ": there is no piece " + quote(letter) +
                        "; pieces are " + all() +
                        (letter.size() == 1 && is_small_letter(letter[0]) ? ", in capitals" : ""));
    return;
  }
  // What the piece could become instead: a new piece of this file takes the place.
  const auto is_fresh = [&](const PieceType& piece) {
    const TomlValue* item = pieces->find(piece.letter);
    return item != nullptr && file_.is_own(*item) && item->find("royal") == nullptr &&
           item->find("promotes") == nullptr && text.find(piece.letter) == std::string::npos;
  };
  const auto is_plain = [&](const PieceType& piece) {
    const TomlValue* item = pieces->find(piece.letter);
    return item != nullptr && item->find("royal") == nullptr && item->find("promotes") == nullptr;
  };
  auto fresh = std::ranges::find_if(pieces_, is_fresh);
  if (fresh == pieces_.end() && text == letter) fresh = std::ranges::find_if(pieces_, is_plain);
  std::string instead = text;
  instead.replace(instead.find(letter), letter.size(), fresh == pieces_.end() ? "" : fresh->letter);
  findings_.error(removal->value, std::string(letter) + " = \"none\", but " + std::string(says) +
                                      " \"" + printable(text, 60) + "\" (" + value.place() +
                                      "). Say it anew: [pieces." +
                                      std::string(says.substr(0, says.find(' '))) +
                                      "] promotes = { " + value.key + " = \"" + instead + "\" }.");
}

TypeSet Letters::read_set(const TomlValue* value) const {
  TypeSet set = 0;
  if (value == nullptr) return set;
  for (const TypeIndex type : read(*value).value_or(std::vector<TypeIndex>{}))
    set |= TypeSet{1} << type;
  return set;
}

std::optional<SquareSet> read_zone(const TomlValue& value, const MergedFile& file,
                                   const Zones& zones, Findings& findings) {
  if (!value.is_text()) return std::nullopt;
  const Zones::Read read = zones.read(value.text);
  if (read.error.empty()) return read.squares;
  const TomlValue* shape = file.is_own(value) ? nullptr : file.own_shape();
  if (shape == nullptr) {
    findings.error(value, value.key + ": " + read.error);
    return std::nullopt;
  }
  // What a base says does not fit this file's board.
  const TomlValue* ranks = file.root.find("board")->find("ranks");
  if (ranks != nullptr && file.is_own(*ranks) && read.error.starts_with("rank")) shape = ranks;
  findings.error(*shape, "board." + shape->key +
                             (shape->is_list() ? " has another board" : " = " + shape->shown()) +
                             ", but " + value.key + " = \"" + printable(value.text, 60) +
                             "\" (from " + value.place() + "): " + read.error + ". Say " +
                             value.key + " anew.");
  return std::nullopt;
}

SideValue side_value(const TomlValue& table, std::string_view key, Colour colour) {
  const TomlValue* own = table.find(name(colour));
  const TomlValue* value = own != nullptr ? own->find(key) : nullptr;
  return value != nullptr ? SideValue{value, colour, true}
                          : SideValue{table.find(key), colour, false};
}

std::optional<SquareSet> SideZones::read(const SideValue& said) const {
  if (said.value == nullptr) return std::nullopt;
  const std::optional<SquareSet> zone = read_zone(*said.value, file_, zones_, findings_);
  if (!zone || !said.is_mirrored()) return zone;
  const SquareSet other = zones_.mirrored(*zone);
  if (other.any() || zone->none()) return other;
  findings_.error(*said.value, said.value->key + " = " + said.value->shown() +
                                   " has no squares where it is mirrored for Black; say both with "
                                   "white = { … } and black = { … }");
  return std::nullopt;
}

}  // namespace faultline::data
