// The Slanted Escalator family (docs/rules.md).
#include "rules/families/slanted.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/interned.h"
#include "base/quote.h"
#include "rules/board_position_impl.h"
#include "rules/piece_play.h"

namespace faultline {

namespace {

using enum PieceType;

constexpr std::array<const char*, 3> kShapeNames = {"ultra", "standard", "mini"};
constexpr std::array<const char*, 4> kArmyNames = {"standard", "almost", "sort-of-almost",
                                                   "almost-for-black"};

/// The board's default first mover: on the mini board, its inventor has Black move first.
Colour usual_first(SlantedShape shape) {
  return shape == SlantedShape::Mini ? Colour::Black : Colour::White;
}

/// Whether crabs may step two squares on this board.
bool has_double_steps(SlantedShape shape) {
  return shape != SlantedShape::Mini;
}

template <class Names>
std::vector<std::string> as_choices(const Names& names) {
  return {names.begin(), names.end()};
}

template <class Enum, class Names>
Enum chosen(const Names& names, const std::string& value) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), value) - names.begin());
}

}  // namespace

SlantedVariant::SlantedVariant(SlantedShape shape, SlantedArmy army, Colour first, bool jump_check)
    : board_(&SlantedBoard::of(shape, jump_check)),
      army_(army),
      first_(first),
      jump_check_(jump_check) {
  for (const Colour c : {Colour::White, Colour::Black})
    for (const PieceType t : {Queen, Chancellor, Ultra, Rook, Bishop, Knight})
      if (knows({t, c})) promotions_[static_cast<std::size_t>(index(c))].push_back(t);
}

std::string SlantedVariant::canonical_name() const {
  std::string text;
  const auto option = [&](const char* name, const std::string& value, const std::string& usual) {
    if (value != usual) text += (text.empty() ? ":" : ",") + std::string(name) + "=" + value;
  };
  option("board", kShapeNames[static_cast<std::size_t>(board_->shape())], kShapeNames[0]);
  option("army", kArmyNames[static_cast<std::size_t>(army_)], kArmyNames[0]);
  option("first", std::string(name(first_)), std::string(name(usual_first(board_->shape()))));
  option("jumpcheck", jump_check_ ? "on" : "off", "on");
  return "slanted" + text;
}

std::string SlantedVariant::back_rank(Colour c) const {
  if (board_->shape() != SlantedShape::Ultra) return "RNBQKBNR";
  return knows({Chancellor, c}) ? "URNBMKBNRU" : "URNBQKBNRU";
}

bool SlantedVariant::knows(Piece piece) const {
  const SlantedArmy of_one_side =
      piece.colour == Colour::White ? SlantedArmy::SortOfAlmost : SlantedArmy::AlmostForBlack;
  const bool chancellor = army_ == SlantedArmy::Almost || army_ == of_one_side;
  if (piece.type == Chancellor) return chancellor;
  if (piece.type == Queen) return !chancellor;
  if (piece.type == Ultra) return board_->shape() == SlantedShape::Ultra;
  return true;
}

const FamilyInfo& SlantedPosition::info() {
  static const FamilyInfo info = {
      .name = "slanted",
      .inventor = "David Short",
      .summary =
          "Slanted escalators at the sides: lines fork at their feet, barriers stand beside them, "
          "crabs replace the pawns.",
      .options = {{.name = "board",
                   .default_value = "ultra",
                   .allowed = "ultra, standard, mini",
                   .help = "84, 60 or 44 squares; ultras only on the first"},
                  {.name = "army",
                   .default_value = "standard",
                   .allowed = "standard, almost, sort-of-almost, almost-for-black",
                   .help = "queens; chancellors in their place; only White's; only Black's (ultra "
                           "board)"},
                  {.name = "first",
                   .default_value = "white",
                   .allowed = "white, black",
                   .help = "who moves first; default on the mini board: black"},
                  {.name = "jumpcheck",
                   .default_value = "on",
                   .allowed = "on, off",
                   .help = "whether an ultra attacks a king over a piece between"}},
      .most_plies = 400};
  return info;
}

