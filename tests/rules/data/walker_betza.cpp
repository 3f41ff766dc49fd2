// Betza texts and names of pieces as legs of the walker.
#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "tests/rules/data/walker.h"

namespace faultline::walker {
namespace {

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw std::runtime_error("moves \"" + text + "\": " + why);
}

const std::map<std::string, std::string>& names() {
  static const std::map<std::string, std::string> all = {
      {"king", "K"},
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
      {"camel", "C"},
      {"zebra", "Z"},
      {"tripper", "G"},
      {"giraffe", "(1,4)"},
      {"threeleaper", "H"},
      {"archbishop", "BN"},
      {"chancellor", "RN"},
      {"amazon", "QN"},
      {"centaur", "KN"},
      {"champion", "WAD"},
      {"wizard", "FC"},
      {"nightrider", "NN"},
      {"cannon", "mRcpR"},
      {"vao", "mBcpB"},
      {"griffon", "[F?R]"},
      {"manticore", "[W?B]"},
      {"gold", "WfF"},
      {"silver", "FfW"},
      {"lance", "fR"},
      {"horse-of-xiangqi", "nN"},
      {"elephant-of-xiangqi", "nA"},
      {"mann", "K"},
      {"grasshopper", "gQ"},
      {"leo", "mQcpQ"},
      {"squirrel", "NAD"},
      {"alibaba", "AD"},
      {"kirin", "FD"},
      {"phoenix", "WA"},
      {"shogi-knight", "fN"},
      {"shogi-pawn", "fW"},
      {"dragon-king", "RF"},
      {"dragon-horse", "BW"},
  };
  return all;
}

bool has_capital(const std::string& text) {
  return std::ranges::any_of(text,
                             [](char c) { return (c >= 'A' && c <= 'Z') || c == '(' || c == '['; });
}

std::string from_names(const std::string& text) {
  std::string betza;
  std::string word;
  const auto take = [&] {
    const auto found = names().find(word);
    if (found == names().end()) fail(text, "unknown name \"" + word + "\"");
    betza += found->second;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ') continue;
    if (c == '+')
      take();
    else
      word += c;
  }
  take();
  return betza;
}

/// (m, n) with m ≤ n; the letters of compounds are taken apart.
struct Atom {
  int m, n;
  int range;  // by default
};
std::vector<Atom> atoms_of(char letter) {
  switch (letter) {
    case 'W':
      return {{0, 1, 1}};
    case 'F':
      return {{1, 1, 1}};
    case 'D':
      return {{0, 2, 1}};
    case 'N':
      return {{1, 2, 1}};
    case 'A':
      return {{2, 2, 1}};
    case 'H':
      return {{0, 3, 1}};
    case 'C':
      return {{1, 3, 1}};
    case 'Z':
      return {{2, 3, 1}};
    case 'G':
      return {{3, 3, 1}};
    case 'K':
      return {{0, 1, 1}, {1, 1, 1}};
    case 'R':
      return {{0, 1, 0}};
    case 'B':
      return {{1, 1, 0}};
    case 'Q':
      return {{0, 1, 0}, {1, 1, 0}};
    default:
      return {};
  }
}

std::vector<Way> all_ways(const Atom& a) {
  std::vector<Way> ways;
  if (a.m == 0)
    for (int d = 0; d < 8; d += 2)
      ways.push_back({d, a.n, -1, 0});
  else if (a.m == a.n)
    for (int d = 1; d < 8; d += 2)
      ways.push_back({-1, 0, d, a.m});
  else
    for (int d = 0; d < 8; d += 2)
      for (const int turn : {1, 7})
        ways.push_back({d, a.n - a.m, (d + turn) % 8, a.m});
  return ways;
}

Direction letter_step(char c) {
  switch (c) {
    case 'f':
      return {0, 1};
    case 'b':
      return {0, -1};
    case 'l':
      return {-1, 0};
    default:
      return {1, 0};
  }
}
bool goes(const Direction& d, char letter) {
  const Direction l = letter_step(letter);
  return d.dx * l.dx + d.dy * l.dy > 0;
}
Direction whole(const Way& w) {
  Direction sum{0, 0};
  if (w.orthogonal >= 0) {
    sum.dx += kDirections[static_cast<std::size_t>(w.orthogonal)].dx * w.orthogonal_links;
    sum.dy += kDirections[static_cast<std::size_t>(w.orthogonal)].dy * w.orthogonal_links;
  }
  if (w.diagonal >= 0) {
    sum.dx += kDirections[static_cast<std::size_t>(w.diagonal)].dx * w.diagonal_links;
    sum.dy += kDirections[static_cast<std::size_t>(w.diagonal)].dy * w.diagonal_links;
  }
  return sum;
}

bool is_vertical(char c) {
  return c == 'f' || c == 'b' || c == 'v';
}
bool same_axis(char a, char b) {
  return is_vertical(a) == is_vertical(b);
}
std::string spread(char c) {
  return c == 'v' ? "fb" : c == 's' ? "lr" : std::string(1, c);
}

/// The ways of an atom that direction letters leave; all if there are none.
std::vector<Way> ways_of(const Atom& a, const std::string& letters, const std::string& text) {
  std::vector<Way> all = all_ways(a);
  if (letters.find_first_not_of('.') == std::string::npos) return all;
  std::vector<Way> chosen;
  const auto choose = [&](auto&& wanted) {
    for (const Way& w : all)
      if (wanted(w) && std::ranges::none_of(chosen, [&](const Way& c) {
            return c.orthogonal == w.orthogonal && c.diagonal == w.diagonal;
          }))
        chosen.push_back(w);
  };
  const bool oblique = a.m != 0 && a.m != a.n;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char c = letters[i];
    const char next = i + 1 < letters.size() && letters[i + 1] != '.' ? letters[i + 1] : ' ';
    if (c == '.') continue;
    if (c == 'h') {  // right-handed or left-handed: the diagonal link turns that way
      if (!oblique || (next != 'l' && next != 'r')) fail(text, "h belongs to f, b, l, r, v or s");
      choose(
          [&](const Way& w) { return (w.orthogonal + (next == 'r' ? 1 : 7)) % 8 == w.diagonal; });
      ++i;
      continue;
    }
    if (a.m == 0) {  // each letter by itself
      for (const char one : spread(c))
        choose([&](const Way& w) { return goes(whole(w), one); });
      continue;
    }
    if (!oblique) {
      // Two letters of different axes are one quadrant.
      if (next != ' ' && next != 'h' && !same_axis(c, next)) {
        for (const char one : spread(c))
          for (const char other : spread(next))
            choose([&](const Way& w) { return goes(whole(w), one) && goes(whole(w), other); });
        ++i;
      } else {
        for (const char one : spread(c))
          choose([&](const Way& w) { return goes(whole(w), one); });
      }
      continue;
    }
    const auto mainly = [&](const Way& w, char one) {
      return goes(kDirections[static_cast<std::size_t>(w.orthogonal)], one);
    };
    if (next == 'h') {  // all four that go that way at all
      for (const char one : spread(c))
        choose([&](const Way& w) { return goes(whole(w), one); });
      ++i;
    } else if (next == ' ' || same_axis(c, next)) {  // the two that go mainly that way
      for (const char one : spread(c))
        choose([&](const Way& w) { return mainly(w, one); });
      if (next == c) ++i;
    } else {  // "fr": forward, but mainly to the right; "fs", "lv" are pairs of such
      for (const char one : spread(c))
        for (const char other : spread(next))
          choose([&](const Way& w) { return goes(whole(w), one) && mainly(w, other); });
      ++i;
    }
  }
  return chosen;
}

