// Positions of games of files from their planes, by way of their FENs.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/encoding/data_encoding.h"

namespace faultline::data {
namespace {

template <class B>
class Decoder {
 public:
  using P = DataPosition<B>;

  Decoder(const DataEncoding<B>& encoding, std::span<const float> planes)
      : encoding_(encoding), game_(encoding.game()), file_(game_.file()), planes_(planes) {
    mover_ = number(Shows::BlackToMove) != 0 ? Colour::Black : Colour::White;
    for (const Part& part : file_.board.parts)
      places_.push_back({part.files, part.ranks});
    if (game_.shifting_part >= 0)
      places_[static_cast<std::size_t>(game_.shifting_part)] = {number(Shows::Files),
                                                                number(Shows::Ranks)};
    board_ = game_.board_at(places_);
    if (board_ == nullptr) throw FenError("displacement", "the planes show no board of the game");
    cells_ = &encoding.canvas(*board_).cells[at(mover_)];
  }

  int repetitions() const { return number(Shows::Repetitions); }

  std::string fen() {
    read_squares();
    std::string text = pieces() + hands() + (mover_ == Colour::White ? " w " : " b ");
    text += castling() + " " + en_passant();
    if (has(Shows::Checks)) {
      text += " " + of_side(Shows::Checks, Colour::White, 0) + "+" +
              of_side(Shows::Checks, Colour::Black, 0);
    }
    text += " " + std::to_string(number(Shows::Plies)) + " " + std::to_string(move_number());
    return text + parts() + counters();
  }

 private:
  static constexpr std::array kColours = {Colour::White, Colour::Black};

  bool has(Shows what) const {
    return std::ranges::any_of(encoding_.planes(),
                               [&](const auto& plane) { return plane.shows == what; });
  }
  Colour side(const DataPlane<B>& plane) const { return plane.own ? mover_ : ~mover_; }
  float value(std::size_t plane, int cell) const {
    return planes_[plane * static_cast<std::size_t>(encoding_.info().cells()) +
                   static_cast<std::size_t>(cell)];
  }
  int number_at(std::size_t plane) const {
    const double divisor = encoding_.planes()[plane].divisor;
    return static_cast<int>(std::lround(value(plane, 0) * divisor));
  }
  /// Of the first such plane; 0 if there is none.
  int number(Shows what) const {
    for (std::size_t i = 0; i < encoding_.planes().size(); ++i)
      if (encoding_.planes()[i].shows == what) return number_at(i);
    return 0;
  }
  std::string of_side(Shows what, Colour c, int index) const {
    for (std::size_t i = 0; i < encoding_.planes().size(); ++i) {
      const DataPlane<B>& plane = encoding_.planes()[i];
      if (plane.shows == what && side(plane) == c && plane.index == index)
        return std::to_string(number_at(i));
    }
    return "0";
  }
  int level_of(Square s) const { return encoding_.level_of(s); }

  /// `f(plane, square)` for every marked square; where several squares share a cell, for those that
  /// exist.
  template <class F>
  void for_each_marked(F&& f) const {
    const auto n = static_cast<std::size_t>(file_.board.squares);
    for (std::size_t i = 0; i < encoding_.planes().size(); ++i) {
      const DataPlane<B>& plane = encoding_.planes()[i];
      if (plane.is_number()) continue;
      const std::size_t begin = static_cast<std::size_t>(plane.level) * n;
      for (std::size_t s = begin; s < begin + n; ++s)
        if (!contains(board_->missing, static_cast<Square>(s)) && value(i, (*cells_)[s]) != 0.0F)
          f(plane, static_cast<Square>(s));
    }
  }