VariantDescription SlantedPosition::describe(const Variant& variant) {
  const SlantedGrid grid = variant.board().grid();
  const bool ultras = variant.board().shape() == SlantedShape::Ultra;
  const bool double_steps = has_double_steps(variant.board().shape());
  const std::string foot = std::to_string(grid.first_escalator_rank + 1);  // the escalators' first
  const std::string below = std::to_string(grid.first_escalator_rank);
  const std::string seventh = std::to_string(grid.height - 1);
  const std::string last = std::to_string(grid.height);
  VariantDescription about;
  about.summary = info().summary;
  about.rulings = {"Square ab" + foot + " lies above both a" + below + " and b" + below +
                       ": a line that reaches such a fork continues along both branches.",
                   std::string("Nothing crosses a barrier but knights") +
                       (ultras ? ", and ultras sideways." : "."),
                   "Knight moves are symmetric, at the seam too: a knight can always move back."};
  if (ultras)
    about.rulings.push_back(
        std::string("An ultra goes one or two links in one direction, over anything") +
        (variant.jump_check() ? "." : ", but does not attack a king over a piece between."));
  about.rulings.push_back(
      std::string("Crabs step straight or diagonally ahead and capture diagonally") +
      (double_steps ? "; from their starting rank they may step two straight ahead."
                    : ". They have no double step, so that there is no en passant."));
  if (double_steps)
    about.rulings.emplace_back(
        "A diagonal step onto the square that an enemy crab has just passed over is an en passant "
        "capture, never a quiet step.");
  const auto best = [&](Colour c) -> std::string {
    return variant.knows({Chancellor, c}) ? "a chancellor" : "a queen";
  };
  const std::string others =
      ultras ? ", an ultra, a rook, a bishop or a knight." : ", a rook, a bishop or a knight.";
  about.rulings.push_back(best(Colour::White) != best(Colour::Black)
                              ? "White's crabs promote to " + best(Colour::White) +
                                    ", Black's to " + best(Colour::Black) +
                                    "; all of them also to" + others.substr(1)
                              : "Crabs promote to " + best(Colour::White) + others);
  if (ultras)
    about.rulings.emplace_back(
        "Castling: the king goes from f1 to h1 or d1, the rook to the square that it crossed.");

  about.move_examples = double_steps ? "b2ab" + foot + " (a double step at a fork)"
                                     : "b" + below + "ab" + foot + " (a step at a fork)";
  about.move_examples +=
      ultras ? ", cd6e6 (an ultra over a barrier), f1h1 (castling)" : ", e1g1 (castling)";
  about.move_examples += ", b" + seventh + "b" + last + (ultras ? "u" : "q") + " (promotion)";
  return about;
}

const SlantedVariant& SlantedPosition::variant(const VariantName& name) {
  check_option_names(name, info());
  const auto shape = chosen<SlantedShape>(
      kShapeNames, choice_option(name, info(), "board", as_choices(kShapeNames)));
  const auto army =
      chosen<SlantedArmy>(kArmyNames, choice_option(name, info(), "army", as_choices(kArmyNames)));
  if (army != SlantedArmy::Standard && shape != SlantedShape::Ultra)
    throw VariantError("family 'slanted': army is for board=ultra only");
  const std::string first_given = choice_option(name, info(), "first", {"white", "black"});
  Colour first = first_given == "white" ? Colour::White : Colour::Black;
  if (!name.options.contains("first")) first = usual_first(shape);
  const bool jump_check = choice_option(name, info(), "jumpcheck", {"on", "off"}) == "on";
  static Interned<std::tuple<SlantedShape, SlantedArmy, Colour, bool>, SlantedVariant> variants;
  return variants.get({shape, army, first, jump_check},
                      [&](const auto&) { return SlantedVariant(shape, army, first, jump_check); });
}

SlantedPosition SlantedPosition::start(const Variant& variant) {
  const SlantedBoard& board = variant.board();
  const int height = board.grid().height;
  FenPlacement placement;
  for (const Colour c : {Colour::White, Colour::Black}) {
    const bool white = c == Colour::White;
    const std::string army = variant.back_rank(c);
    for (int file = 0; file < board.grid().width; ++file) {
      const char letter = army[static_cast<std::size_t>(file)];
      placement.pieces[board.square_at(file, white ? 0 : height - 1)] = {
          piece_from_letter(letter)->type, c};
      placement.pieces[board.square_at(file, white ? 1 : height - 2)] = {Pawn, c};
    }
  }
  return from_fen(variant, write_placement(board.rows(), placement, 'C') +
                               (variant.first_mover() == Colour::White ? " w" : " b") +
                               " KQkq - 0 1");
}

