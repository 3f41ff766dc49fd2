// Positions of games from files as pictures, and what their moves do to the board, in words.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "rules/data/board_layout.h"
#include "rules/data/data_position.h"
#include "rules/data/words.h"

namespace faultline::data {

namespace {

std::string capitalised(Colour c) {
  return c == Colour::White ? "White" : "Black";
}

std::string level_name(int level) {
  return "level " + std::to_string(level + 1);
}

/// "2 pawns", "knight".
std::string counted(int count, const std::string& name) {
  return count == 1 ? name : std::to_string(count) + " " + name + "s";
}

}  // namespace

/// Draws one position, and what a legal move of it does.
template <class B>
class DataDrawing {
 public:
  explicit DataDrawing(const DataPosition<B>& position)
      : p_(position), game_(position.game()), file_(position.game().file()) {}

  BoardPicture picture() const;
  void mark(Move move, BoardPicture& after) const;
  BoardEffects effects(Move move) const;

 private:
  using Position = DataPosition<B>;
  using Motions = std::vector<const Motion<B>*>;

  BoardLayout layout() const;
  void mark_checks(BoardPicture& picture) const;
  void add_notes(BoardPicture& picture) const;
  std::string hand_note(Colour c) const;
  std::string uses_note(std::size_t counter) const;
  std::string counter_name(std::size_t counter) const;

  void mark_shift(Move move, BoardPicture& after) const;
  void mark_slide(Move move, BoardPicture& after) const;
  void mark_belts(Move move, BoardPicture& after) const;

  /// Which of the file's belts a move advances.
  std::vector<std::size_t> belts_advanced(Move move) const;
  /// What carries pieces in a move, after the piece's own movement.
  Motions motions_of(Move move) const;
  Square carried_from(Square s, const Motions& motions) const;
  bool is_belt_turn(Move move) const {
    bool backward = false;
    return move.kind() == MoveKind::SectorShift && p_.belt_of(move, backward) != nullptr;
  }

  void add_promotions(Move move, const Position& after, BoardEffects& effects) const;
  std::string belt_mark(std::size_t belt, Square left) const;
  std::string explosion(Move move, const Position& after) const;
  std::string lost_level(int level) const;
  /// "Q2d1", "d1" of a pawn.
  std::string piece_on(Square s) const;
  const std::string& name_of(int type) const {
    return file_.pieces[static_cast<std::size_t>(type)].name;
  }