  void read_squares() {
    levels_ = has(Shows::Squares) ? 0 : encoding_.levels();
    missing_ = board_->missing;
    for_each_marked([&](const DataPlane<B>& plane, Square s) {
      const B square = square_set<B>(s);
      switch (plane.shows) {
        case Shows::Pieces:
          piece_at_[s] = {static_cast<faultline::PieceType>(plane.index), side(plane)};
          break;
        case Shows::EnPassant:
          passed_ |= square;
          break;
        case Shows::Passer:
          passer_ = s;
          break;
        case Shows::Rooks:
          rooks_[at(side(plane))] |= square;
          break;
        case Shows::Squares:
          levels_ = std::max(levels_, plane.level + 1);
          break;
        case Shows::Gaps:
          missing_ |= square;
          break;
        case Shows::SlidFrom:
          slid_from_ |= square;
          break;
        case Shows::SlidTo:
          slid_to_ |= square;
          break;
        default:
          break;
      }
    });
  }
  Piece piece_at(Square s) const {
    const auto found = piece_at_.find(s);
    return found == piece_at_.end() ? Piece{} : found->second;
  }
  std::string letter_of(int type, Colour c) const {
    std::string letter = file_.pieces[static_cast<std::size_t>(type)].letter;
    if (c == Colour::Black) letter.back() = static_cast<char>(letter.back() - 'A' + 'a');
    return letter;
  }

  std::string pieces() const {
    std::string text;
    for (int level = 0; level < levels_; ++level)
      for (std::size_t row = 0; row < game_.rows.size(); ++row) {
        if (row > 0 || level > 0) text += row > 0 ? '/' : '|';
        int empty = 0;
        const auto end_run = [&] {
          if (empty > 0) text += std::to_string(empty);
          empty = 0;
        };
        for (const Square of_level : game_.rows[row]) {
          const auto s = static_cast<Square>(of_level + level * file_.board.squares);
          const Piece piece = piece_at(s);
          if (!piece.exists() && !contains(missing_, s)) {
            ++empty;
            continue;
          }
          end_run();
          text += piece.exists() ? letter_of(index(piece.type), piece.colour) : "*";
        }
        end_run();
      }
    return text;
  }

  std::string hands() const {
    if (!file_.hands) return "";
    std::string text = "[";
    for (const Colour c : kColours)
      for (std::size_t i = 0; i < encoding_.planes().size(); ++i) {
        const DataPlane<B>& plane = encoding_.planes()[i];
        if (plane.shows != Shows::Hand || side(plane) != c) continue;
        for (int n = number_at(i); n > 0; --n)
          text += letter_of(plane.index, c);
      }
    return text + "]";
  }

  bool may_castle(const CastleTable<B>& castle) const {
    for (std::size_t i = 0; i < encoding_.planes().size(); ++i) {
      const DataPlane<B>& plane = encoding_.planes()[i];
      if (plane.shows == Shows::Right && side(plane) == castle.colour &&
          (plane.rights[at(castle.colour)] & castle.right) != 0)
        return number_at(i) != 0;
    }
    const auto stands = [&](Square s, TypeIndex type) {
      return piece_at(s) == Piece{static_cast<faultline::PieceType>(type), castle.colour};
    };
    return contains(rooks_[at(castle.colour)], castle.rook) &&
           stands(castle.king, castle.king_type) && stands(castle.rook, castle.rook_type);
  }
  std::string castling() const {
    std::string text;
    for (int level = 0; level < levels_; ++level) {
      if (level > 0) text += '|';
      std::string letters;
      for (const CastleTable<B>& castle : game_.castles)
        if (castle.level == level && may_castle(castle))
          letters += castle.colour == Colour::White ? castle.letter
                                                    : static_cast<char>(castle.letter - 'A' + 'a');
      text += letters.empty() ? "-" : letters;
    }
    return text;
  }

  /// The squares, and always the piece that passed them.
  std::string en_passant() const {
    if (!any(passed_)) return "-";
    const auto name = [&](Square s) { return game_.graph.name(s); };
    std::string text;
    for_each_square(passed_, [&](Square s) { text += (text.empty() ? "" : "+") + name(s); });
    if (passer_ != kNoSquare) return text + "/" + name(passer_);
    game_.ready(board_);
    const auto& steps = board_->sides[at(~mover_)].double_steps;
    for (std::size_t t = 0; t < steps.size(); ++t)
      for (const DoubleStep<B>& step : steps[t])
        if (any(step.passed & passed_) &&
            piece_at(step.to) == Piece{static_cast<faultline::PieceType>(t), ~mover_})
          return text + "/" + name(step.to);
    return text;
  }

