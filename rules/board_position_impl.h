// The definitions of rules/board_position.h. A family's .cpp file includes this and has
//   template class BoardPosition<FamilyPosition, …>;
#pragma once

#include "rules/board_position.h"
#include "rules/generator.h"

namespace faultline {

template <class Family, class Board, std::size_t MostMoves>
template <class Sink>
void BoardPosition<Family, Board, MostMoves>::generate_for_mover(Sink& sink) const {
  if (side_ == Colour::White)
    family().template generate<Colour::White>(sink);
  else
    family().template generate<Colour::Black>(sink);
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::legal_moves(MoveList& list) const {
  list.clear();
  ListSink sink(list);
  generate_for_mover(sink);
}

template <class Family, class Board, std::size_t MostMoves>
std::size_t BoardPosition<Family, Board, MostMoves>::count_legal_moves() const {
  CountSink sink;
  generate_for_mover(sink);
  return sink.total();
}

template <class Family, class Board, std::size_t MostMoves>
auto BoardPosition<Family, Board, MostMoves>::attackers_of_king(Colour c) const -> SquareSet {
  return attackers(family().tables(), board_, board_.king(c), ~c,
                   board_.occupied() | family().missing());
}

template <class Family, class Board, std::size_t MostMoves>
auto BoardPosition<Family, Board, MostMoves>::attacked_by(Colour c) const
    -> AttackedSquares<SquareSet> {
  const SquareSet missing = family().missing();
  AttackedSquares<SquareSet> attacked =
      attacked_squares(family().tables(), board_, c, board_.occupied() | missing);
  attacked.once &= ~missing;
  attacked.twice &= ~missing;
  return attacked;
}

template <class Family, class Board, std::size_t MostMoves>
bool BoardPosition<Family, Board, MostMoves>::in_check() const {
  return any(attackers_of_king(side_));
}

template <class Family, class Board, std::size_t MostMoves>
Outcome BoardPosition<Family, Board, MostMoves>::outcome(bool any_legal_move) const {
  if (!any_legal_move) return in_check() ? win_for(~side_) : Outcome::Stalemate;
  if (board_.occupied() == board_.of(PieceType::King)) return Outcome::BareKings;
  return plies_ >= 100 ? Outcome::FiftyMoveRule : Outcome::Ongoing;
}

template <class Family, class Board, std::size_t MostMoves>
std::uint64_t BoardPosition<Family, Board, MostMoves>::key_from_scratch() const {
  return board_.key_of(board_.occupied()) ^ zobrist::castling(castling_) ^ turn_key() ^
         family().ground_key();
}

template <class Family, class Board, std::size_t MostMoves>
std::string BoardPosition<Family, Board, MostMoves>::fen() const {
  FenPlacement placement;
  const SquareSet missing = family().missing();
  for (const auto& row : family().rows())
    for (const Square s : row) {
      placement.pieces[s] = board_.at(s);
      placement.missing[s] = contains(missing, s);
    }
  return write_placement(family().rows(), placement, Family::kPawnLetter) +
         fen_after_pieces(write_castling_letters(castling_),
                          en_passant_ == kNoSquare ? "-" : family().square_text(en_passant_));
}

template <class Family, class Board, std::size_t MostMoves>
std::string BoardPosition<Family, Board, MostMoves>::move_text(Move move) const {
  std::string text = family().square_text(move.from()) + family().square_text(move.to());
  if (move.kind() == MoveKind::Promotion) text += piece_letter({move.promotion(), Colour::Black});
  return text;
}

template <class Family, class Board, std::size_t MostMoves>
std::optional<Move> BoardPosition<Family, Board, MostMoves>::parse_move(
    std::string_view text) const {
  return find_move(family(), text);
}

template <class Family, class Board, std::size_t MostMoves>
std::string BoardPosition<Family, Board, MostMoves>::picture() const {
  const FenRows& rows = family().rows();
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += std::to_string(rows.size() - i) + " ";
    for (std::size_t file = 0; file < rows[i].size(); ++file) {
      const Piece piece = board_.at(rows[i][file]);
      const char empty = (rows.size() - 1 - i + file) % 2 == 0 ? ':' : '.';
      text += std::string(" ") + (piece.exists() ? piece_letter(piece) : empty);
    }
    text += '\n';
  }
  text += "  ";
  for (std::size_t file = 0; file < rows.front().size(); ++file)
    text += std::string(" ") + static_cast<char>('a' + file);
  return text + '\n';
}

template <class Family, class Board, std::size_t MostMoves>
BoardPicture BoardPosition<Family, Board, MostMoves>::board_picture() const {
  const FenRows& rows = family().rows();
  const auto files = static_cast<int>(rows.front().size());
  const auto ranks = static_cast<int>(rows.size());
  BoardPicture picture;
  picture.levels.push_back({{{0, 0}, {static_cast<double>(files), static_cast<double>(ranks)}}});
  for (int rank = 0; rank < ranks; ++rank)
    for (int file = 0; file < files; ++file) {
      const Square s =
          rows[static_cast<std::size_t>(ranks - 1 - rank)][static_cast<std::size_t>(file)];
      picture.add_square(s, family().square_text(s), 0,
                         {static_cast<double>(file), static_cast<double>(rank)},
                         checkered(file, rank), board_.at(s));
    }
  picture.add_files(0, files, {0.5, -kPictureLabelDistance});
  picture.add_ranks(0, 1, ranks, {-kPictureLabelDistance, 0.5});
  mark_check(picture);
  return picture;
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::mark_move(Move move, BoardPicture& after) const {
  after.highlight(move.from(), PictureHighlight::Kind::MoveFrom);
  after.highlight(move.to(), PictureHighlight::Kind::MoveTo);
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::mark_check(BoardPicture& picture) const {
  if (in_check()) picture.highlight(board_.king(side_), PictureHighlight::Kind::Check);
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::set_pieces(const FenPlacement& placement,
                                                         const std::array<SquareSet, 2>& barred) {
  require_one_king_each(placement);
  for (const auto& row : family().rows())
    for (const Square s : row) {
      const Piece piece = placement.pieces[s];
      if (!piece.exists()) continue;
      if (piece.type == PieceType::Pawn &&
          contains(barred[static_cast<std::size_t>(index(piece.colour))], s))
        throw FenError("pieces", "'" + std::string(1, piece_letter(piece, Family::kPawnLetter)) +
                                     "' on " + family().square_text(s) + ", where it cannot be");
      board_.toggle(piece.colour, piece.type, s);
    }
}

template <class Family, class Board, std::size_t MostMoves>
Square BoardPosition<Family, Board, MostMoves>::named_en_passant(std::string_view field) const {
  const Square s = family().find_square(field);
  if (s == kNoSquare) throw FenError("en passant", "expected '-' or a square of the board");
  return s;
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::offer_en_passant(Square passed) {
  if (any(family().tables().pawn_attacks(~side_, passed) & board_.of(side_, PieceType::Pawn)))
    en_passant_ = passed;
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::finish_reading() {
  if (any(attackers_of_king(~side_))) throw FenError("side", "the side not to move is in check");
  key_ = key_from_scratch();
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::step_over(Square passed) {
  if (any(family().tables().pawn_attacks(side_, passed) & board_.of(~side_, PieceType::Pawn)))
    set_en_passant(passed);
}

template <class Family, class Board, std::size_t MostMoves>
void BoardPosition<Family, Board, MostMoves>::keep_castling(unsigned kept) {
  kept &= castling_;
  if (kept == castling_) return;
  key_ ^= zobrist::castling(castling_) ^ zobrist::castling(kept);
  castling_ = static_cast<std::uint8_t>(kept);
}

}  // namespace faultline
