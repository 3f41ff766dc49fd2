// Finds the rows of a metrics.jsonl without keeping them, and reads those that are wanted.
#include "web/run_rows.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/child_process.h"

namespace faultline::web {
namespace {

/// Far longer than any line of a run; what is longer is no row.
constexpr std::size_t kLongest = 1 << 16;
constexpr std::string_view kResumed = "\"resumed_at_step\"";

FileDescriptor opened(const std::filesystem::path& file) {
  return FileDescriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
}

/// What of `bytes` bytes at `offset` is there.
std::string text_at(const FileDescriptor& file, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::size_t read = 0;
  while (read < bytes) {
    const ssize_t got =
        ::pread(file.get(), text.data() + read, bytes - read, static_cast<off_t>(offset + read));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    read += static_cast<std::size_t>(got);
  }
  text.resize(read);
  return text;
}

struct Line {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;  // without its end
  bool resumed = false;   // it says where its session began
};

struct Lines {
  std::vector<Line> lines;  // complete, not empty
  std::uint64_t end = 0;    // of the last line's end
};

/// The lines between `begin`, where a line begins, and `end`.
Lines lines_of(const FileDescriptor& file, std::uint64_t begin, std::uint64_t end) {
  constexpr std::size_t kBlock = 1 << 20;
  Lines found{.lines = {}, .end = begin};
  for (std::uint64_t at = begin; at < end;) {
    const std::string block =
        text_at(file, at, static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, end - at)));
    const std::string_view text = block;
    for (std::size_t from = 0;;) {
      const std::size_t newline = text.find('\n', from);
      if (newline == std::string_view::npos) break;
      const std::uint64_t line_end = at + newline;
      const auto bytes = static_cast<std::size_t>(line_end - found.end);
      if (bytes > 0 && bytes < kLongest)
        found.lines.push_back({.offset = found.end, .bytes = bytes});
      found.end = line_end + 1;
      from = newline + 1;
    }
    for (std::size_t from = text.find(kResumed); from != std::string_view::npos;
         from = text.find(kResumed, from + kResumed.size())) {
      const auto after = std::ranges::upper_bound(found.lines, at + from, {}, &Line::offset);
      if (after != found.lines.begin()) std::prev(after)->resumed = true;
    }
    if (block.empty()) break;  // the file has been cut meanwhile
    at = found.end > at ? found.end : at + block.size();
  }
  return found;
}

/// The number after `key` in an object's text, with its quotes and colon; false if there is none.
bool number_after(std::string_view text, std::string_view key, double& value) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return false;
  const char* const begin = text.data() + at + key.size();
  return std::from_chars(begin, text.data() + text.size(), value).ec == std::errc();
}

