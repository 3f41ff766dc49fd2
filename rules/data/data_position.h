// A position of a game that a file describes: one class for all boards of a size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/attacked_squares.h"
#include "rules/bitboard.h"
#include "rules/board_effects.h"
#include "rules/board_graph.h"
#include "rules/board_picture.h"
#include "rules/data/game_tables.h"
#include "rules/generator.h"
#include "rules/move.h"
#include "rules/position.h"
#include "rules/turn_state.h"

namespace faultline::data {

template <class B>
class DataDrawing;

/// Models Position, whose members rules/position.h documents. A piece's type is its index in
/// GameFile::pieces. `B`: Bitboard for at most 64 squares, WideBitboard for at most 128,
/// StackedBitboard for more, on several levels.
template <class B>
class DataPosition : public TurnState {
 public:
  using Variant = GameTables<B>;
  using MoveList = BasicMoveList<4096>;
  using SquareSet = B;

  static constexpr int kTypes = kMostTypes;

  /// Whether a variant's name is that of such a game, with a board of this size; throws
  /// VariantError as known_game().
  static bool plays(const VariantName& name);
  static const Variant& variant(const VariantName& name);
  static VariantDescription describe(const Variant& game);
  static const BoardGraph& graph(const Variant& game) { return game.graph; }
  static DataPosition start(const Variant& game);
  static DataPosition from_fen(const Variant& game, std::string_view fen);

  std::string fen() const;
  void legal_moves(MoveList& list) const;
  std::size_t count_legal_moves() const;
  void play(Move move);
  bool in_check() const { return in_check(side_); }
  Outcome outcome(bool any_legal_move) const;
  std::uint64_t key_from_scratch() const;
  std::string move_text(Move move) const;
  std::optional<Move> parse_move(std::string_view text) const;
  std::string square_text(Square s) const { return game_->graph.name(s); }
  std::string picture() const;
  BoardPicture board_picture() const;
  void mark_move(Move move, BoardPicture& after) const;
  BoardEffects board_effects(Move move) const;

  const PieceKinds& piece_kinds() const { return game_->about.kinds; }
  const TypeValues& piece_values() const { return game_->about.values; }
  int best_promotion(faultline::PieceType type) const {
    return game_->about.best_promotions[static_cast<std::size_t>(faultline::index(type))];
  }
  faultline::PieceType en_passant_type() const {
    return passer_ == kNoSquare ? faultline::PieceType::None : piece_at(passer_).type;
  }

  faultline::Piece piece_at(Square s) const {
    if (s >= kDropFrom) return {static_cast<faultline::PieceType>(s - kDropFrom), side_};
    return contains(occupied(), s)
               ? faultline::Piece{static_cast<faultline::PieceType>(type_at(s)), colour_at(s)}
               : faultline::Piece{};
  }
  template <class F>
  void for_each_piece(F&& f) const {
    for (const Colour c : {Colour::White, Colour::Black})
      for (int t = 0; t < game_->types; ++t)
        for_each_square(of(c, t), [&](Square s) { f(c, static_cast<faultline::PieceType>(t), s); });
  }
  AttackedSquares<B> attacked_by(Colour c) const;
  template <class F>
  void for_each_attacked(Colour by, F&& f) const {
    const AttackedSquares<B> attacked = attacked_by(by);
    for_each_square(attacked.once, [&](Square s) { f(s, contains(attacked.twice, s)); });
  }

