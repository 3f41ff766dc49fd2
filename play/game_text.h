// Games as text, in the format of PGN: written and read by matches, tournaments, `games`, `analyse`
// and `rate`.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/types.h"
#include "search/evaluation.h"

namespace faultline {

/// A text that is not a game. The message begins with where: "games.pgn:12".
class GameTextError : public std::runtime_error {
 public:
  /// `line`: from 1; 0: none.
  explicit GameTextError(const std::string& message, int line = 0)
      : std::runtime_error(message), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

/// What the mover's search found, written as a comment after the move. Absent for moves that were
/// not searched. docs/game_format.md has the syntax; numbers are rounded there.
struct MoveComment {
  std::optional<Evaluation> value = std::nullopt;  // of the position before the move, for its mover
  std::uint32_t visits = 0;
  std::uint64_t nodes = 0;
  int depth = 0;
  double seconds = 0;
  std::string text = {};  // anything else; braces and control characters are replaced
  int glyph = 0;          // numeric annotation glyph: 2 "?", 4 "??", 6 "?!", …; 0: none

  bool empty() const {
    return !value && visits == 0 && nodes == 0 && depth == 0 && seconds == 0 && text.empty() &&
           glyph == 0;
  }
};

/// How a game ended, as far as the position does not say so.
enum class Termination : std::uint8_t {
  Normal,  // by the rules
  Resigned,
  Adjudicated,  // by a match's rules: `TextGame::result` counts
  Cut,          // at the ply limit, with no result: "*"
  Forfeit,      // the loser failed to move: crashed, was silent, or tried an illegal move
  TimeForfeit,
  Unfinished  // "*"
};

enum class GameResult : std::uint8_t { WhiteWins, BlackWins, Draw, None };

/// Moves that could have been played instead, from one move of another line on. Lines are numbered:
/// 0 is the game's own moves, i + 1 is variations[i]. `line` has a smaller number than this one.
struct Variation {
  std::size_t line = 0;                    // that it leaves
  std::size_t ply = 0;                     // of the move there that it replaces, from 0
  std::vector<std::string> moves = {};     // one or more
  std::vector<MoveComment> comments = {};  // one per move, or none
};

/// A game in text form. Moves are the family's move texts (Position::move_text), whatever the
/// notation of the file.
struct TextGame {
  std::string variant = {};  // canonical name
  std::string white = {};    // the players' names; "" if unknown
  std::string black = {};
  std::string start_fen = {};  // "" for the variant's start
  std::vector<std::string> moves = {};
  int opening_plies = 0;                   // the first moves, not played by the players
  std::vector<MoveComment> comments = {};  // one per move, or none
  GameResult result = GameResult::None;
  Termination termination = Termination::Unfinished;
  std::string reason = {};  // for people: "checkmate", "draw by repetition", "engine crashed: …"
  /// All other tags, in order: Event, Site, Date, Round, …
  std::vector<std::pair<std::string, std::string>> tags = {};
  std::string comment = {};                // before the first move
  std::vector<Variation> variations = {};  // kept by next_with_variations() alone
};

/// Writes one game, followed by an empty line, with moves in the notation of play/san.h. Chess and
/// gardner are thus standard PGN, which other programs read. Throws GameTextError, and writes
/// nothing, if a move is not legal, the variant or the start is not valid, a tag's name is not a
/// word, there are comments but not one per move, or a variation replaces no move.
void write_game(std::ostream& out, const TextGame& game);

/// Whether a file or stream holds games rather than lines of positions or moves: by its name,
/// "games.pgn", or its start, which is a tag, a comment, an escape or the number of the first move.
/// Skips a byte order mark, and blanks where the
/// stream cannot go back.
bool holds_games(std::istream& in, std::string_view name);

/// Reads games one after the other. Understands what write_game writes, the families' own move
/// texts, and, for chess and gardner, PGN from other programs (a missing Variant tag means
/// chess). Reads as it goes: a file may be larger than memory.
class GameReader {
 public:
  /// `source` names the input in messages. `default_variant`: for games without a Variant tag.
  GameReader(std::istream& in, std::string source, std::string default_variant = "chess");
  ~GameReader();
  GameReader(const GameReader&) = delete;
  GameReader& operator=(const GameReader&) = delete;

  /// The next game, or nothing at the end of the input. Every move was checked to be legal;
  /// variations are skipped. Throws GameTextError; the next call continues with the following game.
  std::optional<TextGame> next();
  /// With the variations. One that has a move that is not legal ends before it, and those nested
  /// deeper than 32 are skipped: they cost no game that next() reads.
  std::optional<TextGame> next_with_variations();
  /// The next game's tags, players and result without its moves, several times faster; for ratings.
  std::optional<TextGame> next_result();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "1-0", "0-1", "1/2-1/2", "*".
std::string_view text(GameResult result);
/// The result of a game that ended by the rules; None for Ongoing and Adjudicated.
GameResult result_of(Outcome outcome);
/// A `reason` for an outcome: "checkmate", "draw by repetition", …; "" for Ongoing.
std::string_view reason_of(Outcome outcome);

}  // namespace faultline
