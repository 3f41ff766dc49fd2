// What pieces do, in sentences.
#include "rules/data/move_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "rules/data/words.h"

namespace faultline::data {
namespace {

bool is_diagonal(Direction way) {
  return index(way) % 2 == 1;
}

bool is_step(const Stretch& stretch) {
  return stretch.step.size() == 1;
}

/// "forward", "sideways", "diagonally forward", … for what the first steps of legs do.
std::string directions_text(const std::vector<Leg>& legs) {
  std::array<bool, kDirections> has{};
  for (const Leg& leg : legs)
    has[at(index(leg.stretches[0].step[0]))] = true;
  const auto in = [&](Direction d) { return has[at(index(d))]; };
  using enum Direction;
  const bool all_straight = in(N) && in(E) && in(S) && in(W);
  const bool all_diagonal = in(NE) && in(SE) && in(SW) && in(NW);
  if (all_straight && all_diagonal) return "in any direction";
  std::vector<std::string> words;
  if (all_straight) {
    words.emplace_back("along ranks and files");
  } else {
    if (in(N)) words.emplace_back("forward");
    if (in(S)) words.emplace_back("backward");
    if (in(E) && in(W)) words.emplace_back("sideways");
    if (in(W) && !in(E)) words.emplace_back("to the left");
    if (in(E) && !in(W)) words.emplace_back("to the right");
  }
  const auto pair = [&](Direction left, Direction right, const std::string& word) {
    if (in(left) || in(right))
      words.push_back("diagonally " + word +
                      (!in(right)  ? " to the left"
                       : !in(left) ? " to the right"
                                   : ""));
  };
  if (all_diagonal) {
    words.emplace_back("diagonally");
  } else {
    pair(NW, NE, "forward");
    pair(SW, SE, "backward");
  }
  return joined(words);
}

std::string leap_text(const std::vector<Leg>& legs) {
  const std::vector<Direction>& leap = legs[0].stretches[0].step;
  const auto far = static_cast<int>(leap.size());
  const auto wide = static_cast<int>(std::ranges::count_if(leap, is_diagonal));
  if (wide == 0 || wide == far)
    return "leaps " + count_word(far) + " squares " + directions_text(legs);
  constexpr std::array<std::pair<std::array<int, 2>, std::string_view>, 4> kNames = {
      {{{2, 1}, "a knight"}, {{3, 1}, "a camel"}, {{3, 2}, "a zebra"}, {{4, 1}, "a giraffe"}}};
  std::string text = "leaps " + std::to_string(wide) + " by " + std::to_string(far) + " squares";
  for (const auto& [numbers, name] : kNames)
    if (numbers[0] == far && numbers[1] == wide) text = "leaps like " + std::string(name);
  constexpr std::size_t kAllWays = 8;
  if (legs.size() == kAllWays) return text;
  constexpr std::array<std::string_view, kDirections> kWays = {
      "forward",  "forward right", "right", "backward right",
      "backward", "backward left", "left",  "forward left"};
  std::vector<std::string> ways;
  for (const Leg& leg : legs) {
    const Direction longer = leg.stretches[0].step[0];
    const int side = turned(longer, 1) == leg.stretches[0].step.back() ? 2 : -2;
    ways.push_back("far " + std::string(kWays[at(index(longer))]) + " and " +
                   std::string(kWays[at(index(turned(longer, side)))]));
  }
  return text + ", only " + joined(ways);
}

/// What the first stretches do.
std::string stretch_text(const std::vector<Leg>& legs) {
  const Stretch& first = legs[0].stretches[0];
  const std::string most = first.most == kNoLimit ? "" : "up to " + count_word(first.most) + " ";
  if (!is_step(first))
    return leap_text(legs) + (first.most == 1 ? "" : ", again and again in one direction") +
           (first.most == 1 || most.empty() ? "" : " " + most + "times");
  if (first.most == 1) return "steps one square " + directions_text(legs);
  return "slides " + (most.empty() ? "" : most + "squares ") + directions_text(legs);
}

/// How bent riders go on.
std::string bends_text(const std::vector<Leg>& legs) {
  const auto length = [](const Leg& leg) { return leg.stretches.size(); };
  const Leg& longest = *std::ranges::max_element(legs, {}, length);
  std::string text;
  for (std::size_t i = 1; i < longest.stretches.size(); ++i) {
    const Stretch& stretch = longest.stretches[i];
    const bool may_end = std::ranges::find(legs, i, length) != legs.end();
    text += may_end ? ", and may then " : ", and must then ";
    if (!is_step(stretch))
      text += "leap " + count_word(static_cast<int>(stretch.step.size())) + " squares ";
    else
      text += stretch.most == 1 ? "step one square " : "slide ";
    if (is_step(stretch) && stretch.most > 1)
      text += "up to " + count_word(stretch.most) + " squares ";
    text += is_diagonal(stretch.step[0]) ? "diagonally " : "along a rank or file ";
    const Direction before = longest.stretches[i - 1].step.back();
    const bool outwards = stretch.step[0] == before || stretch.step[0] == turned(before, 1) ||
                          stretch.step[0] == turned(before, -1);
    text += outwards ? "outwards" : "to a side";
  }
  return text;
}

}  // namespace

std::string move_sentence(const std::vector<Leg>& legs) {
  const Leg& leg = legs[0];
  std::string text = leg.initial ? "from its initial squares " : "";
  text += stretch_text(legs) + bends_text(legs);
  if (leg.hop == Hop::Cannon) text += " over exactly one piece";
  if (leg.hop == Hop::Grasshopper) text += " over exactly one piece, onto the square behind it";
  if (leg.lame) text += ", not over pieces";
  if (!leg.captures) text += ", without taking";
  if (!leg.moves) text += ", only to take";
  if (leg.en_passant) text += ", also en passant";
  return text;
}

}  // namespace faultline::data