  const Variant& game() const { return *game_; }
  const Variant& variant() const { return *game_; }
  B of(Colour c) const { return colours_[static_cast<std::size_t>(index(c))]; }
  B of(Colour c, int type) const { return of(c) & types_[static_cast<std::size_t>(type)]; }
  B occupied() const { return colours_[0] | colours_[1]; }
  /// Squares that do not exist now.
  B missing() const { return missing_; }
  std::uint32_t castling() const { return castling_; }
  int in_hand(Colour c, int type) const {
    return hands_[static_cast<std::size_t>(index(c))][static_cast<std::size_t>(type)];
  }
  /// How many levels are left.
  int levels() const { return levels_; }
  /// The board as it lies now.
  const BoardTables<B>& tables() const { return *tables_; }
  /// Squares on which the piece on passer() can be captured en passant; kNoSquare if there are
  /// none.
  B passed() const { return passed_; }
  Square passer() const { return passer_; }
  int checks_given(Colour c) const { return checks_[static_cast<std::size_t>(index(c))]; }
  /// Of a movement that has a counter (GameTables::counters): uses left, or turns to wait.
  int counter(Colour c, int counter) const {
    return counters_[static_cast<std::size_t>(index(c))][static_cast<std::size_t>(counter)];
  }
  /// Such a movement that was the last turn; Move::none().
  Move last_movement() const { return Move::from_bits(last_movement_); }
  /// From 1, both sides counted.
  int turn_number() const;
  /// The part of the turn that is next: 0 where a turn has one part.
  int part_of_turn() const { return part_; }
  bool in_check(Colour c) const;

 private:
  friend class DataDrawing<B>;
  struct View;
  class Safety;
  template <class Sink>
  class TestedSink;
  struct Played {
    bool progress = false;  // the count of plies restarts
    bool lasting = false;   // no earlier position can recur
  };

  Colour colour_at(Square s) const {
    return contains(colours_[0], s) ? Colour::White : Colour::Black;
  }
  int type_at(Square s) const;
  B of_types(Colour c, TypeSet types) const;
  B royals(Colour c) const;
  const SideTables<B>& side(Colour c) const {
    return tables_->sides[static_cast<std::size_t>(index(c))];
  }
  const TypeRules<B>& rules_of(Colour c, int type) const {
    return game_->rules[static_cast<std::size_t>(index(c))][static_cast<std::size_t>(type)];
  }
  void toggle(Colour c, int type, Square s);
  /// Without the key.
  void toggle_unkeyed(Colour c, int type, B squares) {
    types_[static_cast<std::size_t>(type)] ^= squares;
    colours_[static_cast<std::size_t>(index(c))] ^= squares;
  }
  std::uint64_t key_of(B squares) const;
  /// Where the ways lead, with these squares occupied or missing. A gap is no piece to hop over:
  /// what hops gets there whether a gap counts as one or not.
  B reach_of(const PathTable<B>& table, bool hops, Square from, const B& blocked) const {
    B reached = table.at(from, blocked);
    if (hops && game_->hops_over_gaps) reached &= table.at(from, blocked & ~missing_);
    return reached;
  }
  /// The pieces of `by` that attack a royal of `type` on `s`, given what is occupied.
  B attackers(Square s, int type, Colour by, B occupied) const;
  bool beside_royal(Square s, Colour by) const;
  View view_of(Colour us) const;
  template <class Sink>
  void generate(const View& view, Sink& sink) const;
  bool has_legal_move(bool checks_allowed) const;
  template <class Sink>
  void generate_from(const View& view, Sink& sink) const;
  template <class Sink, class Allowed, class AllowedRoyal>
  void generate_pieces(const View& view, Sink& sink, Allowed&& allowed,
                       AllowedRoyal&& allowed_royal) const;
  template <class Sink>
  void generate_promotions(Colour us, int type, Square from, B& targets, Sink& sink) const;
  template <class Sink, class Attacked, class Allowed>
  void generate_castling(const View& view, Sink& sink, Attacked&& attacked,
                         Allowed&& allowed) const;
  template <class Sink>
  void generate_slides(const View& view, Sink& sink) const;
  B decisive_for_royal() const;
  template <class Sink>
  void generate_shifts(const View& view, Sink& sink) const;
  const Part& shifting_part() const {
    return game_->file().board.parts[static_cast<std::size_t>(game_->shifting_part)];
  }
  /// The destinations of a piece whose leaving moves belts. `king`, of `type`: the only royal.
  B allowed_on_belt(const View& view, Square from, B candidates, Square king, int type) const;
  /// Whether the move is legal, by playing it out. `checks_allowed`: whatever the rules say.
  bool leaves_safe(Move move, bool checks_allowed = false) const;
  template <class Sink, class Allowed>
  void generate_drops(const View& view, Sink& sink, Allowed&& allowed) const;
  bool drop_mates(Move move, bool checks_allowed) const;
  /// Where a type's moves along some of its ways may end.
  B landing_of(const View& view, const Ways<B>& ways) const;
  /// Where a piece of `type` may descend that reaches `holes`.
  B under(int type, B holes) const;
  bool level_in_check(Colour c, int level) const;
  /// Levels that the side to move has lost.
  void lose_levels();
  void lose_level(int lost);
  void change_hand(Colour c, int type, int by);
  /// What a move does to the board, rights and en passant; false: it is illegal, and the position
  /// is then of no use.
  bool play_board(Move move, Played& played);
  /// En passant, with or without promotion.
  bool captures_in_passing(Move move) const;
  bool carry(std::span<const Motion<B>* const> motions);
  /// `turned`, if any, and the belts that a turn sets off; false: two pieces would meet, or one
  /// would stand where no square is.
  bool move_belts(const Motion<B>* turned, B left, B entered, Played& played, B& carried);
  bool may_move_board(const Control& control, int counter, B squares) const;
  template <class Sink>
  void generate_belt_turns(const View& view, Sink& sink) const;
  /// The belt that a turn moves, and whether backward; nullptr for other turns.
  const BeltTable<B>* belt_of(Move move, bool& backward) const;
  /// The counter of a turn that moves the board, or -1.
  int counter_of(Move move) const;
  /// The turn's part of the counters of limited movements.
  void play_counters(Move move);
  bool play_movement(Move move, Played& played);
  std::string belt_text(const BeltTable<B>& belt, bool backward) const;
  bool promote_carried(B squares);
  void explode(Square centre);
  void step_over(B passed, Square passer);
  /// The pieces that can have passed over all these squares in the turn before, where what is in
  /// `blocked` cannot be passed.
  B possible_passers(B passed, B blocked) const;
  /// Whether the piece would not stand where it arrives: its own move sets off a belt there.
  bool carries_on(const DoubleStep<B>& step) const;
  void clear_passed();
  void set_castling(std::uint32_t rights);
  Outcome end_by_rule(Colour mover) const;
  /// Of everything but pieces, castling, en passant and the side to move.
  std::uint64_t ground_key() const;
  /// change(), with the key's part.
  template <class F>
  void change_ground(F&& change) {
    key_ ^= ground_key();
    change();
    key_ ^= ground_key();
  }
  std::uint64_t en_passant_key() const;
  const CastleTable<B>& castle_of(Move move, std::size_t& way) const;

