// [pieces] and [hands] of a game's file, and which pieces descend through holes.
#include "rules/data/piece_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/quote.h"
#include "rules/data/betza.h"
#include "rules/data/references.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

class PieceReader {
 public:
  PieceReader(const MergedFile& file, const BoardRead& board, Findings& findings)
      : file_(file),
        board_(board),
        findings_(findings),
        zones_(file, board.zones, findings),
        letters_(read_.pieces, file, findings) {}

  PiecesRead read() {
    const TomlValue* table = table_of(file_.root, "pieces");
    if (table == nullptr) {
      if (file_.root.find("pieces") == nullptr && !findings_.has_errors())
        findings_.error_in(
            file_.source, 0,
            "has no [pieces]: write K = { moves = \"king\", royal = true } and others "
            "in it, or base = \"chess\" at the top");
      return std::move(read_);
    }
    read_.complete = std::ranges::all_of(table->items, &TomlValue::is_table);
    std::vector<const TomlValue*> order = tables_in_order(*table);
    if (order.size() > kMostTypes) {
      findings_.error(*table, "[pieces] has " + std::to_string(order.size()) +
                                  " with those of its bases; this program plays with up to " +
                                  std::to_string(kMostTypes));
      order.clear();
      read_.complete = false;
    }
    for (const TomlValue* item : order)
      read_.pieces.emplace_back().letter = item->key;
    for (std::size_t i = 0; i < order.size(); ++i)
      read_type(*order[i], read_.pieces[i]);
    return std::move(read_);
  }

 private:
  static std::vector<const TomlValue*> tables_in_order(const TomlValue& table) {
    std::vector<const TomlValue*> order;
    for (const TomlValue& item : table.items)
      if (item.is_table()) order.push_back(&item);
    std::ranges::sort(order, {},
                      [](const TomlValue* item) { return std::pair(item->key.size(), item->key); });
    return order;
  }

  void read_type(const TomlValue& item, PieceType& type) {
    type.name = text_of(item, "name").value_or(type.letter);
    type.drawing = text_of(item, "drawing").value_or("");
    type.pawn = truth_of(item, "pawn").value_or(false);
    type.crosses_barriers_sideways = text_of(item, "crosses").has_value();
    for (const Colour colour : {Colour::White, Colour::Black})
      read_side(item, type, colour);
    check_initial(item, type);
  }

  void read_side(const TomlValue& item, PieceType& type, Colour colour) {
    PieceSide& side = type.sides[at(index(colour))];
    if (const TomlValue* royal = side_value(item, "royal", colour).value)
      side.royal = royal->is_text() ? Royal::OneSafe : royal->truth ? Royal::Yes : Royal::No;
    const SideValue initial = side_value(item, "initial", colour);
    if (board_.usable) side.initial = zones_.read(initial).value_or(SquareSet{});
    const SideValue moves = side_value(item, "moves", colour);
    if (moves.value == nullptr) {
      findings_.error(item, type.letter + " has no moves: " + type.letter + " = { moves = \"N\" }");
      read_.complete = false;
    } else {
      read_moves(moves, type, side, initial.value != nullptr);
    }
    read_castle(side_value(item, "castle", colour), type, side);
    read_promotions(side_value(item, "promotes", colour), type, side);
  }

  void check_initial(const TomlValue& item, const PieceType& type) {
    const TomlValue* initial = item.find("initial");
    const auto has_initial = [](const PieceSide& side) {
      return std::ranges::any_of(side.legs, &Leg::initial);
    };
    if (initial == nullptr || !initial->is_text() || type.sides[0].legs.empty() ||
        std::ranges::any_of(type.sides, has_initial))
      return;
    const MergedFile::Culprit culprit = MergedFile::culprit(*initial, item);
    findings_.warning(culprit.at, "initial = " + initial->shown() + culprit.origin +
                                      " means nothing: no move of " + type.letter +
                                      " has an i; take it away with [pieces." + type.letter +
                                      "] initial = \"none\"");
  }

  // ------------------------------------------------------------------------------------------
  // moves

