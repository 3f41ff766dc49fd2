// Reads positions of games from files.
#include <algorithm>
#include <charconv>
#include <vector>

#include "base/quote.h"
#include "rules/data/data_position.h"
#include "rules/fen.h"

namespace faultline::data {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
char upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

/// "QRBN" and so on.
std::string all_letters(const GameFile& game) {
  std::string text;
  for (const PieceType& piece : game.pieces)
    text += piece.letter;
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Whether a FEN of a game that counts checks does not say how many are left.
bool full_checks(std::string_view fen) {
  const auto fields = split(fen, ' ');
  return fields.size() > 4 && fields[4].find('+') == std::string_view::npos;
}

}  // namespace

template <class B>
void DataPosition<B>::read_pieces(std::string_view field) {
  const GameFile& game = game_->file();
  if (const std::size_t open = field.find('['); open != std::string_view::npos) {
    if (!game.hands) throw FenError("pieces", "there are no hands: nothing in brackets");
    if (!field.ends_with(']')) throw FenError("pieces", "'[' without ']' at the end");
    read_hands(field.substr(open + 1, field.size() - open - 2));
    field = field.substr(0, open);
  }
  const auto levels = split(field, '|');
  const auto count_of_levels = static_cast<std::size_t>(game.board.levels.count);
  if (levels.size() > count_of_levels ||
      (levels.size() < count_of_levels && !game.board.levels.lost))
    throw FenError("pieces", std::to_string(levels.size()) + " boards, not " +
                                 std::to_string(count_of_levels));
  levels_ = static_cast<std::uint8_t>(levels.size());
  const bool gaps = game.board.sectors || !game.board.parts.empty();
  B missing{};
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto rows = split(levels[level], '/');
    const auto& expected = game_->rows;
    if (rows.size() != expected.size())
      throw FenError("pieces",
                     std::to_string(rows.size()) + " rows, not " + std::to_string(expected.size()));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::string_view text = rows[row];
      const std::size_t width = expected[row].size();
      const auto fail = [&](const std::string& reason) {
        throw FenError("pieces", "row " + std::to_string(row + 1) + ": " + reason);
      };
      std::size_t column = 0;
      for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t run = 1;
        if (text[i] == '0') fail("a run of empty squares that begins with 0");
        if (is_digit(text[i])) {
          run = static_cast<std::size_t>(text[i] - '0');
          while (i + 1 < text.size() && is_digit(text[i + 1]) && run < 1000)
            run = run * 10 + static_cast<std::size_t>(text[++i] - '0');
          if (column + run > width)
            fail("more than its " + std::to_string(width) +
                 " squares (runs of empty squares are written as one number)");
          column += run;
          continue;
        }
        if (column >= width) fail("more than its " + std::to_string(width) + " squares");
        const auto s = static_cast<Square>(expected[row][column] +
                                           level * static_cast<std::size_t>(game.board.squares));
        ++column;
        if (text[i] == '*') {
          if (!gaps) fail("'*' (no square): every square of this board exists");
          missing |= square_set<B>(s);
          continue;
        }
        std::string letter(1, upper(text[i]));
        const std::size_t begin = i;
        if (text[i] == '+' && i + 1 < text.size()) letter += upper(text[++i]);
        const TypeIndex type = game.find_type(letter);
        if (type == kNoType)
          fail("unknown piece " + quote(text.substr(begin, i + 1 - begin)) + "; pieces are " +
               all_letters(game) + ", lower case for Black");
        toggle_unkeyed(is_lower(text[i]) ? Colour::Black : Colour::White, type, square_set<B>(s));
      }
      if (column != width)
        fail("has " + std::to_string(column) + " of " + std::to_string(width) + " squares");
    }
  }
  read_missing(missing);
  for (std::size_t level = levels_; level < count_of_levels; ++level)
    missing_ |= game_->levels[level];
}