  const Position& p_;
  const GameTables<B>& game_;
  const GameFile& file_;
};

// ---------------------------------------------------------------------------------------- picture

template <class B>
BoardLayout DataDrawing<B>::layout() const {
  BoardState state{.missing = {}, .levels = p_.levels(), .places = p_.tables_->places};
  for_each_square(p_.missing(), [&](Square s) { state.missing.set(s); });
  return {file_, game_.graph, std::move(state)};
}

template <class B>
BoardPicture DataDrawing<B>::picture() const {
  BoardPicture picture = layout().draw();
  picture.kinds = &p_.piece_kinds();
  for (PictureSquare& square : picture.squares)
    square.piece = p_.piece_at(square.square);
  for (PictureInset& inset : picture.insets)
    if (inset.square != kNoSquare) inset.piece = p_.piece_at(inset.square);
  mark_checks(picture);
  add_notes(picture);
  return picture;
}

template <class B>
void DataDrawing<B>::mark_checks(BoardPicture& picture) const {
  const Colour us = p_.side_to_move();
  if (!p_.in_check(us)) return;
  const B blocked = p_.occupied() | p_.missing();
  for_each_square(p_.royals(us), [&](Square s) {
    if (any(p_.attackers(s, p_.type_at(s), ~us, blocked)))
      picture.highlight(s, PictureHighlight::Kind::Check);
  });
}

/// "shifts of lower", "slides", "turns of ring".
template <class B>
std::string DataDrawing<B>::counter_name(std::size_t counter) const {
  const int i = static_cast<int>(counter);
  if (i == game_.shift_counter) return "shifts of the board";
  if (i == game_.slide_counter) return "slides";
  for (std::size_t b = 0; b < game_.belts.size(); ++b)
    if (game_.belts[b].counter == i)
      return "turns of belt " + (file_.board.belts[b].name.empty() ? std::to_string(b + 1)
                                                                   : file_.board.belts[b].name);
  return "turns of the board";
}

/// What is left of a limited movement; "" where nothing is counted.
template <class B>
std::string DataDrawing<B>::uses_note(std::size_t counter) const {
  const Control& control = *game_.counters[counter];
  const std::string numbers = "White " + std::to_string(p_.counters_[0][counter]) + ", Black " +
                              std::to_string(p_.counters_[1][counter]);
  if (control.pause > 0) return "turns to wait for " + counter_name(counter) + ": " + numbers;
  if (control.uses != kNoLimit) return counter_name(counter) + " left: " + numbers;
  return "";
}

/// "White's hand: 2 pawns, knight"; "" if it is empty.
template <class B>
std::string DataDrawing<B>::hand_note(Colour c) const {
  std::string text;
  for (int t = 0; t < game_.types; ++t)
    if (const int held = p_.in_hand(c, t); held > 0)
      text += (text.empty() ? "" : ", ") + counted(held, name_of(t));
  return text.empty() ? "" : capitalised(c) + "'s hand: " + text;
}

template <class B>
void DataDrawing<B>::add_notes(BoardPicture& picture) const {
  std::vector<std::string> notes;
  const auto add = [&](const std::string& note) {
    if (!note.empty()) notes.push_back(note);
  };
  const int levels = file_.board.levels.count;
  if (p_.levels() < levels)
    add(std::to_string(p_.levels()) + " of " + std::to_string(levels) + " levels left");
  for (std::size_t i = 0; i < game_.counters.size(); ++i)
    add(uses_note(i));
  std::vector<std::string> checks;
  for (const Colour c : {Colour::White, Colour::Black})
    if (const int most = file_.ends.sides[at(c)].checks; most > 0)
      checks.push_back(capitalised(c) + " " + std::to_string(p_.checks_[at(c)]) + " of " +
                       std::to_string(most));
  if (!checks.empty()) add("checks given: " + joined(checks, " and "));
  for (const Colour c : {Colour::White, Colour::Black})
    add(hand_note(c));

  constexpr double kLine = 0.55;
  const int level = p_.levels() - 1;
  double y = picture.levels.back().box.low.y - (file_.board.parts.empty() ? 1.1 : 1.5);
  for (const std::string& note : notes) {
    picture.labels.push_back(
        {PictureLabel::Kind::Note, level, note, {picture.levels.front().box.low.x, y}});
    y -= kLine;
  }
}

// ------------------------------------------------------------------------------------------ marks

template <class B>
void DataDrawing<B>::mark_shift(Move move, BoardPicture& after) const {
  const PictureBox part = layout().part(static_cast<std::size_t>(game_.shifting_part));
  const int amount = move.amount();
  constexpr double kBeside = 0.85;
  PicturePoint from = {part.middle().x, part.low.y - kBeside};  // below it
  if (move.by_ranks()) {  // beside it, where the rest of the board is not
    const int files = p_.tables_->places[static_cast<std::size_t>(game_.shifting_part)].files;
    from = {files >= 0 ? part.high.x + kBeside : part.low.x - kBeside, part.middle().y};
  }
  const PicturePoint by = move.by_ranks() ? PicturePoint{0, static_cast<double>(amount)}
                                          : PicturePoint{static_cast<double>(amount), 0};
  after.marks.push_back(
      {.kind = PictureMark::Kind::BoardMove, .level = 0, .points = {from, from + by}});
}

template <class B>
void DataDrawing<B>::mark_slide(Move move, BoardPicture& after) const {
  const Slide<B>* const slide = game_.slide_of(move.from(), move.to(), p_.missing());
  for_each_square(slide->motion.advanced(slide->moving),
                  [&](Square s) { after.highlight(s, PictureHighlight::Kind::MoveTo); });
  // Across the edge crossed last, clear of the gap's name and of the pieces.
  const BoardLayout places = layout();
  const auto middle = [&](Square s) {
    return middle_of(places.sector(static_cast<std::size_t>(game_.area_of(s))));
  };
  const PicturePoint from = middle(move.from());
  const PicturePoint to = middle(move.to());
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const PicturePoint along = {(to.x - from.x) / length, (to.y - from.y) / length};
  PicturePoint end = to;  // of the sector in front
  for_each_square(slide->motion.advanced(slide->moving), [&](Square s) {
    const PicturePoint other = middle(s);
    if ((other.x - end.x) * along.x + (other.y - end.y) * along.y > 0) end = other;
  });
  const double size =  // half a sector's
      0.5 * (along.x != 0 ? file_.board.sectors->width : file_.board.sectors->height);
  const auto before_end = [&](double distance) {
    return end - PicturePoint{along.x * distance * size, along.y * distance * size};
  };
  after.marks.push_back({.kind = PictureMark::Kind::BoardMove,
                         .level = places.level(move.to()),
                         .points = {before_end(1.45), before_end(0.55)}});
}

template <class B>
void DataDrawing<B>::mark_belts(Move move, BoardPicture& after) const {
  for (const std::size_t belt : belts_advanced(move))
    for (const std::vector<Square>& cycle :
         shown_cycles(file_.board.belts[belt], file_.board.squares)) {
      std::vector<PicturePoint> centres;
      for (const Square s : cycle)
        if (const PictureSquare* const square = after.find(s)) centres.push_back(square->centre);
      for (PictureMark& mark : after.marks) {
        const auto on_mark = [&](PicturePoint point) {
          return std::find(mark.points.begin(), mark.points.end(), point) != mark.points.end();
        };
        mark.moved |= mark.kind == PictureMark::Kind::Staircase && !centres.empty() &&
                      mark.points.size() == cycle.size() &&
                      std::all_of(centres.begin(), centres.end(), on_mark);
      }
    }
}

template <class B>
void DataDrawing<B>::mark(Move move, BoardPicture& after) const {
  // If levels vanish the others are renumbered, and the pieces may be gone.
  if (static_cast<int>(after.levels.size()) != p_.levels()) return;
  mark_belts(move, after);
  if (move.kind() == MoveKind::Aftershock) return mark_shift(move, after);
  if (is_belt_turn(move)) return;
  if (move.kind() == MoveKind::SectorShift) return mark_slide(move, after);
  if (!move.is_drop()) after.highlight(move.from(), PictureHighlight::Kind::MoveFrom);
  after.highlight(carried_from(move.to(), motions_of(move)), PictureHighlight::Kind::MoveTo);
}

// ---------------------------------------------------------------------------------------- effects

template <class B>
std::vector<std::size_t> DataDrawing<B>::belts_advanced(Move move) const {
  std::vector<std::size_t> advanced;
  if (is_belt_turn(move)) {
    bool backward = false;
    advanced.push_back(static_cast<std::size_t>(p_.belt_of(move, backward) - game_.belts.data()));
    return advanced;
  }
  B left{}, entered{};
  Square rook_from = kNoSquare, rook_to = kNoSquare;
  if (!move.moves_board()) {
    if (!move.is_drop()) left |= square_set<B>(move.from());
    entered |= square_set<B>(move.to());
    if (move.kind() == MoveKind::Castling) {
      std::size_t way = 0;
      const CastleTable<B>& castle = p_.castle_of(move, way);
      rook_from = castle.rook;
      rook_to = castle.ways[way].rook_to;
      left |= square_set<B>(rook_from);
      entered |= square_set<B>(rook_to);
    }
  }
  for (std::size_t i = 0; i < file_.board.belts.size(); ++i) {
    const Belt& belt = file_.board.belts[i];
    B squares{};
    for (const std::vector<Square>& cycle : belt.cycles)
      for (const Square s : cycle)
        squares |= square_set<B>(s);
    const When when = belt.control.when;
    bool set_off = when == When::Every && p_.turn_number() % belt.control.every == 0;
    if (when == When::Left || when == When::LeftOrEntered) set_off |= any(left & squares);
    if (when == When::Entered || when == When::LeftOrEntered) set_off |= any(entered & squares);
    if (!set_off) continue;
    if (belt.control.who != Who::Any) {
      const Colour us = p_.side_to_move();
      const int own = count(((p_.of(us) & ~left) | entered) & squares);
      if (own <= (belt.control.who == Who::Own ? 0 : count(p_.of(~us) & ~entered & squares)))
        continue;
    }
    advanced.push_back(i);
  }
  return advanced;
}

template <class B>
auto DataDrawing<B>::motions_of(Move move) const -> Motions {
  bool backward = false;
  if (move.kind() == MoveKind::SectorShift) {
    if (const BeltTable<B>* const belt = p_.belt_of(move, backward))
      return {backward ? &belt->backward : &belt->forward};
    return {&game_.slide_of(move.from(), move.to(), p_.missing())->motion};
  }
  if (game_.belts.empty()) {
    if (move.moves_board() || move.is_drop() || !contains(game_.on_belts, move.from())) return {};
    return {&game_.left_motions[move.from()]};
  }
  Motions motions;
  for (const std::size_t belt : belts_advanced(move))
    motions.push_back(&game_.belts[belt].forward);
  return motions;
}

template <class B>
Square DataDrawing<B>::carried_from(Square s, const Motions& motions) const {
  for (const Motion<B>* const motion : motions)
    if (contains(motion->moving, s)) return first(motion->advanced(square_set<B>(s)));
  return s;
}

/// "8" for a belt along a rank, "f" for one along a file, else its name or number. With several
/// levels that of the level is in front.
template <class B>
std::string DataDrawing<B>::belt_mark(std::size_t belt, Square left) const {
  const Belt& rules = file_.board.belts[belt];
  if (!rules.name.empty()) return rules.name;
  const BoardLayout places = layout();
  bool along_rank = true, along_file = true;
  const PicturePoint origin = places.centre(rules.cycles.front().front());
  for (const std::vector<Square>& cycle : rules.cycles)
    for (const Square s : cycle) {
      along_rank &= places.centre(s).y == origin.y;
      along_file &= places.centre(s).x == origin.x;
    }
  if ((!along_rank && !along_file) || left == kNoSquare) return std::to_string(belt + 1);
  std::string name = game_.graph.name(left);
  std::string level;
  if (file_.board.levels.count > 1) {
    level = name.substr(0, 1);
    name = name.substr(1);
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = std::find_if(name.begin(), name.end(), is_digit);
  return level + (along_rank ? std::string(digits, name.end()) : std::string(name.begin(), digits));
}

/// Pieces that become something else because they are carried.
template <class B>
void DataDrawing<B>::add_promotions(Move move, const Position& after, BoardEffects& effects) const {
  const Motions motions = motions_of(move);
  if (motions.empty()) return;
  struct Carried {
    Square square;
    int from, to;
  };
  std::vector<Carried> found;
  const auto carry = [&](Square s, faultline::Piece piece) {
    const Square to = carried_from(s, motions);
    if (!std::any_of(motions.begin(), motions.end(),
                     [&](const auto* motion) { return contains(motion->moving, s); }))
      return;
    for (const auto& carried : game_.carried_promotions[at(piece.colour)])
      if (carried.from == index(piece.type) && contains(carried.on, to) &&
          contains(after.of(piece.colour, carried.to), to))
        found.push_back({to, carried.from, carried.to});
  };
  const bool piece_moves = !move.moves_board();
  p_.for_each_piece([&](Colour c, faultline::PieceType type, Square s) {
    if (!piece_moves || (s != move.from() && s != move.to())) carry(s, {type, c});
  });
  if (piece_moves) {
    const auto type = move.kind() == MoveKind::Promotion ? move.promotion()
                      : move.is_drop()
                          ? static_cast<faultline::PieceType>(move.from() - faultline::kDropFrom)
                          : p_.piece_at(move.from()).type;
    carry(move.to(), {type, p_.side_to_move()});
  }
  std::sort(found.begin(), found.end(),
            [](const Carried& a, const Carried& b) { return a.square < b.square; });
  for (const auto& [square, from, to] : found) {
    const std::string name = game_.graph.name(square);
    effects.marks.push_back(name + "=" + file_.pieces[static_cast<std::size_t>(to)].letter);
    effects.add_sentence("The " + name_of(from) + " carried to " + name + " becomes a " +
                         name_of(to) + ".");
  }
}

template <class B>
std::string DataDrawing<B>::piece_on(Square s) const {
  const PieceType& type = file_.pieces[static_cast<std::size_t>(p_.type_at(s))];
  return (type.pawn ? "" : type.letter) + game_.graph.name(s);
}

/// What a capture has blown up besides the captor and what it captured.
template <class B>
std::string DataDrawing<B>::explosion(Move move, const Position& after) const {
  std::vector<std::string> gone;
  p_.for_each_piece([&](Colour c, faultline::PieceType, Square s) {
    if (s != move.from() && s != move.to() && !contains(after.of(c), s))
      gone.push_back((c == Colour::White ? "white " : "black ") + name_of(p_.type_at(s)) + " on " +
                     game_.graph.name(s));
  });
  return gone.empty() ? "The captor is blown up."
                      : "Blown up with the captor: " + joined(gone, " and ") + ".";
}

template <class B>
std::string DataDrawing<B>::lost_level(int level) const {
  const Colour loser = p_.side_to_move();
  const Colour winner = ~loser;
  std::string text = capitalised(winner) + " wins " + level_name(level) + ": ";
  if (level == 0) {
    text += "it is removed with all pieces on it.";
  } else {
    std::vector<std::string> ascend, captured, blocked;
    for_each_square(p_.of(winner) & game_.levels[static_cast<std::size_t>(level)], [&](Square s) {
      const auto above = static_cast<Square>(s - file_.board.squares);
      const bool met = contains(p_.occupied(), above);
      const bool stays = contains(p_.of(winner) | p_.royals(loser), above);
      (stays ? blocked : ascend).push_back(piece_on(s));
      if (met && !stays) captured.push_back(piece_on(above));
    });
    text += capitalised(loser) + "'s pieces on it are removed, " +
            (ascend.empty() ? "nothing" : joined(ascend, " and ")) +
            (ascend.size() > 1 ? " ascend to " : " ascends to ") + level_name(level - 1);
    if (!captured.empty()) text += ", capturing " + joined(captured, " and ");
    if (!blocked.empty())
      text += "; lost where their squares are taken: " + joined(blocked, " and ");
    text += '.';
  }
  for (int deeper = level + 1; deeper < p_.levels(); ++deeper)
    text += (deeper == level + 1 ? " Now " : ", ") + level_name(deeper) + " is " +
            level_name(deeper - 1);
  return level + 1 < p_.levels() ? text + '.' : text;
}

template <class B>
BoardEffects DataDrawing<B>::effects(Move move) const {
  BoardEffects effects;
  Position after = p_;
  typename Position::Played played;
  const std::uint8_t levels = p_.levels_;
  if (!after.play_board(move, played)) return effects;
  if (!is_belt_turn(move))
    for (const std::size_t belt : belts_advanced(move))
      effects.marks.push_back(
          belt_mark(belt, move.moves_board() || move.is_drop() ? kNoSquare : move.from()));
  add_promotions(move, after, effects);
  if (file_.rules.explode && !move.moves_board() &&
      !contains(after.of(p_.side_to_move()), move.to()))
    effects.add_sentence(explosion(move, after));
  if (!file_.board.levels.lost || levels == 1) return effects;
  after.end_turn(played.progress, false, ~file_.starts.front().to_move);
  while (after.levels_ > 1 && after.in_check() && after.count_legal_moves() == 0) {
    int lost = after.levels_ - 1;
    while (!after.level_in_check(after.side_, lost))
      --lost;
    effects.marks.push_back(std::to_string(lost + 1));
    effects.add_sentence(DataDrawing(after).lost_level(lost));
    after.lose_level(lost);
  }
  return effects;
}

template <class B>
BoardPicture DataPosition<B>::board_picture() const {
  return DataDrawing<B>(*this).picture();
}

template <class B>
void DataPosition<B>::mark_move(Move move, BoardPicture& after) const {
  DataDrawing<B>(*this).mark(move, after);
}

template <class B>
BoardEffects DataPosition<B>::board_effects(Move move) const {
  return DataDrawing<B>(*this).effects(move);
}

template BoardPicture DataPosition<Bitboard>::board_picture() const;
template void DataPosition<Bitboard>::mark_move(Move, BoardPicture&) const;
template BoardEffects DataPosition<Bitboard>::board_effects(Move) const;
template BoardPicture DataPosition<WideBitboard>::board_picture() const;
template void DataPosition<WideBitboard>::mark_move(Move, BoardPicture&) const;
template BoardEffects DataPosition<WideBitboard>::board_effects(Move) const;
template BoardPicture DataPosition<StackedBitboard>::board_picture() const;
template void DataPosition<StackedBitboard>::mark_move(Move, BoardPicture&) const;
template BoardEffects DataPosition<StackedBitboard>::board_effects(Move) const;

}  // namespace faultline::data