  void read_moves(const SideValue& moves, const PieceType& type, PieceSide& side,
                  bool has_initial) {
    const TomlValue& value = *moves.value;
    if (value.is_list() && value.items.empty())
      findings_.error(value, "an empty list of moves; a piece that never moves is not possible");
    for (const TomlValue* entry : texts_in(&value))
      add_moves(moves.within(entry), entry->text, type, side, has_initial);
    for (const TomlValue* entry : tables_in(&value))
      if (const auto text = text_of(*entry, "moves"))
        add_moves(moves.within(entry), *text, type, side, has_initial);
    if (side.castles.size() > 1)
      findings_.error(value, type.letter + " castles twice; use castle = [ … ]");
  }

  /// `entry`: the text, or a table with conditions.
  void add_moves(const SideValue& entry, const std::string& text, const PieceType& type,
                 PieceSide& side, bool has_initial) {
    const TomlValue& where = *entry.value;
    Betza betza;
    try {
      betza = read_betza(text);
    } catch (const BetzaError& error) {
      findings_.error(where, type.letter + " = " + error.what());
      return;
    }
    for (const std::string& doubt : betza.doubts)
      findings_.warning(where, type.letter + " = " + doubt);
    if (betza.castle > 0) {
      CastleRule rule;
      rule.squares = betza.castle;
      rule.type = letters_.find("R");
      side.castles.push_back(rule);
      if (where.is_table())
        findings_.error(where, "castling has no conditions: write O" +
                                   std::to_string(betza.castle) + " outside the table");
    }
    if (!board_.usable) return;
    const Conditions conditions = read_conditions(entry);
    const TomlValue* takes = where.find("takes");
    const bool captures = std::ranges::any_of(betza.parts, [](const BetzaPart& part) {
      return std::ranges::any_of(part.legs, &Leg::captures);
    });
    if (takes != nullptr && !captures && !betza.parts.empty())
      findings_.warning(*takes, "takes = " + takes->shown() + " means nothing: " + betza.text +
                                    " captures nothing");
    for (BetzaPart& part : betza.parts) {
      const bool needs_initial = part.legs[0].initial;
      if (needs_initial && !has_initial)
        findings_.error(where,
                        type.letter + " has " + part.text +
                            ", where i means \"from the squares of initial\", but no initial: "
                            "initial = \"rank 2\"");
      for (Leg& leg : part.legs) {
        Leg own = entry.colour == Colour::White ? std::move(leg)
                                                : mirrored(std::move(leg), board_.board.turned);
        own.from = needs_initial ? conditions.from & side.initial : conditions.from;
        own.onto = conditions.onto;
        own.takes = conditions.takes;
        own.leaves_passed = own.leaves_passed && side.royal == Royal::No;
        own.text = static_cast<std::uint16_t>(side.texts.size());
        side.legs.push_back(std::move(own));
      }
      side.texts.push_back(part.text);
      side.sentences.push_back(part.sentence + conditions.words);
    }
  }

  struct Conditions {
    SquareSet from;
    SquareSet onto;
    TypeSet takes = ~TypeSet{0};
    std::string words;
  };
  Conditions read_conditions(const SideValue& entry) {
    Conditions read{.from = board_.zones.all(), .onto = board_.zones.all(), .words = ""};
    for (const auto& [key, zone] : {std::pair("from", &read.from), std::pair("onto", &read.onto)}) {
      const TomlValue* value = entry.value->find(key);
      const auto squares = zones_.read(entry.within(value));
      if (!squares) continue;
      if (squares->none())
        findings_.error(*value, std::string(key) + " = \"nowhere\": the move could never be made");
      *zone = *squares;
      read.words += std::string(", only ") + key + " " + value->text;
    }
    const TomlValue* takes = entry.value->find("takes");
    if (const TypeSet types = letters_.read_set(takes); types != 0) {
      read.takes = types;
      if (takes->is_text()) read.words += ", taking only " + takes->text;
    }
    return read;
  }

  // ---------------------------------------------------------------------------------------
  // castling

  void read_castle(const SideValue& castle, const PieceType& type, PieceSide& side) {
    if (castle.value == nullptr) return;
    if (!side.castles.empty()) {
      findings_.error(*castle.value, type.letter + " castles by O" +
                                         std::to_string(side.castles[0].squares) +
                                         " in its moves, too: leave one of the two out");
      return;
    }
    for (const TomlValue* one : tables_in(castle.value)) {
      const SideValue rook = castle.within(one->find("rook"));
      if (!board_.usable || !rook.value->is_text()) continue;
      const auto king = zones_.read(castle.within(one->find("king")));
      CastleRule rule;
      if (!king || !read_rook(rook, rule)) continue;
      rule.king = *king;
      side.castles.push_back(rule);
    }
  }

