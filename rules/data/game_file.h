// A game described by a TOML file, checked and resolved: what boards, tables and positions are
// built from. The language is docs/games-as-data.md.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/board_graph.h"
#include "rules/types.h"

namespace faultline::data {

/// Squares of all levels: bit level * squares_per_level + square.
using SquareSet = std::bitset<kMaxSquares>;
/// Index of a piece type, 0 … types - 1, in the order of GameFile::pieces.
using TypeIndex = std::uint8_t;
inline constexpr TypeIndex kNoType = 255;
/// Bit t: the type with that index.
using TypeSet = std::uint32_t;
/// The most piece types of a game that this program plays.
inline constexpr int kMostTypes = 16;
/// "As often as wanted", for numbers of uses and of repeated steps.
inline constexpr int kNoLimit = -1;

/// Two values, White's and Black's, by index(Colour).
template <class T>
using BySide = std::array<T, 2>;

/// From `low` to `high`, both included.
struct Interval {
  int low = 0;
  int high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// ---------------------------------------------------------------------------------------- board

/// Voids and barriers have no square: riders stop at both, leapers cross both and land on neither.
/// Only voids can be flown over (`Board::riders_fly_over_void`), and leaps may be refused only over
/// voids.
enum class CellKind : std::uint8_t { Square, Void, Barrier };

/// A cell is as wide as one column. Its upper edge is [column, column + 1], its lower edge [foot,
/// foot + 1], in columns from the left. Within a row, neighbouring cells are linked E and W.
/// Between rows, a cell L and one U of the row above it are linked
///     N of L to U and S of U to L    if U's lower and L's upper edge overlap,
///     NE of L to U and SW of U to L  if U.foot <= L.column + 1 < U.foot + 1,
///     NW of L to U and SE of U to L  if U.foot < L.column <= U.foot + 1.
/// With feet below the upper edges that is the ordinary grid. Below a row with other feet only
/// squares are linked.
struct Cell {
  CellKind kind = CellKind::Square;
  std::string name;           // "e4", without a level; "" for barriers and voids of `rows`
  Square square = kNoSquare;  // within a level, in the order of `Board::rows`
  int column = 0;             // its index in its row
  double foot = 0;            // where its lower edge begins
};

/// One exception to the links that follow from the cells, on every level; leapers and riders alike.
struct Link {
  Square from = kNoSquare;  // within a level
  Direction way = Direction::N;
  Square to = kNoSquare;
};

/// What makes a movement of the board happen, or who may make it.
enum class When : std::uint8_t {
  Left,           // a piece of the player to move left one of its squares
  Entered,        // … landed on one
  LeftOrEntered,  // … or both, which still moves it once
  Instead,        // it is a turn of its own
  Every,          // after each `every`th turn of the game, both sides counted
};
/// What the player must have on the squares to be moved (as they stand when the movement begins):
/// nothing; at least one piece; more pieces than the opponent.
enum class Who : std::uint8_t { Any, Own, Majority };

struct Control {
  When when = When::Left;
  int every = 0;  // only for When::Every: at least 1
  Who who = Who::Any;
  int uses = kNoLimit;  // how often each player may, in the whole game; only for When::Instead
  int pause = 0;        // N: none of the player's own last N - 1 turns was one; 0: no such rule
  bool undo = true;     // false: may not be the inverse of the opponent's last turn
};

/// A permutation of what stands on squares: each cycle is carried on by one square, `steps` times,
/// the last square leading to the first. All belts that are set off advance at the same time.
struct Belt {
  std::string name;
  std::vector<std::vector<Square>> cycles;  // over all levels; in carrying order
  int steps = 1;
  bool both_ways = false;  // only for When::Instead: the player may also turn it backwards
  Control control;
};

/// Squares that lie elsewhere than their cells say: moved by `at` files and ranks. What is in no
/// part lies where it is. Where two squares fall on one place, the later part's exists and the
/// other one is covered, and then as a void.
struct Part {
  std::string name;
  SquareSet squares;
  int files = 0;
  int ranks = 0;
  struct Shift {
    Control control{.when = When::Instead};
    Interval files;  // by how much one shift may move it; 0 is no shift
    Interval ranks;
    Interval within;        // what `Part::files` may become
    Interval within_ranks;  // what `Part::ranks` may become
  };
  std::optional<Shift> shift;  // nullopt too where it has no uses
};

/// The board cut into areas of `width` × `height` squares, named by a column letter and a row
/// number in Roman capitals: "BIII". Pieces keep their places within an area that slides.
struct Sectors {
  int width = 0;
  int height = 0;
  std::vector<std::vector<Square>> areas;  // row by row from a1; squares row by row within an area
  int columns = 0;                         // areas in a row of them
  std::vector<int> gaps;                   // indices into areas: those that start without squares
  struct Slide {
    Control control{.when = When::Instead};
    int far = 1;   // at most so many areas at once, in a straight line, over gaps
    int push = 1;  // at most so many neighbouring areas in a line move together into a gap
  };
  std::optional<Slide> slide;

