// Keys that an older form of the language had, in the words of today's.
#include "rules/data/older_keys.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/quote.h"

namespace faultline::data {
namespace {

TomlValue* find_table(TomlValue* table, std::string_view key) {
  TomlValue* found = table != nullptr ? table->find(key) : nullptr;
  return found != nullptr && found->is_table() ? found : nullptr;
}

class OlderKeys {
 public:
  OlderKeys(TomlValue& root, Findings& findings) : root_(root), findings_(findings) {}

  void read() {
    TomlValue* board = find_table(&root_, "board");
    if (TomlValue* belts = board != nullptr ? board->find("belt") : nullptr)
      for (TomlValue& belt : belts->items)
        rename(&belt, "board.belt", "advance", "when");
    rename(find_table(find_table(board, "sectors"), "slide"), "board.sectors.slide", "areas",
           "far");
    if (TomlValue* levels = find_table(board, "levels")) read_levels(*levels);
    if (TomlValue* pieces = find_table(&root_, "pieces"))
      for (TomlValue& piece : pieces->items)
        if (piece.is_table()) read_piece(piece);
    for (const char* key : {"capture_forced", "checks_forbidden"})
      move_to_rules(key);
  }

 private:
  /// Takes a key out of a table, and says what it is called now.
  TomlValue taken(TomlValue& table, std::string_view path, std::string_view key) {
    TomlValue value = *table.find(key);
    findings_.warning(value, quote(std::string(path) + '.' + std::string(key)) + " " +
                                 std::string(why_refused(path, key)));
    table.erase(key);
    return value;
  }
  void rename(TomlValue* table, std::string_view path, std::string_view key, std::string_view now) {
    if (table == nullptr || !table->is_table() || table->find(key) == nullptr ||
        table->find(now) != nullptr)
      return;
    TomlValue value = taken(*table, path, key);
    value.key = now;
    table->set(std::move(value));
  }

  void read_levels(TomlValue& levels) {
    TomlValue* descend = find_table(&levels, "descend");
    const TomlValue* colour = descend != nullptr ? descend->find("colour") : nullptr;
    const TomlValue* who = descend != nullptr ? descend->find("who") : nullptr;
    if (colour != nullptr && who != nullptr && colour->is_text() &&
        (colour->text == "same" || colour->text == "any")) {
      TomlValue same = *who;
      const TomlValue old = taken(*descend, "board.levels.descend", "colour");
      same.key = "same";
      same.line = old.line;
      if (old.text == "same") descend->set(std::move(same));
    }
    const TomlValue* lost = find_table(&levels, "lost");
    const auto is_built_in = [](const TomlValue& item) {
      return item.is_text() && ((item.key == "level" && item.text == "deepest mated") ||
                                (item.key == "winner" && item.text == "ascends") ||
                                (item.key == "level_one" && item.text == "vanishes"));
    };
    if (lost == nullptr || !std::ranges::all_of(lost->items, is_built_in)) return;
    TomlValue truth = taken(levels, "board.levels", "lost");
    truth.items.clear();
    truth.kind = TomlValue::Kind::Truth;
    truth.truth = true;
    levels.set(std::move(truth));
  }

  void read_piece(TomlValue& piece) {
    const TomlValue* over = piece.find("over");
    if (over != nullptr && over->is_text() &&
        (over->text == "pieces" || over->text == "pieces, barriers sideways")) {
      TomlValue crosses = taken(piece, "pieces.P", "over");
      crosses.key = "crosses";
      if (crosses.text != "pieces") {
        crosses.text = "barriers sideways";
        piece.set(std::move(crosses));
      }
    }
    if (const TomlValue* carried = piece.find("carried"); carried != nullptr && carried->is_text())
      read_carried(piece);
    TomlValue* promotes = piece.find("promotes");
    if (promotes == nullptr) return;
    read_promotion(*promotes);
    if (promotes->is_list())
      for (TomlValue& one : promotes->items)
        read_promotion(one);
  }

  /// `promotes` may be another file's: then a table with nothing else is merged into it.
  void read_carried(TomlValue& piece) {
    const TomlValue carried = taken(piece, "pieces.P", "carried");
    if (piece.find("promotes") == nullptr) {
      TomlValue table;
      table.key = "promotes";
      table.file = carried.file;
      table.line = carried.line;
      piece.set(std::move(table));
    }
    TomlValue& promotes = *piece.find("promotes");
    if (promotes.is_table()) promotes.set(carried);
    if (!promotes.is_list()) return;
    for (TomlValue& one : promotes.items)
      if (one.is_table()) one.set(carried);
  }

  void read_promotion(TomlValue& promotes) {
    rename(&promotes, "pieces.P.promotes", "from", "stock");
    const TomlValue* optional = promotes.is_table() ? promotes.find("optional") : nullptr;
    if (optional == nullptr || optional->kind != TomlValue::Kind::Truth) return;
    TomlValue must = taken(promotes, "pieces.P.promotes", "optional");
    if (!must.truth) return;
    must.key = "must";
    must.kind = TomlValue::Kind::Text;
    must.text = "nowhere";
    promotes.set(std::move(must));
  }

  void move_to_rules(std::string_view key) {
    TomlValue* ends = find_table(&root_, "ends");
    if (ends == nullptr || ends->find(key) == nullptr) return;
    TomlValue value = taken(*ends, "ends", key);
    if (root_.find("rules") == nullptr) {
      TomlValue table;
      table.key = "rules";
      table.file = value.file;
      table.line = value.line;
      root_.set(std::move(table));
    }
    if (TomlValue* rules = find_table(&root_, "rules")) rules->set(std::move(value));
  }

  TomlValue& root_;
  Findings& findings_;
};

}  // namespace

void read_older_keys(TomlValue& root, Findings& findings) {
  OlderKeys(root, findings).read();
}

}  // namespace faultline::data