  bool read_rook(const SideValue& rook, CastleRule& rule) {
    const TomlValue& value = *rook.value;
    const bool left = value.text == "left";
    if (left || value.text == "right") {
      const bool exchanged = rook.is_mirrored() && board_.board.turned;
      rule.rook = left != exchanged ? CastleRule::Rook::Left : CastleRule::Rook::Right;
      rule.type = letters_.find("R");
      if (rule.type == kNoType)
        findings_.error(value, "rook = " + value.shown() +
                                   " is the nearest R on that side, and there is no R: name its "
                                   "square: rook = \"h1\"");
      return rule.type != kNoType;
    }
    const auto where = zones_.read(rook);
    if (!where) return false;
    if (where->count() != at(board_.board.levels.count) && where->count() != 1) {
      findings_.error(value, "rook is " + value.shown() +
                                 ", but must be a square, \"left\" or \"right\": rook = \"h1\"");
      return false;
    }
    rule.rook = CastleRule::Rook::Square;
    rule.square = 0;
    while (!where->test(at(rule.square)))
      ++rule.square;
    return true;
  }

  // --------------------------------------------------------------------------------------
  // promotion

  void read_promotions(const SideValue& promotes, const PieceType& type, PieceSide& side) {
    if (promotes.value == nullptr) return;
    for (const TomlValue* text : texts_in(promotes.value))
      findings_.error(
          *text, "promotes is a table: promotes = { on = \"rank " +
                     std::to_string(std::max(board_.zones.rows(), 1)) + "\", to = \"" +
                     (is_piece_letter(text->text.substr(0, 1)) ? printable(text->text, 20) : "Q") +
                     "\" }");
    for (const TomlValue* entry : tables_in(promotes.value))
      if (board_.usable) read_promotion(promotes.within(entry), type, side);
    for (std::size_t i = 0; i < side.promotions.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const SquareSet shared = side.promotions[i].on & side.promotions[j].on; shared.any())
          findings_.error(*promotes.value, "two promotions of " + type.letter + " share " +
                                               board_.zones.text(shared));
  }

  void read_promotion(const SideValue& entry, const PieceType& type, PieceSide& side) {
    const TomlValue& table = *entry.value;
    const TomlValue& on = *table.find("on");
    const TomlValue& to = *table.find("to");
    Promotion promotion;
    const auto zone = zones_.read(entry.within(&on));
    promotion.on = zone.value_or(SquareSet{});
    if (zone && zone->none()) findings_.error(on, "on = \"nowhere\": leave promotes out instead");
    promotion.must = promotion.on;
    if (const TomlValue* must = table.find("must")) {
      promotion.must = zones_.read(entry.within(must)).value_or(SquareSet{});
      if (const SquareSet more = promotion.must & ~promotion.on; zone && more.any())
        findings_.error(*must, "must has " + board_.zones.text(more) + ", where " + type.letter +
                                   " does not promote: on = " + on.shown());
    }
    promotion.leaving = truth_of(table, "leaving").value_or(false);
    promotion.stock = text_of(table, "stock").has_value();
    promotion.to =
        letters_.read(to, type.letter + " promotes to").value_or(std::vector<TypeIndex>{});
    if (const TomlValue* carried = table.find("carried"))
      if (const auto types = letters_.read(*carried, type.letter + " is carried into")) {
        promotion.carried = types->front();
        if (types->size() > 1)
          findings_.error(*carried, "carried is " + carried->shown() +
                                        ", but must be the letter of a piece: carried = \"Q\"");
      }
    if (std::ranges::find(promotion.to, letters_.find(type.letter)) != promotion.to.end())
      findings_.error(to, type.letter +
                              " promotes to itself; where it may stay what it is, say "
                              "must = \"nowhere\"");
    if (promotion.on.any()) side.promotions.push_back(std::move(promotion));
  }

  const MergedFile& file_;
  const BoardRead& board_;
  Findings& findings_;
  PiecesRead read_;
  SideZones zones_;
  Letters letters_;
};

}  // namespace

