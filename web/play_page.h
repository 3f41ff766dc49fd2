// The page that plays without a server, page/assets/play.html, as text.
#pragma once

#include <string_view>

namespace faultline::web {

/// HTML with /*INSIDE*/ and /*MODULE*/ where its data (page/src/play/inside.ts) and the script that
/// loads the program go.
extern const std::string_view kPlayPage;

}  // namespace faultline::web
