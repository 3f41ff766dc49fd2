// The folder through which a learner and its actors speak.
#include "cluster/post.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/atomic_file.h"

namespace faultline {

namespace fs = std::filesystem;

Post find_post(const fs::path& folder) {
  std::error_code ignored;
  const bool is_post =
      fs::exists(folder / "run.json", ignored) && fs::exists(folder / "epochs", ignored);
  return {is_post ? folder : folder / "post"};
}

void replace_file(const fs::path& file, std::string_view text) {
  const fs::path temporary = temporary_of(file);
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  std::error_code error;
  if (!out) error = std::error_code(errno, std::generic_category());
  if (!error) fs::rename(temporary, file, error);
  if (error) throw std::system_error(error, file.string() + ": cannot be written");
}

namespace {

constexpr std::uintmax_t kLargestText = 1 << 24;

std::string small_file(const fs::path& file) {
  std::error_code error;
  if (fs::file_size(file, error) > kLargestText || error) return {};
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

std::optional<nlohmann::json> read_object(const fs::path& file) {
  auto json = nlohmann::json::parse(small_file(file), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::string read_word(const fs::path& file) {
  std::string text = small_file(file);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.pop_back();
  return text;
}

std::vector<fs::path> names_in(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().ends_with(ending)) found.push_back(entry->path());
  // As texts: paths are compared word by word.
  std::ranges::sort(found, {},
                    [](const fs::path& file) -> const std::string& { return file.native(); });
  return found;
}

namespace {

constexpr std::uint64_t kMostNumbers = 1 << 16;
constexpr std::uint64_t kHighestNumber = std::uint64_t{1} << 48;

}  // namespace

std::string range_name(const NumberRange& range) {
  std::string name = fmt::format("{:012}-{:012}", range.next, range.end);
  if (range.net != NetworkIdentity{})
    name += fmt::format("-{}-{:016x}", range.net.steps, range.net.hash);
  return name + ".range";
}

std::optional<NumberRange> range_of(const fs::path& file) {
  const std::string name = file.filename().string();
  NumberRange range;
  const char* const last = name.data() + name.size();
  const char* at = name.data();
  /// Reads a number and moves to what follows it.
  const auto read = [&](auto& number, int base) {
    const auto [end, error] = std::from_chars(at, last, number, base);
    at = end;
    return error == std::errc{};
  };
  const auto read_next = [&](auto& number, int base = 10) {
    return at != last && *at++ == '-' && read(number, base);
  };
  if (!read(range.next, 10) || !read_next(range.end)) return std::nullopt;
  if (std::string_view(at, last) != ".range" &&
      !(read_next(range.net.steps) && read_next(range.net.hash, 16)))
    return std::nullopt;
  if (std::string_view(at, last) != ".range" || range.end <= range.next ||
      range.end - range.next > kMostNumbers || range.end > kHighestNumber ||
      range_name(range) != name)
    return std::nullopt;
  return range;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace faultline
