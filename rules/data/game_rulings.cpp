// Games of files in words: what a chess player must know.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "rules/data/betza.h"
#include "rules/data/board_layout.h"
#include "rules/data/game_picture.h"
#include "rules/data/words.h"
#include "rules/data/zone_names.h"
#include "rules/data/zones.h"

namespace faultline::data {
namespace {

using Texts = std::vector<std::string>;

std::string capitalised(std::string text) {
  if (!text.empty())
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string many(const std::string& name) {
  return name.ends_with('s') ? name : name + "s";
}

std::string times(int n, std::string_view what) {
  return n == 1 ? "one " + std::string(what) : std::to_string(n) + " " + std::string(what) + "s";
}

class Describer {
 public:
  explicit Describer(const GameFile& file) : file_(file), zones_(file.board), zone_names_(file) {}

  VariantDescription describe() {
    board();
    levels();
    parts();
    sectors();
    belts();
    pieces();
    promotions();
    castling();
    hands();
    rules();
    ends();
    return {.summary = file_.summary.empty() ? file_.title + "." : file_.summary,
            .rulings = std::move(rulings_),
            .move_examples = move_examples(file_)};
  }

 private:
  void say(std::string sentence) { rulings_.push_back(capitalised(std::move(sentence))); }

  const std::string& name(TypeIndex type) const { return file_.pieces[type].name; }
  std::string names(TypeSet types, bool plural = true) const {
    Texts found;
    for (std::size_t t = 0; t < file_.pieces.size(); ++t)
      if (types >> t & 1)
        found.push_back(plural ? many(file_.pieces[t].name) : file_.pieces[t].name);
    return joined(found, " and ");
  }
  TypeSet all_types() const { return (TypeSet{1} << file_.pieces.size()) - 1; }

  std::string zone(const SquareSet& set) const { return zone_names_.text(set); }
  std::string rectangle(const SquareSet& set) const { return zone_names_.rectangle(set); }
  SquareSet row(std::size_t r) const { return zone_names_.row(r); }

  // --------------------------------------------------------------------------------------- board

  void board() {
    const Board& b = file_.board;
    const std::size_t files = b.rows.front().size(), ranks = b.rows.size();
    bool whole = true, barriers = false, slanted = false;
    for (const auto& cells : b.rows)
      for (const Cell& cell : cells) {
        whole &= cell.kind == CellKind::Square;
        barriers |= cell.kind == CellKind::Barrier;
        slanted |= cell.foot != cell.column;
      }
    if (!whole || slanted)
      say("The board has " + std::to_string(b.squares) + " squares in " + std::to_string(ranks) +
          " rows.");
    else if (files != 8 || ranks != 8)
      say("The board has " + std::to_string(files) + " files and " + std::to_string(ranks) +
          " ranks.");
    if (slanted)
      say("Some squares lie half a file aside, and have the names of both files below them. "
          "Squares whose edges overlap are neighbours, so that a line may fork there: it goes on "
          "both ways.");
    if (barriers) say("Barriers stop lines. Leaps may cross them, and nothing stands on them.");
    if (b.wraps_files) say("The left and the right edge of the board are joined.");
    if (b.wraps_ranks) say("The lower and the upper edge of the board are joined.");
    if (b.riders_fly_over_void) say("Lines pass over places without a square.");
    if (!b.leaps_over_void) say("Leaps do not pass over places without a square.");
    Texts links;
    for (const Link& link : b.links)
      if (link.from < link.to)
        links.push_back(zones_.name(link.from) + " and " + zones_.name(link.to));
    if (!links.empty()) say("Also neighbours: " + joined(links, "; ", "; ") + ".");
  }

  void levels() {
    const Levels& levels = file_.board.levels;
    if (levels.count < 2) return;
    say("A turn is one move on any of " + std::to_string(levels.count) +
        " boards, the levels, and moves name the level: 1e2-1e4.");
    SquareSet hole;
    for (std::size_t s = 0; s < levels.below.size(); ++s)
      hole.set(s, !levels.below[s].empty());
    if (hole.any()) {
      std::string under;
      for (const auto& below : levels.below)
        if (!below.empty() && under.empty())
          under = std::to_string(below.size()) + (below.size() == 1 ? " square" : " squares");
      say("On every level but the deepest " + rectangle(hole) +
          " are a hole: lines pass over it, and a move that would end on one of its squares ends "
          "on "
          "one of the " +
          under + " of the next level that lie below it" +
          (levels.same == levels.descend ? ", of the same colour."
           : levels.same == 0            ? ", of either colour."
                                         : ": of the same colour for " + names(levels.same) + "."));
      if (levels.descend != all_types())
        say(names(all_types() & ~levels.descend) + " never descend.");
    }
    if (levels.lost)
      say("A side that is in check and has no legal move loses the deepest level on which it is in "
          "check: the winner's pieces there rise one level (capturing what they meet, but lost "
          "where one of their own or a king stands), and the level is gone. The last level decides "
          "the game.");
  }

  static std::string by(int n, std::string_view one, std::string_view positive,
                        std::string_view negative) {
    return std::to_string(std::abs(n)) + " " + std::string(one) + (std::abs(n) == 1 ? "" : "s") +
           " " + std::string(n > 0 ? positive : negative);
  }
  static std::string range(Interval by, std::string_view what) {
    if (by == Interval{-1, 1}) return "one " + std::string(what);
    const std::string amount = by.low == -by.high
                                   ? "up to " + std::to_string(by.high)
                                   : std::to_string(by.low) + " to " + std::to_string(by.high);
    return amount + " " + std::string(what) + "s";
  }

  void parts() {
    for (const Part& part : file_.board.parts) {
      Texts ways;
      if (part.files != 0) ways.push_back(by(part.files, "file", "to the right", "to the left"));
      if (part.ranks != 0) ways.push_back(by(part.ranks, "rank", "up", "down"));
      if (!ways.empty())
        say(zone(part.squares) + (part.squares.count() > 1 ? " lie " : " lies ") +
            joined(ways, " and ") +
            " of the others. Squares keep their names, and what lies side by side is linked, "
            "as on a board.");
      if (!part.shift) continue;
      const Part::Shift& shift = *part.shift;
      Texts amounts;
      if (shift.files != Interval{})
        amounts.push_back(range(shift.files, "file") + " to the right or left");
      if (shift.ranks != Interval{}) amounts.push_back(range(shift.ranks, "rank") + " up or down");
      say("Instead of a move " + zone(part.squares) + " may be shifted by " + joined(amounts) +
          ", with all pieces on it" + control(shift.control) + ". It may not cover a piece.");
    }
  }

  /// ", up to 2 times in a game", and so on.
  static std::string control(const Control& control) {
    std::string text;
    if (control.who == Who::Own) text += ", if the player has a piece on it";
    if (control.who == Who::Majority) text += ", if the player has more pieces on it";
    if (control.uses != kNoLimit)
      text += ", " +
              (control.uses == 1 ? std::string("once") : std::to_string(control.uses) + " times") +
              " in a game";
    if (control.pause > 0)
      text += ", and not again in the player's next " + times(control.pause - 1, "turn");
    if (!control.undo) text += ", but not so that the opponent's last turn is undone";
    return text;
  }

  void sectors() {
    if (!file_.board.sectors || !file_.board.sectors->slide) return;
    const Sectors& s = *file_.board.sectors;
    Texts gaps;
    for (const int gap : s.gaps)
      gaps.push_back(sector_name(s, static_cast<std::size_t>(gap)));
    say("The board consists of sectors of " + std::to_string(s.width) + "×" +
        std::to_string(s.height) + " squares; " + joined(gaps, " and ") +
        (gaps.size() == 1 ? " is a gap" : " are gaps") +
        " at the start. Lines and steps end at a gap" +
        (file_.board.leaps_over_void ? ", leaps pass over it."
                                     : ", and leaps do not pass over it."));
    std::string text = "Instead of a move a sector may slide into a gap beside it";
    if (s.slide->far > 1) text += ", or over gaps by up to " + std::to_string(s.slide->far);
    if (s.slide->push > 1)
      text += ", and push up to " + std::to_string(s.slide->push - 1) + " others in front of it";
    say(text + ", with all pieces on it" + control(s.slide->control) + ".");
  }

  void belts() {
    std::map<std::tuple<int, int, int, int, bool, int>, Texts> alike;
    std::map<std::tuple<int, int, int, int, bool, int>, const Belt*> first;
    for (const Belt& belt : file_.board.belts) {
      const std::tuple key{static_cast<int>(belt.control.when),
                           belt.control.every,
                           static_cast<int>(belt.control.who),
                           belt.steps,
                           belt.both_ways,
                           belt.control.uses};
      first.emplace(key, &belt);
      SquareSet squares;
      for (const auto& cycle : belt.cycles)
        for (const Square s : cycle)
          squares.set(s);
      // Of belts that are on every level the first level's tells enough.
      if (belt.cycles.front().front() >= file_.board.squares) continue;
      const std::string label = belt.name.empty() ? "" : belt.name + ": ";
      alike[key].push_back(
          label + (belt.cycles.size() == 1 ? cycle_text(belt.cycles.front()) : rectangle(squares)));
    }
    for (const auto& [key, squares] : alike) {
      const Belt& belt = *first[key];
      const bool several = squares.size() > 1;
      const std::string what = several ? "one of them" : "it";
      const std::string them =
          several ? " carry what stands on them" : " carries what stands on it";
      std::string text = (several ? "The belts " : "The belt ") + joined(squares, "; ", "; ") +
                         (file_.board.levels.count > 1 ? ", and those below," : "");
      if (belt.cycles.size() > 1)
        text += them + " around";
      else
        text += them + " on by " +
                (belt.steps == 1 ? "one square" : std::to_string(belt.steps) + " squares") +
                ", the last square leading to the first";
      switch (belt.control.when) {
        case When::Left:
          text += ", when a piece leaves a square of " + what;
          break;
        case When::Entered:
          text += ", when a piece lands on a square of " + what;
          break;
        case When::LeftOrEntered:
          text += ", when a piece leaves a square of " + what + " or lands on one";
          break;
        case When::Every:
          text += ", after every " + std::to_string(belt.control.every) +
                  "th turn, both sides' counted";
          break;
        case When::Instead:
          text += std::string(", as a turn of its own") + (belt.both_ways ? ", either way" : "");
          break;
      }
      say(text + control(belt.control) + ".");
    }
    if (std::ranges::any_of(file_.board.belts,
                            [](const Belt& b) { return b.control.when != When::Instead; }))
      say("The piece that has moved is carried, too. A move after which the own king is attacked, "
          "with everything carried, is illegal.");
  }
  std::string cycle_text(const std::vector<Square>& cycle) const {
    if (cycle.size() > 8)
      return zones_.name(cycle.front()) + " " + zones_.name(cycle[1]) + " … " +
             zones_.name(cycle.back());
    Texts names;
    for (const Square s : cycle)
      names.push_back(zones_.name(s));
    return joined(names, " ", " ");
  }

  // -------------------------------------------------------------------------------------- pieces

  static bool moves_as(const PieceSide& side, std::string_view betza) {
    const Betza chess = read_betza(betza);
    if (chess.parts.size() != side.texts.size()) return false;
    for (std::size_t i = 0; i < side.texts.size(); ++i)
      if (chess.parts[i].text != side.texts[i] || chess.parts[i].sentence != side.sentences[i])
        return false;
    return true;
  }
  /// Whether it is a piece of chess that everybody knows by its letter.
  bool is_orthodox(const PieceType& type, const PieceSide& side) const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOrthodox = {
        {{"K", "K"}, {"Q", "Q"}, {"R", "R"}, {"B", "B"}, {"N", "N"}, {"P", "fmWfceFifmnD"}}};
    const bool royal = side.royal != Royal::No;
    for (const auto& [letter, betza] : kOrthodox)
      if (type.letter == letter && moves_as(side, betza)) return royal == (letter == "K");
    return false;
  }

  bool is_orthodox_name(const PieceType& type) const {
    const TypeIndex plain = file_.find_type(type.letter.substr(1));
    return std::ranges::any_of(file_.pieces, [&](const PieceType& other) {
      return plain != kNoType && &other != &type && other.name == type.name &&
             other.sides[0].texts == type.sides[0].texts;
    });
  }

  void pieces() {
    for (const PieceType& type : file_.pieces) {
      const auto& [white, black] = type.sides;
      const bool same = white.texts == black.texts && white.royal == black.royal;
      // Promoted pieces that move as others of their name.
      if (type.letter.starts_with('+') && is_orthodox_name(type)) continue;
      if (is_orthodox(type, white) && (same || is_orthodox(type, black))) {
        initial(type);
        continue;
      }
      if (same) {
        piece(type, white, "");
        continue;
      }
      for (const Colour c : {Colour::White, Colour::Black}) {
        const PieceSide& side = type.sides[static_cast<std::size_t>(index(c))];
        if (is_orthodox(type, side))
          say((c == Colour::White ? "White's " : "Black's ") + type.name + " is that of chess.");
        else if (!side.texts.empty())
          piece(type, side, c == Colour::White ? "White's " : "Black's ");
      }
    }
    bool royal = false;
    for (const PieceType& type : file_.pieces)
      royal |= type.sides[0].royal != Royal::No || type.sides[1].royal != Royal::No;
    if (!royal) say("No piece is royal: there is no check.");
  }
  void piece(const PieceType& type, const PieceSide& side, const std::string& whose) {
    std::string text = whose + (whose.empty() ? capitalised(type.name) : type.name) + " (" +
                       type.letter + "): " + joined(side.sentences, "; ", "; ");
    if (side.royal == Royal::Yes) text += "; royal";
    if (side.royal == Royal::OneSafe) text += "; royal, but only one of them must be safe";
    say(text + ".");
    initial(type);
  }
  /// From where it has moves of its first squares.
  void initial(const PieceType& type) {
    const PieceSide& side = type.sides[0];
    const bool has = std::ranges::any_of(side.legs, &Leg::initial);
    if (!has || file_.board.rows.size() < 2 || side.initial == row(1)) return;
    if (side.initial.none())
      say(many(type.name) + " make no double step.");
    else
      say(many(type.name) + " make the double step from " + zone(side.initial) +
          ", moved before or not.");
  }

  void promotions() {
    struct Rule {
      Texts who;
      const Promotion* promotion;
    };
    std::map<std::string, Rule> alike;
    for (const PieceType& type : file_.pieces)
      for (const Promotion& promotion : type.sides[0].promotions) {
        if (promotion.carried != kNoType)
          say("A " + type.name + " that the board carries onto " + zone(promotion.on) +
              " becomes a " + name(promotion.carried) + ".");
        if (promotion.to.empty() || is_usual(type, promotion)) continue;
        Texts to;
        for (const TypeIndex t : promotion.to)
          to.push_back(name(t));
        std::string what = "on " + zone(promotion.on);
        if (promotion.leaving) what = "when a move begins or ends on " + zone(promotion.on);
        if (promotion.must.none())
          what += ", if they like";
        else if (promotion.must != promotion.on)
          what += ", if they like (on " + zone(promotion.must) + " they must)";
        if (promotion.stock) what += ", to what has been captured";
        Rule& rule = alike[what];
        rule.who.push_back(type.name + " to " + joined(to));
      }
    for (const auto& [what, rule] : alike)
      say("Promotion " + what + ": " + joined(rule.who, "; ", "; ") + ".");
    if (std::ranges::none_of(file_.pieces, [](const PieceType& type) {
          return !type.sides[0].promotions.empty() || !type.sides[1].promotions.empty();
        }))
      say("Nothing promotes.");
  }
  /// On the last rank, at once, to a queen, rook, bishop or knight.
  bool is_usual(const PieceType& type, const Promotion& promotion) const {
    Texts to;
    for (const TypeIndex t : promotion.to)
      to.push_back(name(t));
    std::ranges::sort(to);
    return type.pawn && to == Texts{"bishop", "knight", "queen", "rook"} &&
           promotion.on == row(file_.board.rows.size() - 1) && promotion.must == promotion.on &&
           !promotion.leaving && !promotion.stock;
  }

  void castling() {
    const Start& start = file_.starts.front();
    bool any_royal = false;
    for (const PieceType& type : file_.pieces)
      any_royal |= type.sides[0].royal != Royal::No;
    if (file_.starts.size() > 1)
      say("A game begins from one of " + std::to_string(file_.starts.size()) +
          " positions, drawn evenly.");
    if (start.castles.empty()) {
      if (any_royal) say("There is no castling.");
      return;
    }
    if (file_.starts.size() > 1) {
      say("Castling may be shown as the king's move onto its rook.");
      return;
    }
    bool usual = true;
    for (const Castle& castle : start.castles)
      for (const Castle::Way& way : castle.ways)
        usual &= castle.ways.size() == 1 && std::abs(way.king_to - castle.king) == 2 &&
                 std::abs(way.rook_to - castle.king) == 1;
    if (usual) return;
    Texts ways;
    for (const Castle& castle : start.castles) {
      if (castle.colour != Colour::White || castle.level > 0) continue;
      Texts ends;
      for (const Castle::Way& way : castle.ways)
        ends.push_back(zones_.name(way.king_to));
      ways.push_back("from " + zones_.name(castle.king) + " to " + joined(ends) +
                     " with the rook on " + zones_.name(castle.rook));
    }
    if (!ways.empty()) say("White's king castles " + joined(ways, "; ", "; ") + ".");
  }

  // ---------------------------------------------------------------------------------- hands, ends

  void hands() {
    if (!file_.hands) return;
    const Hands& hands = *file_.hands;
    const bool captured =
        std::ranges::any_of(hands.becomes, [](TypeIndex t) { return t != kNoType; });
    say(captured
            ? "What is captured goes to the captor's hand. Instead of a move a piece of the hand "
              "may be dropped onto an empty square; what was promoted is plain again there."
            : "Instead of a move a piece of the hand may be dropped onto an empty square.");
    for (std::size_t t = 0; t < hands.drops.size(); ++t) {
      const Hands::Drop& drop = hands.drops[t];
      Texts limits;
      if (drop.onto[0].any() && drop.onto[0] != zones_.all())
        limits.push_back("only onto " + zone(drop.onto[0]));
      if (drop.a_file != kNoLimit)
        limits.push_back("at most " + std::to_string(drop.a_file) + " on a file");
      if (!drop.mate) limits.push_back("not with mate");
      if (!limits.empty())
        say(many(file_.pieces[t].name) + " are dropped " + joined(limits, " and ") + ".");
    }
  }

  void rules() {
    if (file_.rules.capture_forced) say("Who can capture must.");
    if (file_.rules.checks == ChecksForbidden::Yes) say("No move may give check.");
    if (file_.rules.checks == ChecksForbidden::UnlessMate)
      say("No move may give check, unless it mates.");
    if (file_.rules.explode)
      say("A capture blows up the captor and all pieces on neighbouring squares" +
          (file_.rules.explode->spares == 0 ? std::string(".")
                                            : " but " + names(file_.rules.explode->spares) + ".") +
          " Who blows up the opponent's king wins; one's own may not be.");
  }

  static std::string result(Result r) {
    return r == Result::Win ? "wins" : r == Result::Loss ? "loses" : "draws";
  }
  static std::string counted_result(Result r) {
    return r == Result::Draw ? "it is a draw" : "the side to move " + result(r);
  }
  Texts ends_of(const SideEnds& ends, const std::string& who) const {
    Texts texts;
    for (const Extinct& e : ends.extinct)
      texts.push_back(who +
                      (e.types == all_types() ? " without any piece left "
                       : e.all                ? " without " + names(e.types) + " "
                               : " that has lost all of one of " + names(e.types) + " ") +
                      result(e.result) + ".");
    for (const Reach& r : ends.reach)
      texts.push_back(
          who + " " + result(r.result) + " with a " + names(r.types, false) + " on " +
          zone(r.zone) +
          (r.reply ? ", unless the opponent gets there in its next turn: then it is a draw" : "") +
          ".");
    if (ends.checks > 0)
      texts.push_back(who + " wins with the " + std::to_string(ends.checks) +
                      (ends.checks == 2   ? "nd"
                       : ends.checks == 3 ? "rd"
                                          : "th") +
                      " check that it gives.");
    if (ends.checkmate != Result::Loss)
      texts.push_back(who + " " + result(ends.checkmate) + " when it is mated.");
    if (ends.stalemate != Result::Draw)
      texts.push_back(who + " " + result(ends.stalemate) + " when it has no legal move.");
    if (ends.bare_king)
      texts.push_back(
          who + " " + result(ends.bare_king->result) + " when only its king is left" +
          (ends.bare_king->reply ? ", unless it bares the opponent's in its next turn" : "") + ".");
    return texts;
  }
  void ends() {
    const Texts white = ends_of(file_.ends.sides[0], "White");
    const Texts black = ends_of(file_.ends.sides[1], "Black");
    const Texts white_as_side = ends_of(file_.ends.sides[0], "A side");
    if (white_as_side == ends_of(file_.ends.sides[1], "A side") || both_alike()) {
      for (const std::string& text : white_as_side)
        say(text);
    } else {
      for (const Texts* texts : {&white, &black})
        for (const std::string& text : *texts)
          say(text);
    }
    const Ends& e = file_.ends;
    if (!e.plies)
      say("There is no draw after a number of moves without progress.");
    else if (e.plies->count != 100 || e.plies->result != Result::Draw)
      say(std::to_string(e.plies->count) +
          " plies without a capture or a pawn's move end the game: " +
          counted_result(e.plies->result) + ".");
    if (!e.repetition)
      say("Repetition does not end the game.");
    else if (e.repetition->count != 3 || e.repetition->result != Result::Draw)
      say("When a position occurs " + std::to_string(e.repetition->count) + " times, " +
          counted_result(e.repetition->result) + ".");
  }
  /// Whether the sides' ends differ in nothing but mirrored zones.
  bool both_alike() const {
    const auto& [white, black] = file_.ends.sides;
    if (white.reach.size() != black.reach.size()) return false;
    SideEnds mirrored_black = black;
    for (Reach& reach : mirrored_black.reach)
      reach.zone = zones_.mirrored(reach.zone);
    return ends_of(white, "") == ends_of(mirrored_black, "");
  }

  const GameFile& file_;
  Zones zones_;
  ZoneNames zone_names_;
  Texts rulings_;
};

}  // namespace

VariantDescription describe_game(const GameFile& file) {
  return Describer(file).describe();
}

}  // namespace faultline::data