SlantedPosition SlantedPosition::from_fen(const Variant& variant, std::string_view fen) {
  const SlantedBoard& board = variant.board();
  const auto fields = split_fen(fen, kFenFields);
  FenPlacement placement;
  read_placement(fields[0], board.rows(), "CNBRQKMU", false, placement);
  for (Square s = 0; s < board.size(); ++s)
    if (const Piece piece = placement.pieces[s]; piece.exists() && !variant.knows(piece))
      throw FenError("pieces", "'" + std::string(1, piece_letter(piece)) + "' on " + board.name(s) +
                                   ": " + variant.canonical_name() +
                                   " has no such piece of that colour");
  SlantedPosition p;
  p.variant_ = &variant;
  const WideBitboard edges = board.rank(0) | board.rank(board.grid().height - 1);
  p.set_pieces(placement, {edges, edges});
  p.side_ = read_side(fields[1]);
  const Colour them = ~p.side_;

  if (fields[2].find_first_of("HAha") != std::string_view::npos)  // its rooks are on other files
    throw FenError("castling", "expected '-' or letters of KQkq, got " + quote(fields[2]));
  p.castling_ =
      read_castling(fields[2], board.castling(), p.board_, [&](Square s) { return board.name(s); });

  if (fields[3] != "-") {
    const Square s = p.named_en_passant(fields[3]);
    if (!has_double_steps(board.shape()) || !contains(board.rank_of(them, 2), s))
      throw FenError("en passant", "no double step passes over " + board.name(s));
    const WideBitboard empty = square_set<WideBitboard>(s) | p.tables().pawn_push(p.side_, s);
    if (!any(p.passing_crab(them, s)) || any(p.board_.occupied() & empty))
      throw FenError("en passant", "no crab has just passed over " + board.name(s));
    p.offer_en_passant(s);
  }
  p.read_counters(fields[4], fields[5]);
  p.finish_reading();
  return p;
}

template <Colour us, class Sink>
void SlantedPosition::generate(Sink& sink) const {
  constexpr Colour them = ~us;
  const SlantedBoard& ground = variant_->board();
  const SlantedTables& tables = ground.tables();
  const Square king = board_.king(us);
  const WideBitboard occupied = board_.occupied();
  auto view = view_of<us>(board_, WideBitboard{}, WideBitboard{},
                          ground.rank_of(us, ground.grid().height - 1));
  view.pawns_step_diagonally = true;
  view.promotions = variant_->promotions(us);
  if (has_double_steps(ground.shape())) view.double_step_from = ground.rank_of(us, 1);
  // A crab that steps onto the square passed over captures; every adjacent crab attacks it.
  if (en_passant_ != kNoSquare) view.empty &= ~square_set<WideBitboard>(en_passant_);

  CheckInfo<WideBitboard> checks;
  find_check_info<us>(tables, board_, king, WideBitboard{}, checks);

  generate_king<us>(tables, board_, king, view, sink);
  if (!any(checks.check_mask)) return;
  generate_pieces<us>(tables, board_, view, checks, sink);
  if (en_passant_ != kNoSquare)
    generate_en_passant<us>(tables, board_, occupied, en_passant_,
                            first(passing_crab(them, en_passant_)), sink);

  // On the ultra board there is a square outside the rook.
  if (castling_ && !any(checks.checkers))
    generate_castling<us>(tables, board_, ground.castling(), castling_, occupied,
                          [&](Move m) { sink.move(m); });
}

void SlantedPosition::play(Move move) {
  const Colour us = side_;
  const SlantedBoard& ground = variant_->board();
  set_en_passant(kNoSquare);
  const Square captured_on =
      move.kind() == MoveKind::EnPassant ? first(passing_crab(~us, move.to())) : move.to();
  const PiecePlayed played = move_piece(board_, key_, us, move, captured_on);
  if (move.kind() == MoveKind::Castling) {
    for (const auto& side : ground.castling())
      if (side.king_from == move.from() && side.king_to == move.to())
        move_rook(board_, key_, us, side.rook_from, side.rook_to);
  } else if (move.kind() == MoveKind::DoubleStep) {
    // The square ahead from which this destination is one more step.
    step_over(first(tables().pawn_push(us, move.from()) & tables().pawn_push(~us, move.to())));
  }
  keep_castling(ground.rights_kept(move.from()) & ground.rights_kept(move.to()));
  end_turn(played.progress(), played.progress(), ~variant_->first_mover());
}

