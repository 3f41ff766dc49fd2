// How pieces move, as text: the part of XBetza that games may use, and the names that stand for it.
#include "rules/data/betza.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/data/move_text.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

constexpr std::size_t kLongestText = 300;
constexpr int kLargestNumber = 63;

/// A leap of `far` by `wide` squares, far >= wide: (2,1) is the knight's.
struct Atom {
  int far = 0;
  int wide = 0;
  bool is_step() const { return far == 1; }
  bool is_straight() const { return wide == 0; }
  bool is_diagonal() const { return far == wide; }
};

/// What a capital stands for.
struct AtomLetter {
  char letter;
  std::vector<Atom> atoms;
  bool slides;  // without a number as far as possible
};
const std::vector<AtomLetter>& atom_letters() {
  static const std::vector<AtomLetter> letters = {
      {'W', {{1, 0}}, false},         {'F', {{1, 1}}, false}, {'D', {{2, 0}}, false},
      {'N', {{2, 1}}, false},         {'A', {{2, 2}}, false}, {'H', {{3, 0}}, false},
      {'C', {{3, 1}}, false},         {'Z', {{3, 2}}, false}, {'G', {{3, 3}}, false},
      {'K', {{1, 0}, {1, 1}}, false}, {'R', {{1, 0}}, true},  {'B', {{1, 1}}, true},
      {'Q', {{1, 0}, {1, 1}}, true}};
  return letters;
}

struct Foreign {
  std::string_view letters;
  std::string_view advice;
};
/// What other notations use, and what to write instead.
constexpr Foreign kForeignCapitals[] = {
    {"L", "L is C here (camel, a (1,3) leap)"},
    {"J", "J is Z here (zebra, a (2,3) leap)"},
    {"X", "X is no atom here: write a longer leap as (1,4)"},
    {"E", "E is no atom here: en passant is e, as in fmWfceF"},
    {"P", "P is no atom: the pawn of chess is fmWfceFifmnD"},
};
constexpr std::string_view kAtoms =
    "Atoms are W F D N A H C Z G, leaps such as (1,4), and K Q R B; O2 castles";

constexpr Foreign kForeignModifiers[] = {
    {"a",
     "moves of several legs with 'a' are not part of the language; bent riders are written "
     "in brackets: [F?R]"},
    {"uxdt", "capturing otherwise than by landing (u, x, d, t) is not part of the language"},
    {"j",
     "the modifier 'j' is not part of the language; a slide that begins with a leap is "
     "written in brackets: [D?R]"},
    {"qz", "crooked and circular moves (q, z) are not part of the language"},
    {"o", "the modifier 'o' is not part of the language: say wrap in [board]"},
};
constexpr std::string_view kModifiers =
    "Modifiers are directions f b l r v s h, m only moves, c only captures, i from the initial "
    "zone, n not over pieces, e also en passant, p over one piece, g onto the square behind one";

std::string advice_on(char c, std::span<const Foreign> table, const std::string& otherwise) {
  for (const Foreign& foreign : table)
    if (foreign.letters.find(c) != std::string_view::npos) return std::string(foreign.advice);
  return otherwise;
}

