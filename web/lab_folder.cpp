// Refuses paths that lead out of the lab's folder.
#include "web/lab_folder.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/quote.h"
#include "web/request.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

LabFolder::LabFolder(const fs::path& root) : root_(fs::canonical(root)) {
  if (!fs::is_directory(root_))
    throw fs::filesystem_error("the lab needs a folder", root_,
                               std::make_error_code(std::errc::not_a_directory));
}

fs::path LabFolder::possible(const std::string& text, const char* field) const {
  const auto refuse = [&](const std::string& reason) {
    throw RequestError(fmt::format("{}: {}", quote(text, 200), reason), field);
  };
  const fs::path given(text);
  if (text.find('\0') != std::string::npos) refuse("is no path");
  if (given.is_absolute()) refuse("must be relative to the lab's folder");
  if (std::ranges::find(given, fs::path("..")) != given.end())
    refuse("must not lead out of the lab's folder");
  std::error_code error;
  fs::path path = fs::weakly_canonical(root_ / given, error);
  if (error) refuse("cannot be looked up: " + error.message());
  path = path.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // of "a/"
  if (!is_within(path, root_)) refuse("leads out of the lab's folder");
  if (path == root_) refuse("must name something in the lab's folder");
  return path;
}

fs::path LabFolder::existing(const std::string& text, const char* field) const {
  if (text.empty() || text == "." || text == "./") return root_;
  fs::path path = possible(text, field);
  std::error_code error;
  if (!fs::exists(path, error))
    throw RequestError(quote(text, 200) + ": there is no such file or folder", field);
  return path;
}

std::string LabFolder::name_of(const fs::path& path) const {
  const fs::path name = path.lexically_relative(root_);
  return name == "." ? "" : name.generic_string();
}

}  // namespace faultline::web