  std::string area_name(int area) const;
};

/// Stacked boards.
struct Levels {
  int count = 1;
  /// By square within a level: those of the next level that lie under it; empty if it is no hole.
  /// The deepest level that is left has no holes. Empty as a whole if there are none.
  std::vector<std::vector<Square>> below;
  TypeSet descend = 0;  // types that a hole redirects; to others holes are closed
  TypeSet same = 0;     // of these, those that keep the colour of the hole's square
  /// Whether a side that is mated loses its deepest level in check instead of the game, the
  /// winner's pieces ascend from it, and level 1 vanishes with what stands on it.
  bool lost = false;
};

struct Board {
  /// From White's first row, cells from the left; every row has equally many. Of one level.
  std::vector<std::vector<Cell>> rows;
  int squares = 0;      // of one level
  bool turned = false;  // Black's view is White's after a half turn, not a reflection of the ranks
  bool wraps_files = false;  // the last file borders on the first
  bool wraps_ranks = false;
  bool riders_fly_over_void = false;
  bool leaps_over_void = true;
  std::vector<Link> links;  // added, both directions listed
  std::vector<Link> cuts;   // taken away, both directions listed
  std::vector<Belt> belts;
  std::vector<Part> parts;
  std::optional<Sectors> sectors;
  Levels levels;