/// Two letters of directions as XBetza has them for oblique leaps: the last letter says where the
/// longer part of the leap goes.
bool points(const std::string& word, bool vertical, bool forward, bool right) {
  // `vertical`: the longer part goes along the file.
  const char main = vertical ? (forward ? 'f' : 'b') : (right ? 'r' : 'l');
  const char side = vertical ? (right ? 'r' : 'l') : (forward ? 'f' : 'b');
  const bool one_handed = vertical == (forward == right);  // the right-handed four
  if (word == "hr") return one_handed;
  if (word == "hl") return !one_handed;
  const char first = word[0];
  const char second = word[1];
  const auto is = [](char letter, char direction) {
    return letter == direction || (letter == 'v' && (direction == 'f' || direction == 'b')) ||
           (letter == 's' && (direction == 'l' || direction == 'r'));
  };
  if (second == 'h') {  // fh: the four that go forward at all
    return is(first, main) || is(first, side);
  }
  if (first == second) return is(first, main);
  return is(first, side) && is(second, main);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Betza read() {
    betza_.text = std::string(text_);
    while (at_ < text_.size()) {
      if (text_[at_] == ' ') {
        ++at_;
        continue;
      }
      read_part();
    }
    return std::move(betza_);
  }

 private:
  struct Modifiers {
    std::string directions;  // as written
    bool moves = false;
    bool captures = false;
    bool initial = false;
    bool lame = false;
    bool en_passant = false;
    Hop hop = Hop::None;
  };
  /// An atom with its number.
  struct Ranged {
    std::vector<Atom> atoms;
    int most = 1;
    std::string name;
  };

  [[noreturn]] void refuse(const std::string& what) const { throw BetzaError(what); }

  void read_part() {
    const std::size_t begin = at_;
    const Modifiers with = read_modifiers();
    if (at_ == text_.size())
      refuse(quote(text_.substr(begin)) + " has no capital behind it: what moves? " +
             std::string(kAtoms));
    const bool bent = text_[at_] == '[';
    BetzaPart part;
    if (bent) {
      read_bracket(with, part);
    } else if (text_[at_] == 'O') {
      read_castling(with);
      return;
    } else {
      const Ranged atom = read_atom();
      add_legs(with, atom, part);
    }
    part.text = std::string(text_.substr(begin, at_ - begin));
    if (with.en_passant && !(with.captures || !with.moves))
      refuse(quote(part.text) + ": e (en passant) is a capture; with m it captures nothing");
    for (Leg& leg : part.legs)
      finish(with, leg);
    part.sentence = move_sentence(part.legs);
    if (with.moves && with.captures)
      betza_.doubts.push_back(quote(part.text) + ": m and c together are what no letter means");
    betza_.parts.push_back(std::move(part));
  }

  Modifiers read_modifiers() {
    Modifiers with;
    for (; at_ < text_.size() && is_small_letter(text_[at_]); ++at_) {
      const char c = text_[at_];
      switch (c) {
        case 'f':
        case 'b':
        case 'l':
        case 'r':
        case 'v':
        case 's':
        case 'h':
          with.directions += c;
          break;
        case 'm':
          with.moves = true;
          break;
        case 'c':
          with.captures = true;
          break;
        case 'i':
          with.initial = true;
          break;
        case 'n':
          with.lame = true;
          break;
        case 'e':
          with.en_passant = true;
          break;
        case 'p':
        case 'g': {
          const Hop hop = c == 'p' ? Hop::Cannon : Hop::Grasshopper;
          if (with.hop != Hop::None && with.hop != hop)
            refuse(quote(text_) +
                   ": p goes on behind the piece, g ends there; either of them, or two moves: "
                   "\"pRgR\"");
          with.hop = hop;
          break;
        }
        default:
          refuse(quote(text_) + ": " +
                 advice_on(c, kForeignModifiers, quote({&c, 1}) + " is no modifier") + ". " +
                 std::string(kModifiers));
      }
      // Letters apart from each other are separate directions: "fmrF" is not "frF".
      if (!with.directions.empty() && with.directions.back() != c && with.directions.back() != ' ')
        with.directions += ' ';
    }
    return with;
  }

  int read_number() {
    int number = 0;
    for (; at_ < text_.size() && is_figure(text_[at_]); ++at_)
      number = std::min(number * 10 + (text_[at_] - '0'), 10 * kLargestNumber);
    if (number > kLargestNumber)
      refuse(quote(text_) + ": numbers go up to " + std::to_string(kLargestNumber));
    return number;
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Ranged read_atom() {
    Ranged atom;
    const std::size_t begin = at_;
    if (take('(')) {
      const int one = read_number();
      const bool comma = take(',');
      while (take(' ')) {
      }
      const int other = read_number();
      if (!comma || !take(')') || std::max(one, other) == 0)
        refuse(quote(text_) + ": a leap in numbers looks like (1,4)");
      atom.atoms = {{std::max(one, other), std::min(one, other)}};
    } else {
      const char c = text_[at_];
      const auto known = std::ranges::find(atom_letters(), c, &AtomLetter::letter);
      if (known == atom_letters().end()) {
        if (is_capital(c))
          refuse(quote(text_) + ": " +
                 advice_on(c, kForeignCapitals, std::string(1, c) + " is no atom") + ". " +
                 std::string(kAtoms));
        refuse(quote(text_) + ": " + quote(std::string(1, c)) + " is not expected here. " +
               std::string(kAtoms));
      }
      ++at_;
      atom.atoms = known->atoms;
      if (known->slides) atom.most = kNoLimit;
      if (take(c)) {
        if (known->slides)
          refuse(quote(text_) + ": " + c + c + ": " + c + " slides as far as it can anyway");
        atom.most = kNoLimit;
      }
    }
    if (at_ < text_.size() && is_figure(text_[at_])) {
      const int number = read_number();
      atom.most = number == 0 ? kNoLimit : number;
    }
    atom.name = std::string(text_.substr(begin, at_ - begin));
    return atom;
  }

  void read_castling(const Modifiers& with) {
    const bool only_shorthand =
        !with.moves && !with.captures && !with.lame && !with.en_passant && with.hop == Hop::None &&
        (with.directions.empty() || with.directions == "s" || with.directions == "s ");
    ++at_;
    const int squares = at_ < text_.size() && is_figure(text_[at_]) ? read_number() : 0;
    if (!only_shorthand || squares == 0)
      refuse(quote(text_) +
             ": castling is O with the number of squares that the king goes: KO2. "
             "Anything else is said with castle = [ { king = \"g1\", rook = \"h1\" } ]");
    if (betza_.castle != 0) refuse(quote(text_) + ": castles twice; use castle = [ … ]");
    betza_.castle = squares;
  }

  // -------------------------------------------------------------------------------------
  // directions

  /// The words of one or two letters of which XBetza's directions consist.
  static std::vector<std::string> words_of(const std::string& letters) {
    constexpr std::string_view kVertical = "fbvh";
    constexpr std::string_view kSideways = "lrsh";
    std::vector<std::string> words;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (letters[i] == ' ') continue;
      const char a = letters[i];
      const char b = i + 1 < letters.size() ? letters[i + 1] : ' ';
      const auto in = [](std::string_view set, char c) {
        return set.find(c) != std::string_view::npos;
      };
      const bool pair = b != ' ' && (a == b || (in(kVertical, a) && in(kSideways, b)) ||
                                     (in(kSideways, a) && in(kVertical, b)));
      words.push_back(pair ? std::string{a, b} : std::string{a, a});
      if (pair) ++i;
    }
    return words;
  }

  bool wanted(const std::string& directions, Atom atom, bool vertical, bool forward,
              bool right) const {
    if (directions.empty()) return true;
    if (atom.is_straight()) {  // each letter is a direction of its own
      const char to = vertical ? (forward ? 'f' : 'b') : (right ? 'r' : 'l');
      return std::ranges::any_of(directions, [&](char c) {
        if (c == 'h') refuse_half();
        return c == to || (c == 'v' && vertical) || (c == 's' && !vertical);
      });
    }
    return std::ranges::any_of(words_of(directions), [&](const std::string& word) {
      if (atom.is_diagonal() && word.find('h') != std::string::npos) refuse_half();
      return points(word, vertical, forward, right) ||
             (atom.is_diagonal() && points(word, !vertical, forward, right));
    });
  }
  [[noreturn]] void refuse_half() const {
    refuse(quote(text_) + ": h (half) is for oblique leaps: fhN goes forward in four ways");
  }

  /// The steps of an atom in each direction that is wanted. Orthogonal steps come first.
  std::vector<std::vector<Direction>> steps_of(const std::string& directions, Atom atom) const {
    std::vector<std::vector<Direction>> steps;
    for (const bool vertical : {true, false})
      for (const bool positive : {true, false})
        for (const bool second : {true, false}) {
          const bool forward = vertical ? positive : second;
          const bool right = vertical ? second : positive;
          if (atom.is_straight() && !second) continue;  // its shorter part is none
          if (atom.is_diagonal() && !vertical) continue;
          if (!wanted(directions, atom, vertical, forward, right)) continue;
          const Direction straight = vertical ? (forward ? Direction::N : Direction::S)
                                              : (right ? Direction::E : Direction::W);
          const Direction diagonal = forward ? (right ? Direction::NE : Direction::NW)
                                             : (right ? Direction::SE : Direction::SW);
          std::vector<Direction> step(static_cast<std::size_t>(atom.far - atom.wide), straight);
          step.insert(step.end(), static_cast<std::size_t>(atom.wide), diagonal);
          steps.push_back(std::move(step));
        }
    return steps;
  }

  void add_legs(const Modifiers& with, const Ranged& atom, BetzaPart& part) const {
    if (with.hop != Hop::None && atom.most == 1)
      refuse(quote(text_) +
             ": p and g are for slides and riders (pR, gQ, pNN): nothing can stand "
             "on the way of " +
             atom.name);
    for (const Atom one : atom.atoms)
      for (std::vector<Direction>& step : steps_of(with.directions, one)) {
        Leg leg;
        leg.stretches.push_back({.step = std::move(step), .most = atom.most});
        part.legs.push_back(std::move(leg));
      }
    if (part.legs.empty())
      refuse(quote(text_) + ": the directions " + quote(with.directions) + " leave nothing of " +
             atom.name);
    if (with.lame && std::ranges::all_of(atom.atoms, &Atom::is_step))
      refuse(quote(text_) + ": n (not over pieces) is for leaps: " + atom.name +
             " passes no piece anyway; leave n out" +
             (with.moves && atom.most > 1
                  ? " (only leaps over squares, mnD and mnH, can be captured en passant)"
                  : ""));
  }

  void finish(const Modifiers& with, Leg& leg) const {
    const bool both = with.moves == with.captures;
    leg.moves = both || with.moves;
    leg.captures = both || with.captures;
    leg.en_passant = with.en_passant;
    leg.initial = with.initial;
    leg.lame = with.lame;
    leg.hop = with.hop;
    leg.leaves_passed = with.lame && leg.moves && !leg.captures && leg.stretches.size() == 1 &&
                        leg.stretches[0].most == 1;
  }

  // ----------------------------------------------------------------------------------- bent riders

  struct Bend {
    Ranged atom;
    bool sideways = false;
    bool optional = false;  // whether the move may end before it
  };

  void read_bracket(const Modifiers& with, BetzaPart& part) {
    constexpr std::string_view kExample =
        "bent riders are written [F?R] (may end after the first step) or [W-B] (may not)";
    if (with.lame || with.hop != Hop::None || with.en_passant)
      refuse(quote(text_) + ": n, p, g and e do not go with brackets; " + std::string(kExample));
    ++at_;
    std::vector<Bend> bends;
    for (;;) {
      Bend bend;
      if (!bends.empty()) {
        if (take('s'))
          bend.sideways = true;
        else
          take('f');
      }
      if (at_ == text_.size() || !(is_capital(text_[at_]) || text_[at_] == '('))
        refuse(quote(text_) + ": in brackets, atoms have no modifiers but s (sideways); " +
               std::string(kExample));
      bend.atom = read_atom();
      if (bend.atom.atoms.size() > 1 ||
          !(bend.atom.atoms[0].is_straight() || bend.atom.atoms[0].is_diagonal()))
        refuse(quote(text_) + ": only W F D A H G R B can be parts of a bent move; " +
               std::string(kExample));
      bends.push_back(std::move(bend));
      if (take(']')) break;
      const bool optional = at_ < text_.size() && text_[at_] == '?';
      if (!optional && !(at_ < text_.size() && text_[at_] == '-'))
        refuse(quote(text_) +
               ": a bracket is not closed, or has neither ? nor - between its "
               "parts; " +
               std::string(kExample));
      ++at_;
      if (bends.back().atom.most != 1)
        refuse(quote(text_) + ": only the last part of a bent move can slide; " +
               std::string(kExample));
      bends.back().optional = optional;
    }
    constexpr std::size_t kMostBends = 4;
    if (bends.size() < 2 || bends.size() > kMostBends)
      refuse(quote(text_) + ": a bracket has two to four parts; " + std::string(kExample));
    const Atom first = bends[0].atom.atoms[0];
    if (!first.is_straight() && with.directions.find_first_of("vs") != std::string::npos &&
        words_of(with.directions).size() == 1 && with.directions.size() <= 2)
      refuse(quote(text_) + ": v and s in front of a diagonal first step leave nothing out");
    for (std::vector<Direction>& step : steps_of(with.directions, first)) {
      Leg leg;
      leg.stretches.push_back({.step = std::move(step), .most = 1});
      bend_on(bends, 0, leg, part.legs);
    }
    if (part.legs.empty())
      refuse(quote(text_) + ": the directions " + quote(with.directions) + " leave nothing");
  }

  /// Adds the ways to go on behind bends[at], of which `leg` has the stretches up to there.
  static void bend_on(const std::vector<Bend>& bends, std::size_t at, const Leg& leg,
                      std::vector<Leg>& legs) {
    const bool is_last = at + 1 == bends.size();
    if (is_last || bends[at].optional) {
      const auto same = [&](const Leg& other) {
        return std::ranges::equal(other.stretches, leg.stretches,
                                  [](const Stretch& a, const Stretch& b) {
                                    return a.step == b.step && a.most == b.most;
                                  });
      };
      if (std::ranges::none_of(legs, same)) legs.push_back(leg);
    }
    if (is_last) return;
    const Bend& next = bends[at + 1];
    const Atom atom = next.atom.atoms[0];
    const Direction before = leg.stretches.back().step.back();
    const bool turns_class = (index(before) % 2 == 0) != atom.is_straight();
    std::vector<int> turns = turns_class ? std::vector{-1, 1} : std::vector{0};
    if (next.sideways) turns = turns_class ? std::vector{-3, 3} : std::vector{-2, 2};
    for (const int turn : turns) {
      Leg longer = leg;
      longer.stretches.push_back(
          {.step = std::vector<Direction>(static_cast<std::size_t>(atom.far), turned(before, turn)),
           .most = next.atom.most});
      bend_on(bends, at + 1, longer, legs);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Betza betza_;
};

/// Some of the names, for messages.
std::string some_names() {
  return "king, queen, rook, bishop, knight, pawn, wazir, ferz, camel, cannon, gold, … "
         "(docs/games-as-data.md has all)";
}

const NamedPiece* find_name(std::string_view name) {
  const auto found = std::ranges::find(named_pieces(), name, &NamedPiece::name);
  return found == named_pieces().end() ? nullptr : &*found;
}

std::string betza_of_names(std::string_view text);

/// The directions of a piece that only steps, slides and leaps, in an order of their own.
std::vector<std::pair<std::vector<Direction>, int>> plain_moves(std::string_view betza) {
  std::vector<std::pair<std::vector<Direction>, int>> moves;
  for (const BetzaPart& part : Reader(betza).read().parts)
    for (const Leg& leg : part.legs)
      moves.emplace_back(leg.stretches[0].step, leg.stretches[0].most);
  std::ranges::sort(moves);
  return moves;
}

/// The name of the piece that moves like several together, or "".
std::string same_piece(std::string_view names) {
  const auto moves = plain_moves(betza_of_names(names));
  for (const NamedPiece& piece : named_pieces())
    if (piece.betza.find_first_of("[abcdefghijklmnopqrstuvwxyz") == std::string_view::npos &&
        plain_moves(piece.betza) == moves)
      return std::string(piece.name);
  return "";
}

[[noreturn]] void refuse_name(std::string_view text, std::string_view name) {
  const std::vector<std::string_view> words = words_of(name, " ");
  if (words.size() > 1 && std::ranges::all_of(words, find_name)) {
    const std::string with_plus = joined({words.begin(), words.end()}, " + ", " + ");
    const std::string same = same_piece(with_plus);
    throw BetzaError(quote(text) + ": join names with +: \"" + with_plus + "\"" +
                     (same.empty() ? "" : " (= " + same + ")"));
  }
  if (!name.empty() && std::ranges::all_of(name, is_figure))
    throw BetzaError(quote(text) + ": " + quote(name) + " is no move. Names: " + some_names() +
                     "; a longer leap is (2,3) = zebra");
  if (!name.empty() && name.size() <= 3)
    throw BetzaError(quote(text) + ": " + quote(name) +
                     " is no name of a piece; Betza's atoms are capitals, as in \"" +
                     printable(in_capitals(name), 10) + "\". Names: " + some_names());
  std::vector<std::string> known;
  for (const NamedPiece& piece : named_pieces())
    known.emplace_back(piece.name);
  const std::string nearest = nearest_name(name, known);
  throw BetzaError(quote(text) + ": " + quote(name) + " is no name of a piece" +
                   (nearest.empty() ? ". Names: " + some_names() : did_you_mean(nearest)));
}

std::string betza_of_names(std::string_view text) {
  std::string betza;
  for (const std::string_view part : parts_of(text, '+')) {
    const NamedPiece* piece = find_name(trimmed(part));
    if (piece == nullptr) refuse_name(text, trimmed(part));
    betza += piece->betza;
  }
  return betza;
}

/// The name of a piece by its Betza text, or the text.
std::string name_of(const std::string& betza) {
  const auto found = std::ranges::find(named_pieces(), betza, &NamedPiece::betza);
  return found == named_pieces().end() ? betza : std::string(found->name);
}

/// A piece of one part with nothing but b, l or r in front: somebody meant bishop, lance or rook.
void doubt_one_direction(Betza& betza) {
  if (betza.parts.size() != 1 || betza.castle != 0) return;
  const std::string& text = betza.parts[0].text;
  if (text.size() < 2 || text[0] == 'f' || !is_small_letter(text[0]) || !is_capital(text[1]))
    return;
  if (text[0] == 'b' || text[0] == 'r')
    betza.doubts.push_back("\"" + text + "\" " + betza.parts[0].sentence + " only; " +
                           (text[0] == 'b' ? "bishop" : "rook") + " and " +
                           name_of(text.substr(1)) + " is \"" + in_capitals(text) + "\"");
  else if (text[0] == 'l')
    betza.doubts.push_back("\"" + text + "\" " + betza.parts[0].sentence + " only");
}

}  // namespace

const std::vector<NamedPiece>& named_pieces() {
  static const std::vector<NamedPiece> pieces = {{"king", "K"},
                                                 {"mann", "K"},
                                                 {"queen", "Q"},
                                                 {"rook", "R"},
                                                 {"bishop", "B"},
                                                 {"knight", "N"},
                                                 {"pawn", "fmWfceFifmnD"},
                                                 {"berolina-pawn", "fmFfceWifmnA"},
                                                 {"wazir", "W"},
                                                 {"ferz", "F"},
                                                 {"dabbaba", "D"},
                                                 {"alfil", "A"},
                                                 {"threeleaper", "H"},
                                                 {"tripper", "G"},
                                                 {"camel", "C"},
                                                 {"zebra", "Z"},
                                                 {"giraffe", "(1,4)"},
                                                 {"archbishop", "BN"},
                                                 {"chancellor", "RN"},
                                                 {"amazon", "QN"},
                                                 {"centaur", "KN"},
                                                 {"champion", "WAD"},
                                                 {"wizard", "FC"},
                                                 {"squirrel", "NAD"},
                                                 {"alibaba", "AD"},
                                                 {"kirin", "FD"},
                                                 {"phoenix", "WA"},
                                                 {"gold", "WfF"},
                                                 {"silver", "FfW"},
                                                 {"lance", "fR"},
                                                 {"shogi-knight", "fN"},
                                                 {"shogi-pawn", "fW"},
                                                 {"dragon-king", "RF"},
                                                 {"dragon-horse", "BW"},
                                                 {"cannon", "mRcpR"},
                                                 {"vao", "mBcpB"},
                                                 {"leo", "mQcpQ"},
                                                 {"grasshopper", "gQ"},
                                                 {"nightrider", "NN"},
                                                 {"griffon", "[F?R]"},
                                                 {"manticore", "[W?B]"},
                                                 {"horse-of-xiangqi", "nN"},
                                                 {"elephant-of-xiangqi", "nA"}};
  return pieces;
}

Betza read_betza(std::string_view text) {
  if (text.size() > kLongestText)
    throw BetzaError(quote(text) + " has " + std::to_string(text.size()) +
                     " characters; moves have at most " + std::to_string(kLongestText));
  text = trimmed(text);
  if (text.empty())
    throw BetzaError("is empty; \"none\" removes a piece, and a text says how it moves");
  const bool is_betza =
      std::ranges::any_of(text, [](char c) { return is_capital(c) || c == '[' || c == '('; });
  std::string betza = is_betza ? std::string(text) : betza_of_names(text);
  if (is_betza && betza.find('+') != std::string::npos)
    throw BetzaError(quote(text) +
                     ": + joins names, in lower case (\"bishop + wazir\"); atoms of "
                     "Betza are written one after the other (\"BW\")");
  if (is_betza) {
    // A name among capitals, or a name that is written with one.
    const std::string lower = in_small_letters(text);
    if (find_name(lower) != nullptr && lower.size() > 1)
      throw BetzaError(quote(text) + ": names are written in lower case: \"" + lower + "\"");
  }
  Betza read = Reader(betza).read();
  if (is_betza) doubt_one_direction(read);
  return read;
}

Leg mirrored(Leg leg, bool turned_board) {
  for (Stretch& stretch : leg.stretches)
    for (Direction& d : stretch.step)
      d = turned_board ? turned(d, 4)
                       : static_cast<Direction>((kDirections + 4 - index(d)) % kDirections);
  return leg;
}

}  // namespace faultline::data
