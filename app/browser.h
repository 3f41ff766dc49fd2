// The user's browser.
#pragma once

#include <filesystem>
#include <string>

namespace faultline {

/// Shows `url` in the browser that xdg-open starts, if there is a display; false if there is none,
/// or no xdg-open. The URL may hold a secret, and others can read the arguments of programs: the
/// browser is sent there by `file`, which nobody else may read and which is written for that.
bool show_in_browser(const std::string& url, const std::filesystem::path& file);

}  // namespace faultline
