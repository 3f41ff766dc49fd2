// The tags of game texts and their words.
#include "play/game_tags.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace faultline {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

constexpr std::array<std::pair<Termination, std::string_view>, 7> kTerminations = {
    {{Termination::Normal, "normal"},
     {Termination::Resigned, "resignation"},  // the standard's "normal" includes it
     {Termination::Adjudicated, "adjudication"},
     {Termination::Cut, "ply limit"},
     {Termination::Forfeit, "rules infraction"},
     {Termination::TimeForfeit, "time forfeit"},
     {Termination::Unfinished, "unterminated"}}};

/// Words of other programs, as parts of their texts.
constexpr std::array<std::pair<std::string_view, Termination>, 9> kElsewhere = {
    {{"resign", Termination::Resigned},
     {"time", Termination::TimeForfeit},
     {"adjudicat", Termination::Adjudicated},
     {"abandon", Termination::Forfeit},
     {"illegal", Termination::Forfeit},
     {"infraction", Termination::Forfeit},
     {"stalled", Termination::Forfeit},
     {"crash", Termination::Forfeit},
     {"disconnect", Termination::Forfeit}}};

}  // namespace

bool is_own_tag(std::string_view name) {
  constexpr std::array<std::string_view, 9> kFields = {"White",       "Black",  "Result",
                                                       "Variant",     "SetUp",  "FEN",
                                                       "Termination", "Reason", "OpeningPlies"};
  return std::ranges::find(kFields, name) != kFields.end() ||
         std::ranges::any_of(kRosterTags, [&](const auto& tag) { return tag.first == name; });
}

std::string_view termination_text(Termination termination) {
  return kTerminations.at(static_cast<std::size_t>(termination)).second;
}

Termination parse_termination(std::string_view text, GameResult result) {
  const std::string lower = lower_case(text);
  for (const auto& [termination, word] : kTerminations)
    if (lower == word) return termination;
  if (result == GameResult::None) return Termination::Unfinished;
  for (const auto& [part, termination] : kElsewhere)
    if (lower.find(part) != std::string::npos) return termination;
  return Termination::Normal;
}

std::string variant_from_tag(std::string_view value) {
  const std::string lower = lower_case(value);
  for (const std::string_view chess : {"standard", "normal", "regular", "classical", "orthodox",
                                       "chess", "from position", "?", ""})
    if (lower == chess) return std::string(kPlainVariant);
  if (lower == "gardner minichess" || lower == "gardner") return "gardner";
  return std::string(value);
}

}  // namespace faultline