std::string SlantedPosition::picture() const {
  // A file is four columns wide. Only the lowest escalator rank is half a file inwards, above two
  // files each; the ranks above it are linked as in a grid.
  const SlantedBoard& board = variant_->board();
  const SlantedGrid grid = board.grid();
  std::string text;
  for (int rank = grid.height - 1; rank >= 0; --rank) {
    std::string line(static_cast<std::size_t>(4 * grid.width + 4), ' ');
    line[0] = static_cast<char>('1' + rank);
    for (int file = 0; file < grid.width; ++file) {
      const Square s = board.square_at(file, rank);
      if (s == kNoSquare) continue;
      const int inwards =
          rank == grid.first_escalator_rank ? -grid.side_of_escalator(file, rank) : 0;
      const int column = 4 + 4 * file + 2 * inwards;
      const Piece piece = board_.at(s);
      line[static_cast<std::size_t>(column)] = piece.exists() ? piece_letter(piece, 'C') : '.';
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  text += ' ';
  for (int file = 0; file < grid.width; ++file)
    text += std::string("   ") + static_cast<char>('a' + file);
  return text +
         "\nan escalator has the names of both files below it (ab4);\n"
         "the gaps beside them are barriers\n";
}

BoardPicture SlantedPosition::board_picture() const {
  // Escalators lean: half a file inwards at their foot, where each is above two files, and in line
  // with the files above at their head. Squares that touch on the drawing are then those that are
  // linked.
  const SlantedBoard& board = variant_->board();
  const SlantedGrid grid = board.grid();
  const double foot = grid.first_escalator_rank;
  const double head = grid.end_escalator_rank;
  // The inward offset of an escalator at height `y`, for side -1 (left) or 1 (right).
  const auto lean = [&](int side, double y) { return -0.5 * side * (head - y) / (head - foot); };
  /// The cells from `first` to `last` of a rank's files, between two heights.
  const auto block = [&](int first, int last, double low, double high, int side_of_first,
                         int side_of_last) -> PicturePolygon {
    return {{first + lean(side_of_first, low), low},
            {last + 1 + lean(side_of_last, low), low},
            {last + 1 + lean(side_of_last, high), high},
            {first + lean(side_of_first, high), high}};
  };

  BoardPicture picture;
  picture.kinds = &piece_kinds();
  picture.levels.push_back(
      {{{0, 0}, {static_cast<double>(grid.width), static_cast<double>(grid.height)}}});
  for (int rank = 0; rank < grid.height; ++rank)
    for (int file = 0; file < grid.width; ++file) {
      const Square s = board.square_at(file, rank);
      if (s == kNoSquare) {
        // One edge of a barrier belongs to the escalators, the other to the middle files.
        const bool is_left = file < grid.width / 2;
        PicturePolygon polygon =
            block(file, file, rank, rank + 1, is_left ? -1 : 0, is_left ? 0 : 1);
        picture.areas.push_back(
            {PictureArea::Kind::Barrier,
             std::string(1, static_cast<char>('a' + file)) + std::to_string(rank + 1), 0,
             std::move(polygon)});
        continue;
      }
      const int side = grid.side_of_escalator(file, rank);
      PicturePolygon polygon = block(file, file, rank, rank + 1, side, side);
      const PicturePoint centre = middle_of(polygon);
      if (side != 0)
        picture.labels.push_back({PictureLabel::Kind::Name, 0, board.name(s),
                                  polygon.back() + PicturePoint{0.25, -0.14}});
      picture.squares.push_back(
          {s, board.name(s), 0, std::move(polygon), centre, checkered(file, rank), board_.at(s)});
    }
  const int last = grid.width - 1;
  picture.marks.push_back(
      {PictureMark::Kind::Escalator, 0, block(0, grid.escalators - 1, foot, head, -1, -1)});
  picture.marks.push_back(
      {PictureMark::Kind::Escalator, 0, block(last - grid.escalators + 1, last, foot, head, 1, 1)});
  for (int file = 0; file < grid.width; ++file) {
    const PictureSquare& from = *picture.find(board.square_at(file, grid.first_escalator_rank - 1));
    for (const Square ahead : board.graph().neighbours(from.square, Direction::N))
      if (board.graph().neighbours(ahead, Direction::S).size() > 1)
        picture.marks.push_back(
            {PictureMark::Kind::Fork, 0, {from.centre, picture.find(ahead)->centre}});
  }
  picture.add_files(0, grid.width, {0.5, -kPictureLabelDistance});
  picture.add_ranks(0, 1, grid.height, {-kPictureLabelDistance, 0.5});
  mark_check(picture);
  return picture;
}

template class BoardPosition<SlantedPosition, PieceBoard<WideBitboard, kPieceTypes>, 2048>;
static_assert(Position<SlantedPosition>);

}  // namespace faultline
