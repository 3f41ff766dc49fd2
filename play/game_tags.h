// The tags that the game text writes itself, and their words (docs/game_format.md).
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "play/game_text.h"

namespace faultline {

/// The value of a tag that must be present but is unknown.
inline constexpr std::string_view kUnknownTag = "?";
/// The seven tag roster's first four, and what stands for an unknown value.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kRosterTags = {
    {{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}}};
/// The variant that is written without a Variant tag, as everywhere.
inline constexpr std::string_view kPlainVariant = "chess";

/// Whether TextGame has a field for the tag, or it is one of the roster.
bool is_own_tag(std::string_view name);

/// The value of the Termination tag: one of the standard's words, where it has one.
std::string_view termination_text(Termination termination);
/// Reads it, and other programs' words; `result` decides where they say nothing.
Termination parse_termination(std::string_view text, GameResult result);

/// The variant that a Variant tag names: other programs' names of chess and gardner become ours.
std::string variant_from_tag(std::string_view value);

}  // namespace faultline
