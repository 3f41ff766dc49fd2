// Properties that must hold when any text is read as a message of a page.
#pragma once

#include <string_view>
#include <vector>

namespace faultline::fuzz {

/// Reads `text` with read_message. What is wrong with it must be said in few printable characters;
/// what is accepted must have an id and a name, and fields that read back as themselves. Throws
/// BrokenProperty (tests/fuzz/texts.h) if not.
void check_message(std::string_view text);

/// Seed inputs: messages of each kind, and some that are wrong.
std::vector<std::string_view> sample_messages();

}  // namespace faultline::fuzz