double rounded(double value) {
  constexpr int kDigits = 6;
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

/// Makes a row of an object's numbers while they are read.
class RowReader final : public ReportJson::json_sax_t {
 public:
  ReportJson::object_t row;

  bool null() override { return next(); }
  bool boolean(bool) override { return next(); }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override { return number(value); }
  bool number_float(number_float_t value, const string_t&) override {
    return number(rounded(value));
  }
  bool string(string_t&) override { return next(); }
  bool binary(binary_t&) override { return next(); }
  bool start_object(std::size_t) override { return begin(-1); }
  bool key(string_t& name) override {
    path_.resize(levels_.back().prefix);
    path_ += name;
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override {
    if (levels_.empty()) return false;
    begin(0);
    name_element();
    return true;
  }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  struct Level {
    std::size_t prefix;  // of the path, with the dot
    int element;         // the next one of an array; -1: an object
  };

  template <class Value>
  bool number(Value value) {
    if (levels_.empty()) return false;
    row.emplace_back(path_, value);
    return next();
  }
  bool begin(int element) {
    if (!path_.empty()) path_ += '.';
    levels_.push_back({.prefix = path_.size(), .element = element});
    return true;
  }
  bool end() {
    path_.resize(levels_.back().prefix == 0 ? 0 : levels_.back().prefix - 1);
    levels_.pop_back();
    return levels_.empty() || next();
  }
  void name_element() {
    path_.resize(levels_.back().prefix);
    path_ += std::to_string(levels_.back().element);
  }
  /// After a value.
  bool next() {
    if (levels_.empty()) return false;  // a text, a number
    if (levels_.back().element < 0) return true;
    ++levels_.back().element;
    name_element();
    return true;
  }

  std::string path_;
  std::vector<Level> levels_;
};

ReportJson row_of(const std::string& line) {
  RowReader reader;
  ReportJson row = ReportJson::object();
  if (ReportJson::sax_parse(line, &reader))
    row.get_ref<ReportJson::object_t&>() = std::move(reader.row);
  return row;
}

}  // namespace

ReportJson last_row(const std::filesystem::path& metrics) {
  const FileDescriptor file = opened(metrics);
  struct stat found {};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) return ReportJson::object();
  const auto size = static_cast<std::uint64_t>(found.st_size);
  const std::uint64_t begin = size - std::min<std::uint64_t>(size, kLongest);
  std::string text = text_at(file, begin, static_cast<std::size_t>(size - begin));
  text.resize(text.rfind('\n') + 1);  // to 0 without one
  if (text.empty()) return ReportJson::object();
  text.pop_back();
  return row_of(text.substr(text.rfind('\n') + 1));
}

void RunRows::begin_again() {
  if (!rows_.empty()) ++edition_;
  rows_.clear();
  last_.clear();
  read_ = 0;
  step_ = 1;
  replaced_ = false;
}

void RunRows::update() {
  const FileDescriptor file = opened(file_);
  struct stat found {};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) return begin_again();
  const auto size = static_cast<std::uint64_t>(found.st_size);
  const bool same = found.st_ino == inode_ && size >= read_ &&
                    (size == read_ || last_.empty() ||
                     text_at(file, read_ - last_.size() - 1, last_.size()) == last_);
  if (!same || rows_.size() > 2 * kMost) begin_again();
  inode_ = found.st_ino;
  if (size == read_) return;
  const bool first = read_ == 0;
  const Lines found_lines = lines_of(file, read_, size);
  const std::vector<Line>& lines = found_lines.lines;
  if (lines.empty()) return;
  while (first && lines.size() / step_ > kMost)
    step_ *= 2;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const bool is_last = i + 1 == lines.size();
    if (first && i % step_ != 0 && !is_last && !line.resumed) continue;
    std::string text = text_at(file, line.offset, line.bytes);
    add(text, line.offset);
    if (is_last) last_ = std::move(text);
  }
  read_ = found_lines.end;
}

void RunRows::add(const std::string& line, std::uint64_t offset) {
  if (line.empty() || line.front() != '{' || line.back() != '}') return;
  Row row{.offset = offset, .bytes = static_cast<std::uint32_t>(line.size())};
  number_after(line, "\"steps\":", row.steps);
  number_after(line, "\"seconds\":", row.seconds);
  double resumed_at = row.steps;
  number_after(line, "\"resumed_at_step\":", resumed_at);
  const auto is_replaced = [&](const Row& before) {
    return before.steps > resumed_at ||
           (before.steps == resumed_at && before.seconds > row.seconds);
  };
  if (!rows_.empty() && is_replaced(rows_.back())) {
    ++edition_;
    replaced_ = true;
  }
  while (!rows_.empty() && is_replaced(rows_.back()))
    rows_.pop_back();
  rows_.push_back(row);
}

std::vector<ReportJson> RunRows::read(std::size_t from) const {
  std::vector<ReportJson> read;
  const FileDescriptor file = opened(file_);
  for (std::size_t i = from; i < rows_.size(); ++i) {
    const std::string line = text_at(file, rows_[i].offset, rows_[i].bytes);
    if (line.size() != rows_[i].bytes) break;
    read.push_back(row_of(line));
  }
  return read;
}

}  // namespace faultline::web