  int all_squares() const { return squares * levels.count; }
  /// Whether some movement can change the squares on which pieces stand (belts, sectors).
  bool carries() const { return !belts.empty() || (sectors && sectors->slide); }
  /// Whether which squares exist, or where they lie, can change.
  bool changes() const;
  /// Whether a square, over all levels, is a hole while all levels are there.
  bool is_hole(Square square) const;
};

// --------------------------------------------------------------------------------------- pieces

/// Which obstacles a leg needs.
enum class Hop : std::uint8_t {
  None,
  Cannon,       // p: over exactly one piece, anywhere on its line, and on behind it
  Grasshopper,  // g: over exactly one piece, landing on the next place of the line behind it
};

/// A stretch of a leg: `step` is made once, or again and again. The directions of a step follow
/// links over cells of every kind, and the step ends on a square.
struct Stretch {
  std::vector<Direction> step;  // absolute, White moving north: for Black already mirrored
  int most = 1;  // how often at most; kNoLimit: as far as the board goes. 1 before the last stretch
};

/// One way to move, in one direction: from a square along `stretches`; every square on which a step
/// ends before the last one must be empty, but for the one piece of a `hop`.
///
/// A step of one direction is a slide and follows links for riders (Board::riders_fly_over_void). A
/// step of several is a leap: what stands or lies between does not matter unless `lame`. A leap
/// that is not lame can also go "back the same way": where `step` read from its end leads to a
/// square, that is a destination, too (it differs only where links fork or are not a grid's).
struct Leg {
  std::vector<Stretch> stretches;  // one, or several of a bent rider
  bool moves = true;               // without capturing
  bool captures = true;
  bool en_passant = false;  // e: also captures a piece that passed over the destination (by a leg
                            // that leaves_passed) in the turn before
  bool initial = false;     // i: written with it. `from` has taken it into account
  bool lame = false;        // n: every cell between, step by step, is an existing square (or hole)
                            // without a piece
  bool leaves_passed = false;  // m and n, not royal: squares between can be captured on en passant
  Hop hop = Hop::None;
  SquareSet from;          // squares from which it can be used; all where nothing restricts it
  SquareSet onto;          // where it may land
  TypeSet takes = ~0U;     // what it can capture (of royals too: what it attacks)
  std::uint16_t text = 0;  // index into PieceSide::texts
};

/// Royal pieces must be safe after their side's turn. OneSafe: a side is in check only when all of
/// its royals are attacked, and one may be captured while another is left.
enum class Royal : std::uint8_t { No, Yes, OneSafe };

/// What a piece may or must become after a move that ends on `on`, or (leaving) began there.
struct Promotion {
  SquareSet on;
  bool leaving = false;
  SquareSet must;             // of moves that end here: no choice to stay. By default `on`
  std::vector<TypeIndex> to;  // in the file's order
  bool stock = false;         // only to types of which fewer are on the board than at the start
  TypeIndex carried =
      kNoType;  // what it becomes where a movement of the board carries it onto `on`
};

/// How a piece castles, for positions other than the start: `Start::castles` has what the start
/// allows.
struct CastleRule {
  enum class Rook : std::uint8_t { Square, Left, Right, Nearest };
  int squares = 0;            // On: so many squares towards the rook; 0 where `king` says where
  SquareSet king;             // where the king may land
  Rook rook = Rook::Nearest;  // Left, Right: nearest piece of `type` on that side (White's view)
  Square square = kNoSquare;  // for Rook::Square
  TypeIndex type = kNoType;   // that of the rook: R. kNoType for Rook::Square: any piece
};

/// A piece type as one of the sides has it.
struct PieceSide {
  std::vector<Leg> legs;
  std::vector<std::string> texts;      // the Betza texts of the legs, for people
  std::vector<std::string> sentences;  // what each of the texts says
  Royal royal = Royal::No;
  SquareSet initial;
  std::vector<Promotion> promotions;  // their `on` do not overlap
  std::vector<CastleRule> castles;
};

struct PieceType {
  std::string letter;   // "Q", "+R": as FEN writes White's
  std::string name;     // "queen"; the letter if the file has none
  std::string drawing;  // a piece whose picture it borrows, by name; ""
  bool pawn = false;    // its moves restart the plies, and notation leaves out its letter
  /// Its leaps cross barriers only by steps to the east or west, where other pieces' leaps cross
  /// them in every direction; and a barrier so crossed is no obstacle to its lame leaps, as it is
  /// to others'.
  bool crosses_barriers_sideways = false;
  BySide<PieceSide> sides;
};

// ------------------------------------------------------------------------------ hands, rules, ends

/// Pieces off the board.
struct Hands {
  /// By type: what a captured one becomes in the captor's hand, kNoType: it is gone.
  std::vector<TypeIndex> becomes;
  struct Drop {
    BySide<SquareSet> onto;  // empty: never
    int a_file = kNoLimit;   // at most so many of this type and colour on a file
    bool mate = true;        // false: a drop that mates is illegal
  };
  std::vector<Drop> drops;  // by type
};

enum class ChecksForbidden : std::uint8_t { No, Yes, UnlessMate };

struct Rules {
  bool capture_forced = false;  // who can capture must
  ChecksForbidden checks = ChecksForbidden::No;
  struct Explode {
    TypeSet spares = 0;
  };
  /// A capture removes the captor and all pieces on neighbouring squares but the spared types.
  std::optional<Explode> explode;
};

/// For the owner of the piece or the pieces in question, or the side to move.
enum class Result : std::uint8_t { Draw, Win, Loss };

struct Extinct {
  TypeSet types = 0;
  bool all = true;  // all of them are gone; false: one type of them is
  Result result = Result::Loss;
};
struct Reach {
  TypeSet types = 0;
  SquareSet zone;
  bool reply = false;  // the opponent has one more turn; both there is a draw
  Result result = Result::Win;
};
struct BareKing {
  bool reply = false;  // who bares the other side in the next turn makes it a draw
  Result result = Result::Loss;
};
struct Counted {
  int count = 0;
  Result result = Result::Draw;  // the side to move's
};

/// How the game ends for one side, in the order in which ends are judged.
struct SideEnds {
  std::vector<Extinct> extinct;
  std::vector<Reach> reach;
  int checks = 0;  // so many given win; 0: not counted
  Result checkmate = Result::Loss;
  Result stalemate = Result::Draw;
  std::optional<BareKing> bare_king;
};
struct Ends {
  BySide<SideEnds> sides;
  bool only_royals_draw = true;
  std::optional<Counted> plies;       // without capture, drop or move of a `pawn`
  std::optional<Counted> repetition;  // the same position so often
  int most_plies = 0;                 // a game is then cut as a draw; 0: the file says nothing
};

// ---------------------------------------------------------------------------------------- start

/// A castling right of a start. All squares over all levels.
struct Castle {
  Colour colour = Colour::White;
  int level = 0;
  char letter = 'K';  // of the FEN, upper case: K, Q, or the rook's file
  TypeIndex king_type = kNoType;
  Square king = kNoSquare;
  Square rook = kNoSquare;
  struct Way {
    Square king_to = kNoSquare;
    Square rook_to = kNoSquare;
    SquareSet empty;  // must be: what either crosses or lands on, but for their own squares
    SquareSet
        safe;  // may not be attacked if the king is royal: its square, what it crosses, its end
  };
  std::vector<Way> ways;  // one, or several where the king may choose
};

struct Placed {
  Square square = kNoSquare;  // over all levels
  TypeIndex type = kNoType;
  Colour colour = Colour::White;
  friend bool operator==(const Placed&, const Placed&) = default;
};

struct Start {
  std::string fen;
  std::string place;  // where the file has it: "chess.toml:28"
  std::vector<Placed> pieces;
  Colour to_move = Colour::White;
  std::vector<Castle> castles;     // White's first; K before Q
  BySide<std::vector<int>> hands;  // by type; empty without [hands]
};

// ----------------------------------------------------------------------------------------- game

struct GameFile {
  std::string name;
  std::string title;  // the name if the file has none
  std::string inventor;
  std::string year;
  std::string source;
  std::string summary;
  Board board;
  std::vector<PieceType> pieces;  // by letter; those with + last
  std::optional<Hands> hands;
  Rules rules;
  Ends ends;
  std::vector<Start> starts;  // at least one; a game begins from one of them, drawn evenly
  /// The file with its bases merged into it, as TOML in a fixed order, without comments: the same
  /// game for load_game_text(). Equal texts are equal games.
  std::string text;
  /// Where the file has its keys: "board.wrap" in "mine.toml:7". Of a list also "board.belt.0".
  std::map<std::string, std::string> places;