template <class B>
void DataPosition<B>::read_hands(std::string_view text) {
  if (text == "-") return;
  for (const char c : text) {
    const TypeIndex type = game_->file().find_type(std::string(1, upper(c)));
    if (type == kNoType)
      throw FenError("pieces", "unknown piece " + quote(std::string_view(&c, 1)) +
                                   " in a hand; pieces are " + all_letters(game_->file()));
    if (rules_of(is_lower(c) ? Colour::Black : Colour::White, type).royal == Royal::Yes)
      throw FenError("pieces", quote(std::string_view(&c, 1)) + " in a hand: it is royal");
    std::uint8_t& held = hands_[at(is_lower(c) ? Colour::Black : Colour::White)][type];
    if (held == 200) throw FenError("pieces", "more than 200 pieces in a hand");
    ++held;
  }
}

template <class B>
void DataPosition<B>::read_missing(B missing) {
  const GameFile& game = game_->file();
  const B covered = tables_->missing;
  if (!game.board.sectors) {
    for (Square s = 0; s < game_->squares; ++s)
      if (contains(missing, s) != contains(covered, s))
        throw FenError("pieces",
                       square_text(s) + (contains(missing, s) ? " is '*' but not covered"
                                                              : " is covered and must be '*'"));
    missing_ = missing;
    return;
  }
  int gaps = 0;
  const auto& areas = game.board.sectors->areas;
  for (std::size_t a = 0; a < areas.size(); ++a) {
    const auto area = set_of<B>(areas[a]);
    const int lacking = count(missing & area);
    if (lacking != 0 && lacking != count(area))
      throw FenError("pieces", "area " + game_->area_name(static_cast<int>(a)) + " lacks " +
                                   std::to_string(lacking) + " of its " +
                                   std::to_string(count(area)) +
                                   " squares; a gap ('*') is a whole area");
    gaps += lacking != 0 ? 1 : 0;
  }
  const std::size_t expected = game.board.sectors->gaps.size();
  if (static_cast<std::size_t>(gaps) != expected)
    throw FenError("pieces", std::to_string(gaps) + " gaps ('*'), not " + std::to_string(expected));
  missing_ = missing;
}

template <class B>
void DataPosition<B>::check_placement() const {
  const GameFile& game = game_->file();
  for (const Colour c : {Colour::White, Colour::Black}) {
    const TypeSet types = game_->royals[at(c)];
    int at_start = 0;
    for (int t = 0; t < game_->types; ++t)
      if (types >> t & 1) at_start += game_->start_counts[at(c)][static_cast<std::size_t>(t)];
    const int kings = count(royals(c));
    const bool too_many = kings > at_start && !game_->more_royals[at(c)];
    if (types != 0 && at_start > 0 && !game.rules.explode && (kings == 0 || too_many))
      throw FenError("pieces", std::string(name(c)) + " has " + std::to_string(kings) +
                                   " royal pieces, not " + std::to_string(at_start));
    if (any(of(c) & game_->holes[levels_]))
      throw FenError("pieces", square_text(first(of(c) & game_->holes[levels_])) +
                                   " is a hole: nothing stands there");
    if (game.board.levels.lost)
      for (int level = 0; level < levels_; ++level)
        if (!any(royals(c) & game_->levels[static_cast<std::size_t>(level)]))
          throw FenError("pieces", std::string(name(c)) + " has no royal piece on level " +
                                       std::to_string(level + 1));
    for (int t = 0; t < game_->types; ++t) {
      const B wrong = of(c, t) & rules_of(c, t).barred;
      if (any(wrong))
        throw FenError("pieces", quote(game_->letter_of(t, c)) + " on " +
                                     square_text(first(wrong)) + ", where it cannot be");
    }
    const std::size_t drops =
        game.hands ? game_->squares * static_cast<std::size_t>(game_->types) : 0;
    if (static_cast<std::size_t>(count(of(c)) * game_->most_moves_of_piece) + drops >
        MoveList::capacity())
      throw FenError("pieces", std::string(name(c)) +
                                   " has so many pieces that it could have more than " +
                                   std::to_string(MoveList::capacity()) +
                                   " moves, as many as this program keeps");
  }
}

