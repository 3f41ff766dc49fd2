// Gardner's minichess: chess on 5×5 squares (Martin Gardner 1969), for quick tests of learning. The
// example on which docs/adding-a-variant.md was tested.
#pragma once

#include <string>
#include <string_view>

#include "rules/attack_tables.h"
#include "rules/board_position.h"

namespace faultline {

/// Gardner has no options.
struct GardnerVariant {
  std::string canonical_name() const { return "gardner"; }
};

/// Models Position; rules/position.h documents each member. Square = rank * 5 + file. No position
/// has more moves than the base's bound: m pieces of a side reach no more than m (25 - m) squares,
/// and five pawns' promotions count four times.
class GardnerPosition : public BoardPosition<GardnerPosition, OrthodoxBoard, 256> {
 public:
  using Variant = GardnerVariant;
  static constexpr int kFiles = 5;
  static constexpr int kRanks = 5;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static GardnerPosition start(const Variant&);
  static GardnerPosition from_fen(const Variant&, std::string_view fen);

  void play(Move move);
  static const BoardGraph& graph(const Variant&);
  static const FenRows& rows();
  static std::string square_text(Square s);

 private:
  friend BoardPosition;
  static const AttackTables& tables();
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
};
static_assert(sizeof(GardnerPosition) == 88);

}  // namespace faultline
