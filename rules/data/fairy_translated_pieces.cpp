// How the pieces of a game's file move, in the words of Fairy-Stockfish.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "rules/data/fairy_translator.h"
#include "rules/data/words.h"

namespace faultline::data {

namespace {

constexpr int kMostCustom = 25;

/// "fsRfsB" for "fsQ", as it reads directions of a queen and a king differently.
std::string of_plain_atoms(const std::string& part) {
  const std::size_t atom = part.find_first_of("KQ");
  if (atom == 0 || atom == std::string::npos) return part;
  std::string text;
  for (const char one : std::string_view(part[atom] == 'Q' ? "RB" : "WF")) {
    text += part;
    text[text.size() - part.size() + atom] = one;
  }
  return text;
}

}  // namespace

Translator::Moves Translator::moves_of(TypeIndex type, int side) {
  const PieceSide& one = piece(type).sides[at(side)];
  const std::string key = "pieces." + piece(type).letter + ".moves";
  Moves moves{.legs = {}, .onto = zones_.all()};
  bool first = true;
  for (const Leg& leg : one.legs) {
    if ((leg.takes & all_types()) != all_types()) {
      const MoveSet vertical = ways_of("vcR");
      MoveSet way;
      add_way(way, leg);
      if (one.royal == Royal::Yes && (leg.takes & all_types()) == TypeSet{1} << type &&
          leg.onto == zones_.all() && leg.from == zones_.all() &&
          vertical.contains(way.begin()->first) && way.begin()->second == 2)
        flying_general_ = true;
      else
        refuse(key, "its pieces take whatever they reach: takes");
      continue;
    }
    if (!first && leg.onto != moves.onto)
      refuse(key, "all moves of one of its pieces lead to the same squares: onto");
    moves.onto = leg.onto;
    first = false;
    moves.legs.push_back(leg);
  }
  return moves;
}

void Translator::pieces() {
  int customs = 0;
  std::string pawn_letters;
  for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
    const auto type = static_cast<TypeIndex>(t);
    const PieceType& one = piece(type);
    const std::string key = "pieces." + one.letter;
    if (one.letter.size() > 1) continue;  // what is promoted: afterwards
    const Moves white = moves_of(type, 0);
    const Moves black = moves_of(type, 1);
    if (ways_of(white.legs) != ways_of(black.legs, true)) {
      if (is_pawn_of_two_kinds(type, white, black)) {
        onto_[type] = zones_.all();
        if (one.pawn) pawn_letters += letter(type);
        continue;
      }
      refuse(key, "its pieces of both sides move alike, turned by half a turn");
      continue;
    }
    const std::string slot = slot_of(type, white, customs);
    if (slot.empty()) continue;
    onto_[type] = white.onto;
    if (white.onto != zones_.all()) has_regions_ = true;
    if (white.onto != zones_.all() || black.onto != zones_.all()) {
      std::string name = slot;
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      say("mobilityRegionWhite" + name, region(white.onto));
      say("mobilityRegionBlack" + name, region(black.onto));
    }
    if (one.pawn) pawn_letters += letter(type);
  }
  for (std::size_t t = 0; t < game_.pieces.size(); ++t)
    if (game_.pieces[t].letter.size() > 1) promoted(static_cast<TypeIndex>(t), customs);
  if (!promoted_.empty()) say("promotedPieceType", promoted_.substr(1));
  if (slots_.contains("pawn") && !of_two_kinds_ && double_step_ != pawn_leaps_)
    refuse("pieces", "if one of its pawns has moves with i, all have them");
  say("doubleStep", double_step_);
  if (flying_general_) say("flyingGeneral", true);
  if (game_.ends.plies && pawn_letters != letter_of("pawn"))
    needs("which pieces restart the plies");
  say("nMoveRuleTypes", pawn_letters.empty() ? "-" : pawn_letters);
  check_royals();
}