  // Text: data_fen.cpp reads, data_text.cpp writes.
  void read_pieces(std::string_view field);
  void read_missing(B missing);
  void read_hands(std::string_view text);
  void read_castling(std::string_view field);
  void read_en_passant(std::string_view field);
  void read_places(std::string_view field, std::size_t part, std::vector<Displacement>& places);
  std::string places_text() const;
  void read_counter(std::string_view field, std::size_t counter);
  void set_uses(BySide<int> uses, std::size_t counter, const char* field, bool last);
  std::string uses_text(int counter) const;
  std::string counters_text() const;
  void check_placement() const;
  std::string pieces_text() const;
  std::string hands_text() const;
  std::string castling_text() const;
  std::string en_passant_text() const;

  const GameTables<B>* game_ = nullptr;
  const BoardTables<B>* tables_ = nullptr;
  std::array<B, kMostTypes> types_{};
  BySide<B> colours_{};
  B missing_{};
  B passed_{};                 // squares on which `passer_` can be captured en passant
  Square passer_ = kNoSquare;  // en_passant_ is the first of passed_
  std::uint32_t castling_ = 0;
  BySide<std::uint8_t> checks_{};  // given, where they are counted
  /// Of movements that have a counter: uses left, or, with a pause, turns to wait.
  BySide<std::array<std::uint8_t, kMostCounters>> counters_{};
  std::uint32_t last_movement_ = 0;  // the bits of such a movement that was the last turn
  BySide<std::array<std::uint8_t, kMostTypes>> hands_{};
  Outcome ended_ = Outcome::Ongoing;
  std::uint8_t part_ = 0;
  std::uint8_t levels_ = 1;
};

}  // namespace faultline::data