  /// kNoType if no piece has it.
  TypeIndex find_type(std::string_view letter) const;
  /// "e4", or "1e4" where there are several levels; `square` over all levels.
  std::string square_name(Square square) const;
  /// kNoSquare if there is none.
  Square find_square(std::string_view square) const;
};

// -------------------------------------------------------------------------------------- reading

/// Something wrong or odd about a file.
struct Finding {
  bool is_error = true;
  std::string file;
  int line = 0;  // 0: about the file as a whole
  std::string text;

  /// "grand.toml:5: warning: …".
  std::string message() const;
};

struct LoadedGame {
  std::optional<GameFile> game;  // nullopt if there are errors
  std::vector<Finding>
      findings;  // all of them, errors and warnings, in the order of the files' lines

  bool has_errors() const;
  /// The messages of the errors, one a line.
  std::string errors() const;
};

/// Where bases are looked for after the folder of the file that names them.
using GameFolders = std::vector<std::filesystem::path>;
/// The folders of the games that come with the program: shared_folders("games").
GameFolders usual_game_folders();

/// Reads a file, which need not exist: that is a finding, as all that is wrong with it.
LoadedGame load_game_file(const std::filesystem::path& file, const GameFolders& folders = {});
/// Does the same with a text; `source` is what messages call it, and its folder is where its bases
/// are.
LoadedGame load_game_text(std::string_view text, const std::string& source,
                          const GameFolders& folders = {});

}  // namespace faultline::data