template <class B>
void DataPosition<B>::read_castling(std::string_view field) {
  const auto fail = [](const std::string& reason) { throw FenError("castling", reason); };
  const auto levels = split(field, '|');
  if (levels.size() != levels_) fail("expected one set of rights for each board, joined by '|'");
  for (std::size_t level = 0; level < levels.size(); ++level) {
    if (levels[level].empty()) fail("expected '-' or letters");
    if (levels[level] == "-") continue;
    for (const char letter : levels[level]) {
      const Colour c = is_lower(letter) ? Colour::Black : Colour::White;
      const CastleTable<B>* found = nullptr;
      const CastleTable<B>* named = nullptr;
      for (const CastleTable<B>& castle : game_->castles) {
        const std::string rook = square_text(castle.rook);
        const bool by_file = upper(rook[rook.find_first_not_of("0123456789")]) == upper(letter);
        if (castle.colour != c || castle.level != static_cast<int>(level) ||
            (castle.letter != upper(letter) && !by_file))
          continue;
        named = &castle;
        if (found == nullptr && contains(of(c, castle.king_type), castle.king) &&
            contains(of(c, castle.rook_type), castle.rook))
          found = &castle;
      }
      if (named == nullptr)
        fail(game_->castles.empty()
                 ? "there is no castling: expected '-'"
                 : "no right to castle is called " + quote(std::string_view(&letter, 1)));
      if (found == nullptr)
        fail("a right to castle needs the king on " + square_text(named->king) +
             " and the rook on " + square_text(named->rook));
      if (castling_ & found->right) fail(std::string("'") + letter + "' twice");
      castling_ |= found->right;
    }
  }
}

template <class B>
void DataPosition<B>::read_en_passant(std::string_view field) {
  if (field == "-") return;
  const auto fail = [](const std::string& reason) { throw FenError("en passant", reason); };
  const std::size_t slash = std::min(field.find('/'), field.size());
  B passed{};
  for (const std::string_view name : split(field.substr(0, slash), '+')) {
    const Square s = game_->graph.find(name);
    if (s == kNoSquare) fail("expected '-' or a square of the board");
    passed |= square_set<B>(s);
  }
  const B blocked = occupied() | missing_;
  B passers = any(passed & blocked) ? B{} : possible_passers(passed, blocked);
  if (slash != field.size()) {
    const Square victim = game_->graph.find(field.substr(slash + 1));
    if (victim == kNoSquare) fail("expected a square after '/'");
    // What has been carried since may stand where it passed.
    passers = any(passed & blocked) ? B{} : possible_passers(passed, B{}) & square_set<B>(victim);
  }
  for_each_square(passers, [&](Square s) {
    const auto& steps = side(~side_).double_steps[static_cast<std::size_t>(type_at(s))];
    if (std::none_of(steps.begin(), steps.end(), [&](const DoubleStep<B>& step) {
          return step.to == s && !carries_on(step) && any(passed & step.passed);
        }))
      passers &= ~square_set<B>(s);
  });
  if (!any(passers)) fail("no piece has just passed over " + square_text(first(passed)));
  while (any(passers) && passer_ == kNoSquare)
    step_over(passed, pop_first(passers));
}

template <class B>
bool DataPosition<B>::carries_on(const DoubleStep<B>& step) const {
  if (contains(game_->on_belts, step.from))
    return contains(game_->left_motions[step.from].moving, step.to);
  return std::any_of(game_->belts.begin(), game_->belts.end(), [&](const BeltTable<B>& belt) {
    const When when = belt.control.when;
    const bool set_off = when == When::Entered || when == When::LeftOrEntered ||
                         (when == When::Left && contains(belt.forward.moving, step.from));
    return set_off && belt.control.who == Who::Any && contains(belt.forward.moving, step.to);
  });
}

template <class B>
B DataPosition<B>::possible_passers(B passed, B blocked) const {
  const Colour them = ~side_;
  B found{};
  for (int t = 0; t < game_->types; ++t) {
    const auto& steps = side(them).double_steps[static_cast<std::size_t>(t)];
    for (const DoubleStep<B>& step : steps) {
      if (!any(step.passed & passed) || !contains(of(them, t), step.to)) continue;
      if (contains((occupied() & ~game_->carried_onto) | missing_, step.from)) continue;
      B over{};
      for (const DoubleStep<B>& way : steps)
        if (way.from == step.from && way.to == step.to && !any(way.passed & blocked))
          over |= way.passed;
      if (!any(passed & ~over)) found |= square_set<B>(step.to);
    }
  }
  return found;
}