void Translator::promoted(TypeIndex type, int& customs) {
  const std::string& name = piece(type).letter;
  const TypeIndex plain = game_.find_type(name.substr(1));
  const TypeIndex again = game_.hands ? game_.hands->becomes[type] : kNoType;
  const Moves moves = moves_of(type, 0);
  const MoveSet ways = ways_of(moves.legs);
  if (plain != kNoType && again != kNoType && again != plain &&
      ways == ways_of(moves_of(plain, 0).legs)) {
    letters_[type] = letter(plain);
    return;
  }
  const bool own = plain != kNoType && again == plain &&
                   std::ranges::all_of(piece(plain).sides, [&](const PieceSide& side) {
                     return side.promotions.size() == 1 && side.promotions[0].to.size() == 1 &&
                            side.promotions[0].to[0] == type;
                   });
  if (!own || ways_of(moves_of(type, 1).legs) != ways_of(moves.legs, true)) {
    refuse("pieces." + name,
           "+X is what X becomes, and X again in the hand; or a pawn that has "
           "become X, and a pawn again");
    return;
  }
  better_ |= TypeSet{1} << plain;
  for (std::size_t t = 0; t < game_.pieces.size(); ++t)
    if (const auto same = static_cast<TypeIndex>(t); game_.pieces[t].letter.size() == 1 &&
                                                     piece(same).sides[0].royal == Royal::No &&
                                                     ways == ways_of(moves_of(same, 0).legs))
      letters_[type] = letter(same);
  if (!letters_.contains(type)) {
    std::string free = "a";
    const auto is_taken = [&] {
      return game_.find_type(in_capitals(free)) != kNoType ||
             std::ranges::any_of(letters_, [&](const auto& one) { return one.second == free; });
    };
    while (is_taken() && free[0] < 'z')
      ++free[0];
    letters_[type] = free;
    slot_of(type, moves, customs);
  }
  promoted_ += " " + letter(plain) + ":" + letter(type);
}

void Translator::check_royals() {
  for (const Start& start : game_.starts)
    for (int side = 0; side < 2; ++side)
      if (std::ranges::count_if(start.pieces, [&](const Placed& placed) {
            return index(placed.colour) == side &&
                   piece(placed.type).sides[at(side)].royal != Royal::No;
          }) > 1)
        refuse("pieces", "a side has one royal piece");
}

std::string Translator::slot_of(TypeIndex type, const Moves& white, int& customs) {
  const PieceType& one = piece(type);
  const std::string key = "pieces." + one.letter;
  const MoveSet ways = ways_of(white.legs);
  if (one.sides[0].royal != one.sides[1].royal || one.sides[0].royal == Royal::OneSafe) {
    refuse(key + ".royal", "its king must always be safe, White's as Black's");
    return "";
  }
  if (one.sides[0].royal == Royal::Yes) {
    if (king_ != kNoType) {
      refuse(key + ".royal", "a side has one royal piece");
      return "";
    }
    king_ = type;
    if (game_.rules.explode) {
      exploding_king(type, white, ways);
      return "commoner";
    }
    const std::string betza = ways == ways_of("K") ? "" : betza_of(type, white);
    if (!betza.empty()) needs("kings that move otherwise");
    if (is_free(type, white)) say("king", letter(type) + (betza.empty() ? "" : ":" + betza));
    return "king";
  }
  if (is_pawn(type, white, ways)) return take("pawn", type);
  if (is_soldier(type, white)) return take("soldier", type);
  if (!is_free(type, white)) return "";
  for (const auto& [name, betza] : fairy_pieces())
    if (!slots_.contains(name) && ways == ways_of(betza)) return take(name, type);
  const std::string betza = betza_of(type, white);
  if (++customs > kMostCustom) refuse(key, "it has 25 custom pieces");
  std::string name = "customPiece" + std::to_string(customs);
  needs("custom pieces");
  say(name, letter(type) + ":" + betza);
  return name;
}

void Translator::exploding_king(TypeIndex type, const Moves& white, const MoveSet& ways) {
  // It cannot capture: that would explode it.
  if ((ways != ways_of("mK") && ways != ways_of("K")) || white.onto != zones_.all())
    refuse("pieces." + piece(type).letter + ".moves", "a king that can explode moves as in chess");
  say("king", std::string("-"));
  take("commoner", type);
  say("castlingKingPiece", letter(type));
  say("extinctionPseudoRoyal", true);
  say("extinctionPieceTypes", letter(type));
  say("extinctionValue", std::string("loss"));
}

