// Promotions, hands and drops of a game's file, in the words of Fairy-Stockfish.
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

void Translator::promotions() {
  TypeSet promoting = 0;
  BySide<const Promotion*> rule{};
  for (std::size_t t = 0; t < game_.pieces.size(); ++t)
    for (int side = 0; side < 2; ++side) {
      const auto type = static_cast<TypeIndex>(t);
      const std::string key = "pieces." + piece(type).letter + ".promotes";
      const auto& promotions = piece(type).sides[at(side)].promotions;
      if (promotions.empty() || (better_ >> t & 1U) != 0) continue;
      const Promotion& one = promotions[0];
      promoting |= TypeSet{1} << t;
      for (const TypeIndex to : one.to)
        if (piece(to).letter.size() > 1 && game_.hands && game_.hands->becomes[to] != type)
          refuse(key, "what has been a pawn is one again in the hand");
      if (promotions.size() > 1) refuse(key, "a side of its pawns has one zone");
      if (one.leaving) refuse(key + ".leaving", "its pawns promote where they arrive");
      const Promotion*& other = rule[at(side)];
      if (other != nullptr && (other->on != one.on || other->must != one.must ||
                               other->to != one.to || other->stock != one.stock))
        refuse(key, "all its pawns promote alike");
      other = &one;
    }
  if (promoting != 0 && better_ != 0)
    refuse("pieces", "either pawns promote to other pieces, or each piece to its own");
  if (better_ != 0) {
    better_pieces();
    return;
  }
  if (promoting == 0) {
    if (slots_.contains("pawn")) say("promotionPieceTypes", std::string("-"));
    return;
  }
  if (letters(promoting) != letter_of("pawn")) needs("promotions of other pieces");
  say("promotionPawnTypes", letters(promoting));
  const auto& [white, black] = rule;
  std::array<std::string, 2> to;
  for (int side = 0; side < 2; ++side)
    if (rule[at(side)] != nullptr)
      for (const TypeIndex type : rule[at(side)]->to)
        if (!rule[at(side)]->stock ||
            count(type, static_cast<Colour>(side)) > 0)  // it has 0 as no limit
          to[at(side)] += letter(type);
  if (white != nullptr && black != nullptr && to[0] == to[1]) {
    say("promotionPieceTypes", to[0]);
  } else {
    needs("promotions that differ between the sides");
    for (int side = 0; side < 2; ++side)
      say(side == 0 ? "promotionPieceTypesWhite" : "promotionPieceTypesBlack",
          to[at(side)].empty() ? "-" : to[at(side)]);
  }
  const Promotion& one = white != nullptr ? *white : *black;
  const SquareSet on = white != nullptr ? one.on : zones_.mirrored(one.on);
  // Where they must promote on one rank, they never get to the next one.
  if (const int first =
          std::max(first_rank(on, true), one.must == one.on ? first_rank(on, false) : 0);
      first != 0 && (black == nullptr || black->on == zones_.mirrored(on)))
    say("promotionRank", std::to_string(first));
  else
    needs("regions of promotion");
  say("promotionRegionWhite", region(white != nullptr ? white->on : SquareSet{}));
  say("promotionRegionBlack", region(black != nullptr ? black->on : SquareSet{}));
  promoting_on_ = on;
  const SquareSet must = white != nullptr ? one.must : zones_.mirrored(one.must);
  const std::string key =
      "pieces." + piece(static_cast<TypeIndex>(std::countr_zero(promoting))).letter + ".promotes";
  if (white != nullptr && black != nullptr &&
      (zones_.mirrored(must) != black->must || black->stock != white->stock))
    refuse(key, "White's and Black's pawns promote alike");
  say("mandatoryPawnPromotion", must == on);
  if (must != on && must.any()) {
    if (must == rank(zones_.rows()))
      immobility_ = true;
    else
      refuse(key + ".must", "its pawns must promote everywhere, nowhere or on the last rank");
  }
  if (one.stock) say_limits(one, key);
}

SquareSet Translator::stuck(TypeIndex type) const {
  SquareSet squares;
  for (int row = 0; row < zones_.rows(); ++row)
    for (int column = 0; column < zones_.columns(); ++column)
      if (std::ranges::none_of(piece(type).sides[0].legs, [&](const Leg& leg) {
            Zones::Place to{.row = row, .column = column};
            for (const Direction direction : leg.stretches[0].step) {
              to.column += kSteps[at(index(direction))][0];
              to.row += kSteps[at(index(direction))][1];
            }
            return leg.moves && to.row >= 0 && to.row < zones_.rows() && to.column >= 0 &&
                   to.column < zones_.columns();
          }))
        squares.set(zones_.at({.row = row, .column = column}));
  return squares;
}