/// "dx,dy", and of a part that shifts "/white,black/last files" and, if it shifts by ranks, "/last
/// ranks".
template <class B>
void DataPosition<B>::read_places(std::string_view field, std::size_t part,
                                  std::vector<Displacement>& places) {
  const Part& rules = game_->file().board.parts[part];
  const bool shifts = rules.shift.has_value();
  const bool by_ranks = shifts && rules.shift->ranks != Interval{};
  std::vector<int> numbers;
  const std::string_view separators = by_ranks ? ",/,//" : shifts ? ",/,/" : ",";
  std::string_view rest = field;
  for (std::size_t i = 0; i <= separators.size(); ++i) {
    int number = 0;
    const char* const begin = rest.data();
    const auto [end, error] = std::from_chars(begin, begin + rest.size(), number);
    rest.remove_prefix(static_cast<std::size_t>(end - begin));
    const bool separated =
        i == separators.size() ? rest.empty() : !rest.empty() && rest.front() == separators[i];
    if (error != std::errc{} || !separated)
      throw FenError("displacement",
                     std::string("expected ") + (by_ranks ? "dx,dy/white,black/last dx/last dy"
                                                 : shifts ? "dx,dy/white,black/last"
                                                          : "dx,dy"));
    numbers.push_back(number);
    if (!rest.empty()) rest.remove_prefix(1);
  }
  places[part] = {numbers[0], numbers[1]};
  if (!shifts) return;
  const int files = numbers[4];
  const int ranks = by_ranks ? numbers[5] : 0;
  const auto inside = [](int n, Interval by) { return n == 0 || (by.low <= n && n <= by.high); };
  if (!inside(files, rules.shift->files) || !inside(ranks, rules.shift->ranks) ||
      (files != 0 && ranks != 0))
    throw FenError("displacement", "no turn shifts by " + std::to_string(files) + " files and " +
                                       std::to_string(ranks) + " ranks");
  if (files != 0 || ranks != 0) last_movement_ = Move::aftershock(files + ranks, ranks != 0).bits();
  set_uses({numbers[2], numbers[3]}, static_cast<std::size_t>(game_->shift_counter), "displacement",
           last_movement_ != 0);
}

/// Of White and of Black; `last`: the opponent's last turn was one of these movements.
template <class B>
void DataPosition<B>::set_uses(BySide<int> uses, std::size_t counter, const char* field,
                               bool last) {
  const Control& control = *game_->counters[counter];
  const bool waits = control.pause > 0;
  const int most = waits ? control.pause - 1 : control.uses == kNoLimit ? 0 : control.uses;
  for (const int number : uses)
    if (number < 0 || number > most)
      throw FenError(field,
                     (waits ? "a player waits 0 to " + std::to_string(most) + " turns, not "
                            : "a player has 0 to " + std::to_string(most) + " uses left, not ") +
                         std::to_string(number));
  if (last && waits && uses[at(~side_)] != most)
    throw FenError(
        field, "the opponent, who moved the board last, waits " + std::to_string(most) + " turns");
  if (last && !waits && most > 0 && uses[at(~side_)] == most)
    throw FenError(field, "the opponent, who moved the board last, has all uses left");
  for (const Colour c : {Colour::White, Colour::Black})
    counters_[at(c)][counter] = static_cast<std::uint8_t>(uses[at(c)]);
}

/// "white,black/last": uses left or turns to wait, and the movement that was the last turn.
template <class B>
void DataPosition<B>::read_counter(std::string_view field, std::size_t counter) {
  const auto fail = [&] {
    throw FenError("movements",
                   "expected numbers and the last turn, as in \"0,0/-\", got " + quote(field));
  };
  const std::size_t slash = field.find('/');
  const auto numbers = split(field.substr(0, slash), ',');
  if (slash == std::string_view::npos || numbers.size() != 2) fail();
  const std::string_view last = field.substr(slash + 1);
  bool found = last == "-";
  const auto offer = [&](Square from, Square to) {
    const Move move(from, to, MoveKind::SectorShift);
    if (found || counter_of(move) != static_cast<int>(counter) || move_text(move) != last) return;
    found = true;
    last_movement_ = move.bits();
  };
  for (const BeltTable<B>& belt : game_->belts) {
    offer(belt.from, belt.to_forward);
    if (belt.both_ways) offer(belt.from, belt.to_backward);
  }
  for (const Slide<B>& slide : game_->slides)
    offer(Move::from_bits(slide.inverse).to(), Move::from_bits(slide.inverse).from());
  if (!found) fail();
  set_uses({read_plies(numbers[0]), read_plies(numbers[1])}, counter, "movements", last != "-");
}

