// Orthodox chess (docs/rules.md): the baseline for the core.
#pragma once

#include <string>
#include <string_view>

#include "rules/attack_tables.h"
#include "rules/board_position.h"

namespace faultline {

/// Chess has no options: its one variant is empty.
struct ChessVariant {
  std::string canonical_name() const { return "chess"; }
};

/// Models Position; rules/position.h documents each member. No position has more moves than the
/// base's bound: with m of a side's pieces on the board no more than min(27 m, 16 (64 - m))
/// destinations are reached, promotions aside.
class ChessPosition : public BoardPosition<ChessPosition, OrthodoxBoard, 1024> {
 public:
  using Variant = ChessVariant;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static ChessPosition start(const Variant&);
  static ChessPosition from_fen(const Variant&, std::string_view fen);

  void play(Move move);

 private:
  friend BoardPosition;
  static const AttackTables& tables() { return square_board_tables(); }
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
};
static_assert(sizeof(ChessPosition) == 88);

}  // namespace faultline
