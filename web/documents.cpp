// Keeps reports until what they are made of changes.
#include "web/documents.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

#include <xxhash.h>

#include "report/report.h"
#include "web/request.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

/// So many reports are kept.
constexpr std::size_t kMostKept = 8;

/// Of the names, sizes and times of a file, or of all files in a folder.
std::uint64_t stamp_of(const fs::path& path) {
  std::uint64_t stamp = 0;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
    const std::string text =
        file.string() + '\n' + std::to_string(size) + '\n' + std::to_string(changed);
    stamp += XXH3_64bits(text.data(), text.size());  // in any order
  };
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    add(path);
    return stamp;
  }
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    add(entry->path());
  return stamp;
}

}  // namespace

ReportJson Documents::document(const fs::path& path) {
  std::shared_ptr<Place> place;
  {
    const std::lock_guard lock(mutex_);
    auto& known = places_[path];
    if (!known) known = std::make_shared<Place>();
    place = known;
    while (places_.size() > kMostKept)
      places_.erase(
          std::ranges::find_if(places_, [&](const auto& one) { return one.first != path; }));
  }
  const std::lock_guard making(place->making);
  Made& made = place->made;
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t stamp = stamp_of(path);
  if (made.document && (made.stamp == stamp || begin - made.when < 10 * made.cost))
    return *made.document;
  try {
    made.document = std::make_shared<const ReportJson>(report_json(path, ReportOptions()));
  } catch (const std::runtime_error& error) {
    throw RequestError(error.what(), "path");
  }
  made.stamp = stamp;
  made.when = std::chrono::steady_clock::now();
  made.cost = made.when - begin;
  return *made.document;
}

}  // namespace faultline::web