PiecesRead read_pieces(const MergedFile& file, const BoardRead& board, Findings& findings) {
  return PieceReader(file, board, findings).read();
}

void read_descent(const MergedFile& file, const std::vector<PieceType>& pieces, Board& board,
                  Findings& findings) {
  const TomlValue* root = file.root.find("board");
  const TomlValue* levels = root != nullptr ? table_of(*root, "levels") : nullptr;
  if (levels == nullptr) return;
  const TomlValue* descend = levels->find("descend");
  const TomlValue* hole = levels->find("hole");
  if (hole != nullptr && descend == nullptr)
    findings.error(*hole, "who may descend through the hole? descend = { who = \"QRBNP\" }");
  if (descend == nullptr || !descend->is_table()) return;
  if (hole == nullptr)
    findings.error(*descend, "nothing can descend without a hole: hole = \"c3-f6\"");
  const Letters letters(pieces, file, findings);
  const TomlValue* same = descend->find("same");
  board.levels.descend = letters.read_set(descend->find("who"));
  board.levels.same = letters.read_set(same);
  if ((board.levels.same & ~board.levels.descend) != 0)
    findings.error(*same, "same = " + same->shown() + " has pieces that do not descend");
}

std::optional<Hands> read_hands(const MergedFile& file, const BoardRead& board,
                                const std::vector<PieceType>& pieces, Findings& findings) {
  const TomlValue* table = table_of(file.root, "hands");
  if (table == nullptr) return std::nullopt;
  const Letters letters(pieces, file, findings);
  const auto find = [&](const TomlValue& item, std::string_view in) {
    const TypeIndex type = letters.find(item.key);
    if (type == kNoType && !pieces.empty())
      findings.error(item, std::string(in) + " has " + item.key +
                               ", which is no piece; pieces are " + letters.all());
    return type;
  };
  Hands hands;
  const bool kept = text_of(*table, "captured") != "gone";
  for (const PieceType& piece : pieces) {
    const TypeIndex plain = letters.find(piece.letter.substr(piece.letter.size() - 1));
    hands.becomes.push_back(!kept              ? kNoType
                            : plain != kNoType ? plain
                                               : letters.find(piece.letter));
  }
  if (const TomlValue* as = table_of(*table, "as")) {
    for (const TomlValue& one : as->items) {
      if (!one.is_text()) continue;
      const TypeIndex from = find(one, "as");
      const auto to = from != kNoType ? letters.read(one) : std::nullopt;
      if (to && to->size() > 1)
        findings.error(one, "as = { \"" + one.key + "\" = " + one.shown() +
                                " }: a piece becomes one piece in the hand");
      else if (to)
        hands.becomes[from] = to->front();
    }
    if (!kept) findings.error(*as, "captured pieces are gone: captured = \"to hand\" keeps them");
  }
  hands.drops.resize(pieces.size());
  for (std::size_t t = 0; t < pieces.size(); ++t)
    for (int side = 0; side < 2; ++side) {
      hands.drops[t].onto[at(side)] = board.zones.all();
      for (const Promotion& promotion : pieces[t].sides[at(side)].promotions)
        if (!promotion.to.empty() || promotion.carried != kNoType)
          hands.drops[t].onto[at(side)] &= ~promotion.must;
    }
  const SideZones zones(file, board.zones, findings);
  for (const TomlValue& item : table->items) {
    if (!item.is_table() || item.key == "as") continue;
    const TypeIndex type = find(item, "[hands]");
    if (type == kNoType) continue;
    Hands::Drop& drop = hands.drops[type];
    drop.a_file = whole_of(item, "a_file").value_or(kNoLimit);
    drop.mate = truth_of(item, "mate").value_or(true);
    for (const Colour colour : {Colour::White, Colour::Black})
      if (const SideValue onto = side_value(item, "onto", colour);
          onto.value != nullptr && board.usable)
        drop.onto[at(index(colour))] = zones.read(onto).value_or(SquareSet{});
  }
  // Of two kings that need not both be safe, one can be captured.
  for (TypeIndex& becomes : hands.becomes)
    if (becomes != kNoType && std::ranges::any_of(pieces[becomes].sides, [](const PieceSide& side) {
          return side.royal != Royal::No;
        }))
      becomes = kNoType;
  return hands;
}

}  // namespace faultline::data