std::string Translator::take(std::string_view name, TypeIndex type) {
  slots_[name] = letter(type);
  say(name, letter(type));
  return std::string(name);
}

bool Translator::is_free(TypeIndex type, const Moves& moves) {
  for (const Leg& leg : moves.legs)
    if (leg.from != zones_.all() && !leg.initial) {
      refuse("pieces." + piece(type).letter + ".moves",
             "its pieces move alike from everywhere: from");
      return false;
    }
  return true;
}

std::string Translator::betza_of(TypeIndex type, const Moves& moves) {
  const PieceSide& one = piece(type).sides[0];
  std::string betza;
  std::string modified;
  std::set<std::uint16_t> used;
  const auto refuse_text = [&](const std::string& text, const std::string& why) {
    refuse("pieces." + piece(type).letter + ".moves", text + ": " + why);
  };
  for (const Leg& leg : moves.legs) {
    if (!used.insert(leg.text).second) continue;
    const std::string& text = one.texts[leg.text];
    if (const std::string why = why_no_custom_piece(text); !why.empty()) refuse_text(text, why);
    if (leg.leaves_passed && !leg.initial && takes_en_passant())
      refuse_text(text, "its moves that can be answered en passant have i");
    if (leg.leaves_passed && takes_en_passant() &&
        std::ranges::any_of(leg.stretches[0].step, [](Direction d) { return d != Direction::N; }))
      refuse_text(text, "only what leaps straight forward is captured en passant");
    if (leg.initial) set_double_steps(type);
    // The same letter twice would be one atom: what has modifiers comes behind.
    const std::string plain = of_plain_atoms(text);
    std::string& before = is_capital(plain[0]) ? betza : modified;
    if (is_capital(plain[0]) && before.ends_with(plain[0]))
      refuse_text(text, "the same letter twice means other moves");
    before += plain;
  }
  betza += modified;
  if (!one_move_a_way(moves.legs))
    refuse_text(
        betza, "its limited slides, grasshoppers and lame leapers have no other move of their way");
  return betza;
}

bool Translator::one_move_a_way(const std::vector<Leg>& legs) {
  const auto differ = [](const Leg& one, const Leg& other) {
    const Stretch& slide = one.stretches[0];
    const Stretch& ray = other.stretches[0];
    if (slide.step != ray.step) return false;
    if (one.lame != other.lame) return true;
    const bool is_limited = slide.most > 1 || one.hop == Hop::Grasshopper;
    return is_limited && (other.hop != Hop::None || ray.most != 1) &&
           (one.hop != other.hop || slide.most != ray.most);
  };
  const auto slides = [&](const std::vector<Direction>& step) {
    return std::ranges::any_of(legs, [&](const Leg& leg) {
      return leg.hop == Hop::None && leg.stretches[0].most != 1 && leg.stretches[0].step == step;
    });
  };
  return std::ranges::none_of(legs, [&](const Leg& one) {
    const std::vector<Direction>& step = one.stretches[0].step;
    return std::ranges::any_of(legs, [&](const Leg& other) { return differ(one, other); }) ||
           (one.hop != Hop::None && !slides(step) &&
            (slides({turned(step[0], 2)}) || slides({turned(step[0], 4)}) ||
             slides({turned(step[0], 6)})));
  });
}

bool Translator::takes_en_passant() const {
  return std::ranges::any_of(game_.pieces, [](const PieceType& one) {
    return std::ranges::any_of(one.sides[0].legs, &Leg::en_passant);
  });
}

