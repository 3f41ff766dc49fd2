// The lab's page, page/assets/lab.html, as text.
#pragma once

#include <string_view>

namespace faultline::web {

extern const std::string_view kLabPage;

}  // namespace faultline::web