class Reader {
 public:
  Reader(const std::string& text, std::vector<Castling>& castlings)
      : text_(text), castlings_(castlings) {}

  std::vector<Leg> read() {
    while (at_ < text_.size())
      read_group();
    if (legs_.empty() && castlings_.empty()) fail(text_, "empty");
    return legs_;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool digit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  int number() {
    if (!digit()) fail(text_, "a number is missing");
    int n = 0;
    while (digit())
      n = 10 * n + (text_[at_++] - '0');
    return n;
  }

  void read_group() {
    Leg leg;
    std::string directions;
    bool m = false;
    bool c = false;
    bool e = false;
    const std::size_t begin = at_;
    while (std::islower(static_cast<unsigned char>(peek()))) {
      const char letter = text_[at_++];
      switch (letter) {
        case 'm':
          m = true;
          break;
        case 'c':
          c = true;
          break;
        case 'e':
          e = true;
          break;
        case 'i':
          leg.initial = true;
          break;
        case 'n':
          leg.lame = true;
          break;
        case 'p':
          leg.hops = true;
          break;
        case 'g':
          leg.grasshops = true;
          break;
        case 'f':
        case 'b':
        case 'l':
        case 'r':
        case 'v':
        case 's':
        case 'h':
          directions += letter;
          continue;
        default:
          fail(text_, std::string("unknown modifier ") + letter);
      }
      directions += '.';  // letters on both sides of it are no pair
    }
    leg.moves = m || (!c && !e);
    leg.captures = c || (!m && !e);
    leg.en_passant = e;
    if (peek() == 'O') {
      ++at_;
      Castling castling;
      castling.links = number();
      castling.rook_type = -2;  // R, once types are known
      for (const int side : {1, -1}) {
        castling.side = side;
        castlings_.push_back(castling);
      }
      return;
    }
    if (peek() == '[') {
      add_bent(leg, directions);
    } else {
      for (const Segment& s : read_atoms(directions)) {
        leg.segments = {s};
        legs_.push_back(leg);
      }
    }
    for (Leg& l : legs_)
      if (l.text.empty()) l.text = text_.substr(begin, at_ - begin);
  }

  std::vector<Segment> read_atoms(const std::string& directions, bool to_a_side = false) {
    std::vector<Atom> atoms;
    if (peek() == '(') {
      ++at_;
      const int one = number();
      if (peek() != ',') fail(text_, "a comma is missing in (m,n)");
      ++at_;
      const int other = number();
      if (peek() != ')') fail(text_, ") is missing");
      ++at_;
      atoms = {{std::min(one, other), std::max(one, other), 1}};
    } else {
      const char letter = peek();
      atoms = atoms_of(letter);
      if (atoms.empty()) fail(text_, std::string("unknown atom '") + letter + "'");
      ++at_;
      if (peek() == letter) {  // NN
        ++at_;
        for (Atom& a : atoms)
          a.range = 0;
      }
    }
    if (digit()) {
      const int range = number();
      for (Atom& a : atoms)
        a.range = range;
    }
    std::vector<Segment> segments;
    for (const Atom& a : atoms) {
      Segment s;
      s.ways = ways_of(a, directions, text_);
      s.range = a.range;
      s.to_a_side = to_a_side;
      segments.push_back(s);
    }
    return segments;
  }

  /// [F?R], [W-B], and longer ones; each alternative of a compound is a leg.
  void add_bent(const Leg& leg, const std::string& directions) {
    ++at_;
    std::vector<std::vector<Segment>> chains{{}};
    bool first = true;
    while (true) {
      const bool to_a_side = !first && peek() == 's';
      if (to_a_side) ++at_;
      const std::vector<Segment> step = read_atoms(first ? directions : "", to_a_side);
      first = false;
      std::vector<std::vector<Segment>> longer;
      const char then = peek();
      for (const auto& chain : chains)
        for (Segment s : step) {
          s.may_stop = then != '-';
          longer.push_back(chain);
          longer.back().push_back(s);
        }
      chains = longer;
      ++at_;
      if (then == ']') break;
      if (then != '?' && then != '-') fail(text_, "? or - is missing in [ ]");
    }
    for (const auto& chain : chains) {
      legs_.push_back(leg);
      legs_.back().segments = chain;
    }
  }

  const std::string& text_;
  std::vector<Castling>& castlings_;
  std::size_t at_ = 0;
  std::vector<Leg> legs_;
};

}  // namespace

std::vector<Leg> parse_betza(const std::string& text, std::vector<Castling>& castlings) {
  const std::string betza = has_capital(text) ? text : from_names(text);
  return Reader(betza, castlings).read();
}

}  // namespace faultline::walker