void Translator::better_pieces() {
  const Promotion* first = nullptr;
  bool all_must = true;    // wherever they can
  bool some_must = false;  // also where they are not stuck
  for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
    if ((better_ >> t & 1U) == 0) continue;
    const auto& [white, black] = game_.pieces[t].sides;
    const Promotion& one = white.promotions[0];
    const std::string key = "pieces." + game_.pieces[t].letter + ".promotes";
    if (first == nullptr) first = &one;
    if (one.on != first->on || !one.leaving || one.stock ||
        black.promotions[0].on != zones_.mirrored(one.on) ||
        black.promotions[0].must != zones_.mirrored(one.must))
      refuse(key, "all pieces promote in one zone, also leaving it");
    const bool where_stuck = one.must == stuck(static_cast<TypeIndex>(t));
    if (one.must != one.on && !where_stuck)
      refuse(key + ".must", "its pieces must promote where they are stuck, or always");
    all_must = all_must && one.must == one.on;
    some_must = some_must || !where_stuck;
  }
  if (some_must && !all_must) refuse("pieces", "all pieces must promote, or none");
  if (const int rank = first_rank(first->on, true); rank != 0)
    say("promotionRank", std::to_string(rank));
  else
    needs("regions of promotion");
  say("promotionRegionWhite", region(first->on));
  say("promotionRegionBlack", region(zones_.mirrored(first->on)));
  say("mandatoryPiecePromotion", all_must);
}

void Translator::hands() {
  const bool has_hands = game_.hands.has_value();
  say("pieceDrops", has_hands);
  if (has_hands) drops(*game_.hands);
  check_immobility();
  say("immobilityIllegal", immobility_);
}

void Translator::drops(const Hands& hands) {
  bool to_hand = false;
  std::string once_a_file;
  for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
    const auto type = static_cast<TypeIndex>(t);
    const PieceType& one = piece(type);
    if (hands.becomes[t] != kNoType) to_hand = true;
    if (one.letter.size() > 1 || type == king_) continue;
    const std::string key = "hands." + one.letter;
    if (hands.becomes[t] != type && hands.becomes[t] != kNoType)
      refuse("hands.as", "its pieces are the same in the hand");
    const Hands::Drop& drop = hands.drops[t];
    const bool is_pawn = letter(type) == letter_of("pawn");
    const bool is_shogi_pawn = letter(type) == letter_of("shogiPawn");
    const auto region = onto_.find(type);
    const SquareSet onto = (region == onto_.end() ? zones_.all() : region->second) & ~stuck(type);
    SquareSet dropped = drop.onto[0];
    if (is_pawn) {
      const bool on_first = (dropped & rank(1)).any();
      const bool where_they_promote = (dropped & promoting_on_).any();
      say("firstRankPawnDrops", on_first);
      say("promotionZonePawnDrops", where_they_promote);
      if (!on_first) dropped |= onto & rank(1);
      if (!where_they_promote) dropped |= onto & promoting_on_;
    }
    const bool is_kept_away = is_pawn && (drop.onto[0] & promoting_on_).none();
    immobility_ = immobility_ || (stuck(type).any() && !is_kept_away);
    if (dropped != onto || drop.onto[1] != zones_.mirrored(drop.onto[0]))
      refuse(key + ".onto",
             "its pieces are dropped wherever they can move from and to, pawns perhaps not on the "
             "first rank or where they promote");
    if (drop.a_file != kNoLimit && is_shogi_pawn) {
      once_a_file = letter(type);
      if (drop.a_file > 1) {
        say("dropNoDoubledCount", std::to_string(drop.a_file));
        needs("several shogi pawns a file");
      }
    } else if (drop.a_file != kNoLimit)
      refuse(key + ".a_file", "only shogi's pawn has so many a file");
    if (is_shogi_pawn) say("shogiPawnDropMateIllegal", !drop.mate);
    if (!is_shogi_pawn && !drop.mate) refuse(key + ".mate", "only shogi's pawn has it");
  }
  say("capturesToHand", to_hand);
  say("shogiDoubledPawn", once_a_file.empty());
  if (!once_a_file.empty()) say("dropNoDoubled", once_a_file);
}

std::string Translator::letter_of(std::string_view slot) const {
  const auto found = slots_.find(slot);
  return found == slots_.end() ? "" : found->second;
}

void Translator::check_immobility() {
  for (std::size_t t = 0; immobility_ && t < game_.pieces.size(); ++t) {
    SquareSet must;
    for (const Promotion& promotion : game_.pieces[t].sides[0].promotions)
      must |= promotion.must;
    const auto type = static_cast<TypeIndex>(t);
    const SquareSet squares = stuck(type);
    if ((squares & ~must).any() || (must.any() && must != squares && !is_at_once(type)))
      refuse("pieces." + piece(type).letter,
             "where its pieces would be stuck they may not go, or must promote, all or none");
  }
}

bool Translator::is_at_once(TypeIndex type) const {
  const auto& promotions = piece(type).sides[0].promotions;
  return std::ranges::all_of(promotions, [](const Promotion& one) { return one.must == one.on; });
}

void Translator::say_limits(const Promotion& promotion, const std::string& key) {
  std::string limits;
  for (const TypeIndex type : promotion.to) {
    if (count(type, Colour::White) != count(type, Colour::Black))
      refuse(key + ".stock", "its limits are the same for both sides");
    if (count(type, Colour::White) == 0) continue;
    limits += (limits.empty() ? "" : " ") + letter(type) + ":" +
              std::to_string(count(type, Colour::White));
  }
  if (limits.empty()) refuse(key + ".stock", "there is always something to promote to");
  say("promotionLimit", limits);
}

}  // namespace faultline::data
