// The translation of a game's file into the words of Fairy-Stockfish, for the sources that do it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/data/fairy_pieces.h"
#include "rules/data/fairy_stockfish.h"
#include "rules/data/zones.h"

namespace faultline::data {

/// Collects what is said, and what has no words (FairyStockfish).
class Translator {
 public:
  explicit Translator(const GameFile& game) : game_(game), zones_(game.board) {}
  FairyStockfish run();

 private:
  // fairy_stockfish.cpp
  void refuse(const std::string& key, const std::string& why);
  void needs(const std::string& what);
  void say(std::string_view key, const std::string& value);
  void say(std::string_view key, bool value) { say(key, std::string(value ? "true" : "false")); }
  const PieceType& piece(TypeIndex type) const { return game_.pieces[type]; }
  std::string letter(TypeIndex type) const;
  std::string letters(TypeSet types) const;
  TypeSet all_types() const { return (TypeSet{1} << game_.pieces.size()) - 1; }
  int count(TypeIndex type, Colour colour) const;
  SquareSet rank(int number) const;
  /// "*8", "d4 e4": whole ranks and squares.
  std::string region(const SquareSet& zone) const;
  /// N if the zone is the ranks from N on, to the last or to N; else 0.
  int first_rank(const SquareSet& zone, bool to_the_last) const;
  TypeIndex type_on(Square square) const;
  void board();
  void castling();
  void rules();
  static std::string value(Result result);
  void ends();
  bool keeps_a_royal(int side) const;
  /// One extinction for both sides, or for the one that has no king.
  void extinctions();
  void flags();
  void start();

  // fairy_translated_pieces.cpp
  struct Moves {
    std::vector<Leg> legs;
    SquareSet onto;
  };
  /// The legs of a side but for that by which generals may not face each other.
  Moves moves_of(TypeIndex type, int side);
  void pieces();
  /// Of "+X": a pawn that has become X (crazyhouse), or X that has become better (shogi).
  void promoted(TypeIndex type, int& customs);
  void check_royals();
  /// Says which of its pieces a type is; "" if none.
  std::string slot_of(TypeIndex type, const Moves& white, int& customs);
  std::string take(std::string_view name, TypeIndex type);
  /// Whether the moves can be made from everywhere.
  bool is_free(TypeIndex type, const Moves& moves);
  /// The texts of the moves, for a piece of its own.
  std::string betza_of(TypeIndex type, const Moves& moves);
  /// Whether no two moves of one way differ in what it keeps once for each way: how far they go,
  /// and what may stand between.
  static bool one_move_a_way(const std::vector<Leg>& legs);
  bool takes_en_passant() const;
  /// A pawn, which may have double steps that can be answered en passant.
  bool is_pawn(TypeIndex type, const Moves& moves, const MoveSet& ways);
  /// Of a side's pawn: from where it steps twice, and where that can be answered en passant.
  struct DoubleSteps {
    SquareSet passing;
    SquareSet quiet;
  };
  std::optional<DoubleSteps> double_steps(const Moves& moves, int side);
  /// A pawn whose double steps differ between the sides.
  bool is_pawn_of_two_kinds(TypeIndex type, const Moves& white, const Moves& black);
  void exploding_king(TypeIndex type, const Moves& white, const MoveSet& ways);
  void set_double_steps(TypeIndex type);
  /// One step forward, and from some rank on also sideways.
  bool is_soldier(TypeIndex type, const Moves& moves);

  // fairy_promotions.cpp
  void promotions();
  /// The squares from which no leg of White's leads anywhere without capturing.
  SquareSet stuck(TypeIndex type) const;
  /// Shogi's promotions.
  void better_pieces();
  void hands();
  void drops(const Hands& hands);
  std::string letter_of(std::string_view slot) const;
  /// Refuses pieces that may stay where they are stuck, if that is what it forbids.
  void check_immobility();
  /// Whether it promotes as soon as it can.
  bool is_at_once(TypeIndex type) const;
  void say_limits(const Promotion& promotion, const std::string& key);

  const GameFile& game_;
  Zones zones_;
  std::string text_;
  std::vector<std::string> refused_;
  std::vector<std::string> newer_;
  std::map<std::string_view, std::string> slots_;  // what it has: their letters
  std::map<TypeIndex, std::string> letters_;       // of promoted types
  std::string promoted_;                           // " p:g"
  std::map<TypeIndex, SquareSet> onto_;            // where White's pieces may go
  bool has_regions_ = false;                       // some may not go everywhere
  SquareSet promoting_on_;                         // where White's pawns promote
  TypeSet better_ = 0;                             // types that become better ones of their own
  TypeIndex king_ = kNoType;
  bool flying_general_ = false;
  bool immobility_ = false;
  bool double_step_ = false;
  bool pawn_leaps_ = false;
  bool of_two_kinds_ = false;  // pawns
  SquareSet double_steps_from_;
};

}  // namespace faultline::data