template <class B>
DataPosition<B> DataPosition<B>::from_fen(const Variant& game, std::string_view fen) {
  std::vector<std::string_view> names(kFenFields.begin(), kFenFields.end());
  const bool checks = game.counts_checks();
  if (checks) names.insert(names.begin() + 4, "checks");
  const std::size_t counters = names.size() - 2;
  const std::size_t parts = game.file().board.parts.size();
  const auto first_counter = static_cast<std::size_t>(game.shift_counter + 1);
  names.insert(names.end(), parts, "displacement");
  names.insert(names.end(), game.counters.size() - first_counter, "movements");
  std::string with_places(fen);
  // A game's start need not say where its parts lie and how often they may move.
  if (game.is_start(fen)) with_places += game.start_places();
  if (checks && full_checks(with_places)) {
    // Without the field none has been given.
    std::size_t at_field = 0;
    for (int i = 0; i < 4; ++i)
      at_field = with_places.find(' ', at_field) + 1;
    const auto most = [&](Colour c) {
      return std::to_string(game.file().ends.sides[at(c)].checks);
    };
    with_places.insert(at_field, most(Colour::White) + "+" + most(Colour::Black) + " ");
  }
  const auto fields = split_fen(with_places, names);
  DataPosition p;
  p.game_ = &game;
  p.side_ = read_side(fields[1]);
  std::vector<Displacement> places(parts);
  for (std::size_t i = 0; i < parts; ++i)
    p.read_places(fields[counters + 2 + i], i, places);
  p.tables_ = game.ready(game.board_at(places));
  if (p.tables_ == nullptr)
    throw FenError("displacement", "the parts of the board never lie there");
  p.read_pieces(fields[0]);
  p.check_placement();
  for (std::size_t i = first_counter; i < game.counters.size(); ++i)
    p.read_counter(fields[counters + 2 + parts + i - first_counter], i);
  p.read_castling(fields[2]);
  p.read_en_passant(fields[3]);
  if (checks) {
    const auto both = split(fields[4], '+');
    for (const Colour c : {Colour::White, Colour::Black}) {
      const int most = game.file().ends.sides[at(c)].checks;
      const int left = both.size() == 2 ? read_plies(both[at(c)]) : -1;
      if (left < 0 || left > most)
        throw FenError("checks", "expected the numbers of checks left, as in \"3+3\"");
      p.checks_[at(c)] = static_cast<std::uint8_t>(most - left);
    }
  }
  p.read_counters(fields[counters], fields[counters + 1]);
  // Who wins a level may be in check on the level to which its pieces ascend.
  if (p.in_check(~p.side_) && !game.file().rules.explode && !game.file().board.levels.lost)
    throw FenError("side", "the side not to move is in check");
  p.key_ = p.key_from_scratch();
  if (game.file().board.levels.lost && p.levels_ > 1 && p.in_check() && p.count_legal_moves() == 0)
    throw FenError("pieces", "a level is already won");
  if (game.has_rule_ends) p.ended_ = p.end_by_rule(~p.side_);
  return p;
}

template <class B>
DataPosition<B> DataPosition<B>::start(const Variant& game) {
  return from_fen(game, game.file().starts.front().fen);
}

template DataPosition<Bitboard> DataPosition<Bitboard>::start(const Variant&);
template DataPosition<Bitboard> DataPosition<Bitboard>::from_fen(const Variant&, std::string_view);
template DataPosition<WideBitboard> DataPosition<WideBitboard>::start(const Variant&);
template DataPosition<WideBitboard> DataPosition<WideBitboard>::from_fen(const Variant&,
                                                                         std::string_view);
template DataPosition<StackedBitboard> DataPosition<StackedBitboard>::start(const Variant&);
template DataPosition<StackedBitboard> DataPosition<StackedBitboard>::from_fen(const Variant&,
                                                                               std::string_view);

}  // namespace faultline::data