  /// The first one by which belts are where they are in their rhythms.
  int move_number() const {
    const Colour second = ~file_.starts.front().to_move;
    constexpr int kMost = 5000;
    for (int move = 1; move < kMost; ++move) {
      const int turn = 2 * (move - 1) + (mover_ == second ? 1 : 0) + 1;
      bool fits = true;
      for (std::size_t i = 0; i < encoding_.planes().size(); ++i)
        if (const DataPlane<B>& plane = encoding_.planes()[i]; plane.shows == Shows::Turn)
          fits = fits && turn % plane.index == number_at(i);
      if (fits) return move;
    }
    return 1;
  }

  std::string parts() const {
    std::string text;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      text += " " + std::to_string(places_[i].files) + "," + std::to_string(places_[i].ranks);
      const Part& part = file_.board.parts[i];
      if (!part.shift) continue;
      text += "/" + uses(game_.shift_counter) + "/" + std::to_string(number(Shows::LastFiles));
      if (part.shift->ranks != Interval{}) text += "/" + std::to_string(number(Shows::LastRanks));
    }
    return text;
  }
  std::string uses(int counter) const {
    return of_side(Shows::Uses, Colour::White, counter) + "," +
           of_side(Shows::Uses, Colour::Black, counter);
  }
  std::string counters() const {
    std::string text;
    for (int i = game_.shift_counter + 1; i < static_cast<int>(game_.counters.size()); ++i)
      text += " " + uses(i) + "/" + last_movement(i);
    return text;
  }
  /// The text of the last turn if it was a movement with that counter.
  std::string last_movement(int counter) const {
    if (counter == game_.slide_counter) {
      if (!any(slid_from_) || !any(slid_to_)) return "-";
      return game_.area_name(game_.area_of(first(slid_from_))) + "-" +
             game_.area_name(game_.area_of(first(slid_to_)));
    }
    for (std::size_t i = 0; i < encoding_.planes().size(); ++i) {
      const DataPlane<B>& plane = encoding_.planes()[i];
      if (plane.shows != Shows::LastBelt || number_at(i) == 0) continue;
      const BeltTable<B>& belt = game_.belts[static_cast<std::size_t>(plane.index)];
      if (belt.counter == counter)
        return "@" + (belt.name.empty() ? std::to_string(plane.index + 1) : belt.name) +
               (number_at(i) > 0 ? "+" : "-");
    }
    return "-";
  }

  const DataEncoding<B>& encoding_;
  const GameTables<B>& game_;
  const GameFile& file_;
  std::span<const float> planes_;
  Colour mover_ = Colour::White;
  std::vector<Displacement> places_;
  const BoardTables<B>* board_ = nullptr;
  const std::vector<int>* cells_ = nullptr;
  int levels_ = 1;
  std::map<Square, Piece> piece_at_;
  B missing_{}, passed_{}, slid_from_{}, slid_to_{};
  BySide<B> rooks_{};
  Square passer_ = kNoSquare;
};

}  // namespace
}  // namespace faultline::data

namespace faultline {

template <class B>
auto DataEncoder<B>::decode(const Variant& game, std::span<const float> planes, int* repetitions)
    -> P {
  assert(planes.size() == info(game).floats());
  data::Decoder<B> decoder(data::DataEncoding<B>::of(game), planes);
  if (repetitions != nullptr) *repetitions = decoder.repetitions();
  return P::from_fen(game, decoder.fen());
}
template data::DataPosition<Bitboard> DataEncoder<Bitboard>::decode(const Variant&,
                                                                    std::span<const float>, int*);
template data::DataPosition<WideBitboard> DataEncoder<WideBitboard>::decode(const Variant&,
                                                                            std::span<const float>,
                                                                            int*);
template data::DataPosition<StackedBitboard> DataEncoder<StackedBitboard>::decode(
    const Variant&, std::span<const float>, int*);

}  // namespace faultline