bool Translator::is_pawn(TypeIndex type, const Moves& moves, const MoveSet& ways) {
  if (slots_.contains("pawn") || moves.onto != zones_.all()) return false;
  const bool steps = ways == ways_of("fmWfceF") || ways == ways_of("fmWfcF");
  const bool leaps = ways == ways_of("fmWfceFifmnD");
  for (const Leg& leg : moves.legs)
    if (leg.from != zones_.all() && !leg.initial) return false;
  if (leaps) set_double_steps(type);
  pawn_leaps_ = leaps;
  return steps || leaps;
}

std::optional<Translator::DoubleSteps> Translator::double_steps(const Moves& moves, int side) {
  const Direction forward = side == 0 ? Direction::N : Direction::S;
  DoubleSteps steps;
  std::vector<Leg> others;
  for (const Leg& leg : moves.legs) {
    const Stretch& stretch = leg.stretches[0];
    const bool is_straight = std::ranges::all_of(
        stretch.step, [&](Direction direction) { return direction == forward; });
    const bool is_leap = stretch.step.size() == 2 && stretch.most == 1 && leg.leaves_passed;
    const bool is_slide = stretch.step.size() == 1 && stretch.most == 2 && leg.hop == Hop::None;
    if (!is_straight || !(is_leap || is_slide) || leg.captures) {
      if (leg.from != zones_.all()) return std::nullopt;
      others.push_back(leg);
      continue;
    }
    (is_leap ? steps.passing : steps.quiet) |= leg.from;
  }
  if (moves.onto != zones_.all() || (steps.passing & steps.quiet).any() ||
      ways_of(others, side != 0) != ways_of("fmWfceF"))
    return std::nullopt;
  return steps;
}

bool Translator::is_pawn_of_two_kinds(TypeIndex type, const Moves& white, const Moves& black) {
  const auto first = double_steps(white, 0);
  const auto second = double_steps(black, 1);
  if (!first || !second || slots_.contains("pawn") || double_step_) return false;
  of_two_kinds_ = true;
  double_step_ = true;
  take("pawn", type);
  needs("regions of double steps");
  say("doubleStepRegionWhite", region(first->passing | first->quiet));
  say("doubleStepRegionBlack", region(second->passing | second->quiet));
  const auto passed = [&](const SquareSet& from, int by) {
    SquareSet squares;
    for (int row = 0; row < zones_.rows(); ++row)
      for (int column = 0; column < zones_.columns(); ++column)
        if (from[zones_.at({.row = row, .column = column})] && row + by >= 0 &&
            row + by < zones_.rows())
          squares.set(zones_.at({.row = row + by, .column = column}));
    return squares;
  };
  say("enPassantRegionWhite", region(passed(second->passing, -1)));
  say("enPassantRegionBlack", region(passed(first->passing, 1)));
  return true;
}

void Translator::set_double_steps(TypeIndex type) {
  const auto& [white, black] = piece(type).sides;
  if (double_step_ && double_steps_from_ != white.initial)
    refuse("pieces." + piece(type).letter + ".initial", "all its pawns have the same");
  if (std::exchange(double_step_, true)) return;
  double_steps_from_ = white.initial;
  const int only = first_rank(white.initial, false);
  if (only == 0 || black.initial != rank(zones_.rows() + 1 - only))
    needs("regions of double steps");
  else
    say("doubleStepRank", std::to_string(only));
  say("doubleStepRegionWhite", region(white.initial));
  say("doubleStepRegionBlack", region(black.initial));
}

bool Translator::is_soldier(TypeIndex type, const Moves& moves) {
  if (slots_.contains("soldier") || ways_of(moves.legs) != ways_of("fsW")) return false;
  SquareSet sideways = zones_.all();
  for (const Leg& leg : moves.legs)
    if (leg.stretches[0].step[0] != Direction::N)
      sideways = leg.from;
    else if (leg.from != zones_.all())
      return false;
  const int first = first_rank(sideways, true);
  const PieceSide& black = piece(type).sides[1];
  if (first == 0 || std::ranges::any_of(black.legs, [&](const Leg& leg) {
        return leg.stretches[0].step[0] != Direction::S && leg.from != zones_.mirrored(sideways);
      }))
    return false;
  say("soldierPromotionRank", std::to_string(first));
  return true;
}

}  // namespace faultline::data
