#include "rules/data/data_position.h"
#include "rules/data/game_picture.h"
namespace faultline::data {
VariantDescription describe_game(const GameFile& file) {
  return {.summary = file.summary, .rulings = {}, .move_examples = "e2e4"};
}
template <class B>
BoardPicture DataPosition<B>::board_picture() const {
  BoardPicture p;
  p.kinds = &piece_kinds();
  p.levels.resize(1);
  int y = 0;
  for (const auto& row : game_->rows) {
    int x = 0;
    for (Square s : row) {
      p.add_square(s, square_text(s), 0, {double(x), double(-y)}, checkered(x, y), piece_at(s));
      ++x;
    }
    ++y;
  }
  return p;
}
template <class B>
void DataPosition<B>::mark_move(Move m, BoardPicture& after) const {
  after.highlight(m.to(), PictureHighlight::Kind::MoveTo);
}
template <class B>
BoardEffects DataPosition<B>::board_effects(Move) const {
  return {};
}
template BoardPicture DataPosition<Bitboard>::board_picture() const;
template BoardPicture DataPosition<WideBitboard>::board_picture() const;
template BoardPicture DataPosition<StackedBitboard>::board_picture() const;
template void DataPosition<Bitboard>::mark_move(Move, BoardPicture&) const;
template void DataPosition<WideBitboard>::mark_move(Move, BoardPicture&) const;
template void DataPosition<StackedBitboard>::mark_move(Move, BoardPicture&) const;
template BoardEffects DataPosition<Bitboard>::board_effects(Move) const;
template BoardEffects DataPosition<WideBitboard>::board_effects(Move) const;
template BoardEffects DataPosition<StackedBitboard>::board_effects(Move) const;
}  // namespace faultline::data
