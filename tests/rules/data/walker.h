// A second implementation of games as data, written from docs/games-as-data.md alone and sharing no
// code with rules/data/: slow and simple. It tries every move on a copy of the position, walks the
// board's links square by square, and asks whether a royal piece is attacked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace faultline::walker {

template <class V>
auto& at(V& v, int i) {
  return v[static_cast<std::size_t>(i)];
}
template <class V>
int size_of(const V& v) {
  return static_cast<int>(v.size());
}

/// N, NE, E, SE, S, SW, W, NW: 0 to 7.
struct Direction {
  int dx, dy;
};
inline constexpr std::array<Direction, 8> kDirections{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

/// By square, over all levels: which belong.
using Zone = std::vector<char>;

// --- Pieces -----------------------------------------------------------------------------------

/// One way of an atom: orthogonal links first, then diagonal ones.
struct Way {
  int orthogonal = -1;  // direction, or -1
  int orthogonal_links = 0;
  int diagonal = -1;
  int diagonal_links = 0;
};

/// An atom with the ways that its modifiers leave, repeated up to `range` times (0: without end).
struct Segment {
  std::vector<Way> ways;
  int range = 1;
  bool may_stop = true;    // at its end, before the next segment of a bent rider
  bool to_a_side = false;  // of the segment before: by 90° or 135° and not outwards
};

struct Leg {
  std::vector<Segment> segments;
  bool moves = true;
  bool captures = true;
  bool en_passant = false;
  bool initial = false;
  bool lame = false;
  bool hops = false;
  bool grasshops = false;
  Zone from, onto;          // empty: everywhere
  std::vector<char> takes;  // by type; empty: all
  std::string text;
};

struct Promotion {
  Zone on, must;
  bool leaving = false;
  std::vector<int> to;
  bool from_stock = false;
  int carried = -1;
};

struct Castling {
  Zone king_to;        // empty: `links` from where it stands, to either side
  int links = 0;       // of the shorthand On
  int rook = -1;       // a square of one level; -1: the nearest on `side`
  int side = 0;        // -1 west, 1 east
  int rook_type = -1;  // -1: whatever stands there
};

enum class Royal { No, Yes, OneSafe };

/// A type of piece of one side.
struct Kind {
  std::vector<Leg> legs;
  std::vector<Castling> castlings;
  std::vector<Promotion> promotions;
  Zone initial;
  Royal royal = Royal::No;
  bool crosses_sideways = false;  // barriers by east and west links only, but as if empty
  bool is_pawn = false;
  // In hands:
  Zone drop_onto;
  int drop_a_file = 0;  // so many of the type a file at most, 0: any number
  bool drop_mates = true;
};

struct Type {
  std::string letter;         // "P", "+R"
  std::array<Kind, 2> kinds;  // White's, Black's
  int in_hand = -1;           // the type as which it goes to a hand
};

// --- Devices ----------------------------------------------------------------------------------

struct Control {
  bool left = false, entered = false, after = false, instead = false;
  int every = 0;  // turns of both sides; 0: not so
  std::string who = "any";
  int uses = -1;  // -1: without end
  int pause = 0;
  bool undo = true;
  bool counts() const { return uses >= 0 || pause > 0; }
};

struct Belt {
  std::string name;
  std::vector<std::vector<int>> cycles;  // squares of one level
  int level = -1;                        // -1: each level has one
  int steps = 1;
  bool both_ways = false;
  Control control;
};

struct Part {
  std::string name;
  Zone squares;
  int dx = 0, dy = 0;
  bool shifts = false;
  std::array<int, 2> files{0, 0}, ranks{0, 0};
  std::array<int, 2> within{-99, 99}, within_ranks{-99, 99};
  Control control;
};

struct Sectors {
  int width = 0, height = 0;  // 0: none
  std::vector<int> gaps;      // areas, row * columns + column
  int far = 1, push = 1;
  Control control;
};

struct Levels {
  int count = 1;
  Zone hole;
  std::array<int, 2> below{0, 0};           // 0: every square of the next level
  std::vector<char> descends, same_colour;  // by type
  bool lost = false;
};

struct BoardCell {
  std::string name;  // "#" a barrier, "." void
  double foot = 0;   // where the lower edge begins
  double foot_end = 0;
  int square = -1;
};

// --- Ends -------------------------------------------------------------------------------------

/// For the owner, or the side to move.
enum class Result { None, Loss, Draw, Win };

struct Extinct {
  std::vector<char> any, all;  // by type; empty: not so
  Result result = Result::Loss;
};
struct Reach {
  std::vector<char> types;
  Zone zone;
  bool reply = false;
  Result result = Result::Win;
};
struct Ends {  // of one side
  Result checkmate = Result::Loss, stalemate = Result::Draw, bare_king = Result::None;
  bool bare_king_reply = false;
  std::vector<Extinct> extinct;
  std::vector<Reach> reach;
  int checks = 0;
};

// --- The game ---------------------------------------------------------------------------------

/// A square, void or barrier of the canvas, as the parts lie now.
struct Cell {
  int square = -1;
  bool barrier = false;
  int x = 0, y = 0;
};

/// The cells and their links in one state of the board.
struct Geometry {
  std::vector<Cell> cells;
  std::vector<std::array<std::vector<int>, 8>> links, links_back;
  std::vector<int> cell_of;  // by square; -1: covered, or in a gap
};

struct Game {
  std::string name;
  std::vector<std::vector<BoardCell>> rows;  // from the bottom
  int columns = 0;
  bool has_feet = false;
  bool wraps_files = false, wraps_ranks = false;
  bool riders_fly = false, leaps_cross_void = true;
  bool turned_mirror = false;
  struct Link {
    int from, to, way;
  };
  std::vector<Link> links, cuts;

  struct Square {
    std::string name;
    int x, y;
  };
  std::vector<Square> squares;  // of one level
  int all_squares() const { return level_size() * levels.count; }
  std::vector<Belt> belts;
  std::vector<Part> parts;
  Sectors sectors;
  Levels levels;
  bool has_levels = false;  // squares are named with theirs
  std::vector<Type> types;

  bool has_hands = false;
  bool captures_go_to_hand = false;

  bool capture_forced = false;
  bool checks_forbidden = false, but_mates_allowed = false;
  bool explodes = false;
  std::vector<char> explosion_spares;
  std::array<Ends, 2> ends;
  bool only_royals_draw = true;

  int plies = 0;  // 0: no such rule
  Result plies_result = Result::Draw;

  std::vector<std::string> starts;
  bool black_begins = false;
  std::array<std::vector<int>, 2> start_counts;  // by side and type
  struct Right {                                 // one that the start has
    bool white;
    int king, rook;  // with their level
    int castling;    // of the king's kind
    int side;        // -1 west, 1 east
    std::string letter;
    bool operator<(const Right& o) const {
      return std::tie(king, rook, castling) < std::tie(o.king, o.rook, o.castling);
    }
  };
  std::vector<Right> rights;  // of all starts

  int level_size() const { return size_of(squares); }
  int find_square(const std::string& square_name) const;  // of one level
  int find_type(const std::string& letter) const;
  const Geometry& geometry(const std::vector<std::array<int, 2>>& displaced,
                           const std::set<int>& gaps) const;
  int mirrored(int square) const;  // -1: no square there

 private:
  mutable std::map<std::pair<std::vector<std::array<int, 2>>, std::set<int>>, Geometry> geometries_;
};

/// Reads a game file, with its bases from the same folder. Throws std::runtime_error.
std::shared_ptr<const Game> read_game(const std::string& path);
/// The same from a text; `folder` has the bases.
std::shared_ptr<const Game> parse_game(const std::string& text, const std::string& folder);

/// Legs of a Betza text or of names joined by +. Castling is added to `castlings`.
std::vector<Leg> parse_betza(const std::string& text, std::vector<Castling>& castlings);

// --- Positions --------------------------------------------------------------------------------

struct Piece {
  int type = -1;  // -1: none
  bool white = false;
  explicit operator bool() const { return type >= 0; }
  bool operator==(const Piece&) const = default;
};

enum class Outcome { None, White, Black, Stalemate, OnlyRoyals, Plies, Draw };

class State {
 public:
  State(std::shared_ptr<const Game> game, const std::string& fen);
  static State start(std::shared_ptr<const Game> game) {
    const std::string fen = game->starts.front();
    return {std::move(game), fen};
  }

  std::string fen() const;
  /// Each legal move's text and the position it leads to; none after a decision.
  std::map<std::string, State> moves() const;
  bool in_check() const { return in_check(white_); }
  bool white_to_move() const { return white_; }
  /// Whether whoever is not to move is safe.
  bool is_sound() const { return !in_check(!white_); }
  /// By an end before mate in the order of ends: there are no moves then.
  Outcome decided() const;
  Outcome outcome() const;
  std::uint64_t perft(int depth) const;
  template <class F>
  void for_each_piece(F&& f) const {
    for (int s = 0; s < squares(); ++s)
      if (piece(s)) f(s, piece(s));
  }
  std::vector<Game::Right> find_rights() const;
  const Game& game() const { return *game_; }

 private:
  using Found = std::map<std::string, State>;
  struct Turn {                                // what the move itself did
    std::vector<int> left, entered, gone;      // squares; gone: of captured or exploded pieces
    std::vector<std::pair<int, int>> moved;    // from, to: a movement of the board
    std::vector<std::pair<int, int>> carried;  // from, to: pieces
    bool restarts_plies = false;
    std::vector<int> passed;  // squares
    int passer = -1;          // where it arrived
  };

  // Positions as text: walker_text.cpp.
  void read_pieces(const std::string& field);
  void read_rights(const std::string& field);
  void read_en_passant(const std::string& field);
  void read_device(int device, const std::string& field);
  bool has_own_field(int device) const;
  std::string pieces_text() const;
  std::string rights_text() const;
  std::string en_passant_text() const;
  std::vector<int> possible_passers() const;
  bool can_be_carried_to(int s) const;
  std::string square_name(int s) const;
  int find_square(const std::string& name) const;
  std::string join(int from, int to) const;
  std::string promotion_text(int from, int to) const;
  std::string castling_text(const Game::Right& right, int king_to) const;
  std::string shift_text(int part, int files, int ranks) const;
  std::string slide_text(int from, int to) const;
  std::string belt_text(int belt, int level, int sign) const;

  int level_size() const { return game_->level_size(); }
  int level_of(int s) const { return s / level_size(); }
  int base_of(int s) const { return s % level_size(); }
  int squares() const { return level_size() * levels_; }
  const Kind& kind(Piece p) const { return at(game_->types, p.type).kinds[p.white ? 0 : 1]; }
  const Piece& piece(int s) const { return at(board_, s); }
  int x_of(int s) const { return at(game_->squares, base_of(s)).x; }
  int y_of(int s) const { return at(game_->squares, base_of(s)).y; }
  bool exists(int s) const { return at(geometry_->cell_of, base_of(s)) >= 0; }
  bool is_hole(int s) const;
  bool inside(const Zone& zone, int s) const { return zone.empty() || at(zone, s) != 0; }
  void update_geometry();

  // Walking.
  struct Jump {
    int to;
    std::vector<int> between;
  };
  std::vector<Jump> jumps(int cell, const Way& way, bool one_way) const;
  bool may_jump(int level, const Jump& jump, const Way& way, const Leg& leg,
                const Kind& kind) const;
  template <class Visit>
  void walk(int from, const Leg& leg, const Kind& kind, Visit&& visit) const;
  template <class Visit>
  void ride(int origin, int level, int cell, const Leg& leg, const Kind& kind, std::size_t segment,
            const Way& way, int steps, int hurdles, std::vector<int>& trail, Visit& visit) const;
  /// -1 void or barrier, 0 empty, 1 a piece.
  int content(int level, int cell) const;

  bool can_capture(int from, const Leg& leg, Piece victim, int to) const;
  bool attacked(int target, bool by_white, Piece victim) const;
  bool is_royal_attacked(int s) const;
  bool level_in_check(int level, bool white) const;
  bool in_check(bool white) const;
  std::vector<int> neighbours(int s) const;
  int royals(bool white) const;
  int count(int type, bool white) const;

  // Moves.
  std::vector<int> landings(int s, Piece p) const;
  void targets_below(int s, std::vector<int>& found) const;
  Found all_moves() const;
  void add_moves_of(int from, Found& captures, Found& others) const;
  void move_piece(int from, int to, int victim, const std::vector<int>& passed, Found& found) const;
  void add_castling(const Game::Right& right, Found& found) const;
  void add_drops(Found& found) const;
  int beside(int s, int side) const;
  bool row_between(int from, int to, std::vector<int>& path) const;
  void add_board_turns(Found& found) const;
  void add_shifts(int part, Found& found) const;
  void add_slides(Found& found) const;
  State begun() const;
  void finish(const std::string& text, State next, Turn turn, Found& found) const;
  void explode(State& next, int centre, Turn& turn) const;
  bool carry(State& next, Turn& turn) const;
  static bool carry_along(State& next, Turn& turn, const std::vector<std::pair<int, int>>& moved);
  Outcome reached() const;
  Outcome bare_king() const;
  std::vector<std::pair<int, int>> belt_steps(int belt, int level, int steps) const;
  void settle();
  void lose_level(int lost);
  void drop_rights(const Turn& turn);
  void keep_live_en_passant();
  /// Belts, then parts, then sectors.
  int devices() const { return size_of(game_->belts) + size_of(game_->parts) + 1; }
  const Control& control_of(int device) const;
  bool may_use(int device) const;
  void note_use(int device);
  bool who_may(const std::vector<int>& on, const std::string& who) const;

  std::shared_ptr<const Game> game_;
  const Geometry* geometry_ = nullptr;
  std::vector<Piece> board_;
  bool white_ = true;
  std::set<Game::Right> rights_;
  std::vector<int> passed_;  // squares on which `passer_` can be captured en passant
  int passer_ = -1;
  int plies_ = 0;
  int move_number_ = 1;
  int levels_ = 1;
  std::vector<std::array<int, 2>> displaced_;  // by part
  std::set<int> gaps_;
  std::vector<std::array<int, 2>> counters_;  // by device: of White, of Black
  std::array<int, 3> last_{-1, 0, 0};         // the device that moved last turn, and how
  std::string last_text_ = "-";               // the same as a move
  std::array<std::vector<int>, 2> hands_;     // by side and type
  std::array<int, 2> checks_given_{0, 0};
  bool checks_allowed_ = false;  // whatever the rules say
  bool royal_exploded_ = false;  // of the side to move
};

}  // namespace faultline::walker
