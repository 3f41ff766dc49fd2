// [rules] and [ends] of a game's file.
#include "rules/data/ends_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "rules/data/references.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

Result result_in(const TomlValue& value, Result usual) {
  constexpr std::array<std::string_view, 3> kResults = {"draw", "win", "loss"};
  const auto* const found = std::ranges::find(kResults, std::string_view(value.text));
  return found == kResults.end() ? usual : static_cast<Result>(found - kResults.begin());
}
Result result_of(const TomlValue& table, Result usual) {
  const TomlValue* value = table.find("result");
  return value != nullptr ? result_in(*value, usual) : usual;
}

/// A number, or a table with a number and a result.
std::optional<Counted> counted_of(const TomlValue& table, std::string_view key,
                                  std::string_view number) {
  if (const auto count = whole_of(table, key)) return Counted{.count = *count};
  const TomlValue* value = table_of(table, key);
  const auto count = value != nullptr ? whole_of(*value, number) : std::nullopt;
  if (!count) return std::nullopt;
  return Counted{.count = *count, .result = result_of(*value, Result::Draw)};
}

class EndsReader {
 public:
  EndsReader(const TomlValue& table, const MergedFile& file, const BoardRead& board,
             const std::vector<PieceType>& pieces, Findings& findings)
      : table_(table),
        findings_(findings),
        zones_(file, board.zones, findings),
        letters_(pieces, file, findings),
        usable_(board.usable) {}

  Ends read() {
    Ends ends;
    for (const Colour colour : {Colour::White, Colour::Black})
      ends.sides[at(index(colour))] = read_side(colour);
    ends.only_royals_draw = text_of(table_, "only_royals") != "go on";
    ends.plies = counted_of(table_, "plies", "count");
    ends.repetition = counted_of(table_, "repetition", "times");
    ends.most_plies = whole_of(table_, "most_plies").value_or(0);
    return ends;
  }

 private:
  SideEnds read_side(Colour colour) {
    SideEnds side;
    side.checkmate = mate("checkmate", "is mated", colour, Result::Loss);
    side.stalemate = mate("stalemate", "cannot move", colour, Result::Draw);
    if (const TomlValue* checks = side_value(table_, "checks", colour).value)
      side.checks = static_cast<int>(checks->whole);
    if (const TomlValue* bare = side_value(table_, "bare_king", colour).value)
      side.bare_king = BareKing{.reply = truth_of(*bare, "reply").value_or(false),
                                .result = bare->is_table() ? result_of(*bare, Result::Loss)
                                                           : result_in(*bare, Result::Loss)};
    for (const TomlValue* one : tables_in(side_value(table_, "extinct", colour).value))
      read_extinct(*one, side);
    const SideValue reach = side_value(table_, "reach", colour);
    for (const TomlValue* one : tables_in(reach.value))
      read_reach(reach.within(one), side);
    return side;
  }

  Result mate(std::string_view key, const std::string& of, Colour colour, Result usual) {
    const TomlValue* value = side_value(table_, key, colour).value;
    if (value == nullptr || !value->is_text()) return usual;
    if (result_in(*value, Result::Draw) != result_in(*value, Result::Win))
      findings_.error(*value, value->key +
                                  " is one of \"draw\", \"win\", \"loss\" for the side that " + of +
                                  ", not " + value->shown() +
                                  "; where the sides differ see white = { … }: white = { " +
                                  value->key + " = \"loss\" }");
    return result_in(*value, usual);
  }

  void read_extinct(const TomlValue& table, SideEnds& side) {
    const TomlValue* any = table.find("any");
    const TomlValue* all = table.find("all");
    if (any != nullptr && all != nullptr) {
      const TomlValue& old = any->file && table.file && *any->file == *table.file ? *all : *any;
      findings_.error(table, "extinct has both any = " + any->shown() + " and all = " +
                                 all->shown() + MergedFile::culprit(old, table).origin +
                                 ": take one away: " + old.key + " = \"none\"");
      return;
    }
    if (any == nullptr && all == nullptr) {
      findings_.error(table,
                      "extinct says which pieces: extinct = { all = \"*\", result = \"loss\" } "
                      "(all of them are gone), or any = \"QRBNPK\" (one type is)");
      return;
    }
    const TypeSet types = letters_.read_set(all != nullptr ? all : any);
    if (types != 0)
      side.extinct.push_back(
          {.types = types, .all = all != nullptr, .result = result_of(table, Result::Loss)});
  }

  void read_reach(const SideValue& reach, SideEnds& side) {
    const TomlValue& table = *reach.value;
    const TomlValue& zone = *table.find("zone");
    const TypeSet types = letters_.read_set(table.find("piece"));
    const auto squares = usable_ ? zones_.read(reach.within(&zone)) : std::nullopt;
    if (types == 0 || !squares) return;
    if (squares->none()) findings_.error(zone, "zone = \"nowhere\" is never reached");
    side.reach.push_back({.types = types,
                          .zone = *squares,
                          .reply = truth_of(table, "reply").value_or(false),
                          .result = result_of(table, Result::Win)});
  }

  const TomlValue& table_;
  Findings& findings_;
  SideZones zones_;
  Letters letters_;
  bool usable_;
};

}  // namespace

Rules read_rules(const MergedFile& file, const std::vector<PieceType>& pieces, Findings& findings) {
  Rules rules;
  const TomlValue* table = table_of(file.root, "rules");
  if (table == nullptr) return rules;
  rules.capture_forced = truth_of(*table, "capture_forced").value_or(false);
  if (truth_of(*table, "checks_forbidden").value_or(false)) rules.checks = ChecksForbidden::Yes;
  if (text_of(*table, "checks_forbidden")) rules.checks = ChecksForbidden::UnlessMate;
  if (const TomlValue* explode = table_of(*table, "explode"))
    rules.explode =
        Rules::Explode{Letters(pieces, file, findings).read_set(explode->find("spares"))};
  return rules;
}

Ends read_ends(const MergedFile& file, const BoardRead& board, const std::vector<PieceType>& pieces,
               Findings& findings) {
  const TomlValue* table = table_of(file.root, "ends");
  const TomlValue none;
  return EndsReader(table != nullptr ? *table : none, file, board, pieces, findings).read();
}

}  // namespace faultline::data
