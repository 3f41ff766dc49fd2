// A page's message as text: what it asks for, and the text of the answer (page/src/lab/desk.ts).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "web/request.h"

namespace faultline::web {

/// How deep a message may be nested, and how many keys it may have in all: looking for a key takes
/// time in proportion to those before it.
inline constexpr int kDeepestMessage = 32;
inline constexpr std::size_t kMostKeys = 4096;

/// {"id":7,"do":"position",…}.
struct Message {
  ReportJson id = nullptr;  // an integer; null if the message has none
  std::string name = {};    // of the request
  ReportJson fields = ReportJson::object();
  std::string wrong = {};  // "": nothing; otherwise what is to be answered
  std::string field = {};  // that is wrong
};

/// Any text, also one that is no message. Does not throw.
Message read_message(std::string_view text);

std::string reply_text(const ReportJson& id, ReportJson reply);
std::string error_text(const ReportJson& id, const std::string& message, const std::string& field);

}  // namespace faultline::web
