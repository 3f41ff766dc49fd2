// A game's file with the files that it is based on.
#include "rules/data/merged_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/toml_text.h"
#include "base/unreadable_file.h"
#include "rules/data/older_keys.h"

namespace faultline::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNone = "none";
/// What a file says about itself and not about the games that are based on it.
constexpr std::array<std::string_view, 8> kOwn = {"format", "name",   "title",   "inventor",
                                                  "year",   "source", "summary", "base"};

bool is_own_key(std::string_view key) {
  return std::ranges::find(kOwn, key) != kOwn.end();
}

/// A name that leads to no other folder.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

class Merger {
 public:
  Merger(const GameFolders& folders, Findings& findings, MergedFile& merged)
      : folders_(folders), findings_(findings), merged_(merged) {}

  void add(std::string_view text, const std::string& source, bool is_main) {
    TomlValue root;
    try {
      root = parse_toml_tree(text, source);
    } catch (const TomlTextError& error) {
      report_syntax(error.what(), text, source);
      merged_.complete = false;
      return;
    }
    if (is_main) merged_.root.file = root.file;
    const TomlValue* format = root.find("format");
    if (format == nullptr)
      findings_.error_in(source, 1, "has no format; its first line is: format = 1");
    else if (format->kind != TomlValue::Kind::Whole || format->whole != 1)
      findings_.error(*format, "format is " + format->shown() +
                                   ", but this program reads format 1: format = 1");
    open_.push_back(source);
    add_bases(root, fs::path(source).parent_path());
    open_.pop_back();
    short_forms(root);
    read_older_keys(root, findings_);
    for (TomlValue& item : root.items) {
      if (is_own_key(item.key)) {
        if (is_main && item.key != "base") merged_.root.set(std::move(item));
        continue;
      }
      merge(merged_.root, std::move(item), "");
    }
  }

 private:
  void report_syntax(const std::string& message, std::string_view text, const std::string& source) {
    // "SOURCE:LINE: …", or "SOURCE: …".
    std::string rest = message.substr(std::min(message.size(), source.size() + 1));
    int line = 0;
    std::size_t at = 0;
    for (; at < rest.size() && rest[at] >= '0' && rest[at] <= '9' && at < 8; ++at)
      line = line * 10 + (rest[at] - '0');
    rest = rest.substr(std::min(rest.size(), rest.find_first_not_of(": ", at)));
    findings_.error_in(source, line, rest + twice_defined(text, line, rest));
  }

  /// "; K is defined twice, lines 7 and 12: …" where that is the mistake.
  static std::string twice_defined(std::string_view text, int line, const std::string& message) {
    if (message.find("redefine") == std::string::npos) return "";
    std::string key;
    std::string table;
    int first = 0;
    std::vector<std::pair<std::string, int>> defined;
    int number = 0;
    while (!text.empty()) {
      ++number;
      std::string_view row = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(row.size() + 1, text.size()));
      while (!row.empty() && (row.front() == ' ' || row.front() == '\t'))
        row.remove_prefix(1);
      std::string name;
      if (row.starts_with('[') && !row.starts_with("[[")) {
        table = std::string(row.substr(1, row.find(']') - 1));
        name = table;
      } else if (const std::size_t equals = row.find('=');
                 equals != std::string_view::npos && !row.starts_with('#')) {
        std::string_view word = row.substr(0, equals);
        while (!word.empty() && word.back() == ' ')
          word.remove_suffix(1);
        name = (table.empty() ? "" : table + ".") + std::string(word);
      }
      if (name.empty()) continue;
      if (number == line) {
        key = name;
        for (const auto& [other, at] : defined)
          if (other == name) first = at;
        break;
      }
      defined.emplace_back(name, number);
    }
    if (first == 0) return "";
    return "; " + printable(key, 40) + " is defined twice, in lines " + std::to_string(first) +
           " and " + std::to_string(line) + ": put them together";
  }

  void add_bases(const TomlValue& root, const fs::path& folder) {
    const TomlValue* base = root.find("base");
    if (base == nullptr) return;
    std::vector<const TomlValue*> names;
    if (base->is_list())
      for (const TomlValue& item : base->items)
        names.push_back(&item);
    else
      names.push_back(base);
    for (const TomlValue* name : names) {
      if (!name->is_text()) {
        incomplete(*base, "base is " + base->shown() +
                              ", but must be the name of another game, or a list of names: "
                              "base = \"chess\"");
        return;
      }
      add_base(*name, folder);
    }
  }

  void incomplete(const TomlValue& base, const std::string& why) {
    findings_.error(base, why);
    merged_.complete = false;
  }

  void add_base(const TomlValue& name, const fs::path& folder) {
    if (!is_plain_name(name.text)) {
      incomplete(name, "base is " + quote(name.text) +
                           ", but must be a game's name, without folder and .toml: base = "
                           "\"chess\"");
      return;
    }
    std::vector<fs::path> places = {folder};
    places.insert(places.end(), folders_.begin(), folders_.end());
    std::vector<std::string> known;
    for (const fs::path& place : places) {
      const fs::path file = place / (name.text + ".toml");
      std::error_code error;
      if (fs::is_regular_file(file, error)) {
        add_file(name, file);
        return;
      }
      for (fs::directory_iterator it(place.empty() ? "." : place, error), end;
           !error && it != end && known.size() < 1000; it.increment(error))
        if (it->path().extension() == ".toml") known.push_back(it->path().stem().string());
    }
    std::string looked;
    for (const fs::path& place : places)
      looked += (looked.empty() ? "" : ", ") + (place.empty() ? "." : place.string());
    incomplete(name, "base " + quote(name.text) + ": there is no " + name.text + ".toml in " +
                         looked + did_you_mean(nearest_name(name.text, known)));
  }

  void add_file(const TomlValue& name, const fs::path& file) {
    const std::string source = file.string();
    if (std::ranges::find(open_, source) != open_.end()) {
      incomplete(name, "base " + quote(name.text) + ": these files are based on each other");
      return;
    }
    if (std::ranges::find(done_, source) != done_.end()) return;
    constexpr std::size_t kMostBases = 50;
    if (done_.size() >= kMostBases) {
      incomplete(name, "a game is based on at most 50 files");
      return;
    }
    done_.push_back(source);
    if (const auto why = why_unreadable(file)) {
      incomplete(name, "base " + quote(name.text) + ": " + *why);
      return;
    }
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    add(text, source, false);
  }

  /// A piece's text or list is short for a table with `moves`.
  static void short_forms(TomlValue& root) {
    TomlValue* pieces = root.find("pieces");
    if (pieces == nullptr || !pieces->is_table()) return;
    for (TomlValue& piece : pieces->items) {
      const bool is_short = (piece.is_text() && piece.text != kNone) || piece.is_list();
      if (!is_short) continue;
      TomlValue table;
      table.key = piece.key;
      table.file = piece.file;
      table.line = piece.line;
      TomlValue moves = std::move(piece);
      moves.key = "moves";
      table.set(std::move(moves));
      piece = std::move(table);
    }
  }

  /// Shapes of a board exclude each other: a file's own replaces its bases'.
  static void replace_shape(TomlValue& board, const TomlValue& update) {
    const bool rows = update.find("rows") != nullptr;
    const bool rectangle = update.find("files") != nullptr || update.find("ranks") != nullptr;
    if (rows && !rectangle) {
      board.erase("files");
      board.erase("ranks");
    } else if (rectangle && !rows) {
      board.erase("rows");
    }
  }

  void merge(TomlValue& table, TomlValue item, const std::string& path) {
    const std::string name = (path.empty() ? "" : path + ".") + item.key;
    if (item.is_text() && item.text == kNone) {
      const bool existed = table.find(item.key) != nullptr;
      if (!existed)
        findings_.warning(item, name +
                                    " = \"none\" removes nothing: there is no such key in the "
                                    "files it is based on");
      table.erase(item.key);
      merged_.removed.push_back({name, std::move(item)});
      return;
    }
    std::erase_if(merged_.removed,
                  [&](const MergedFile::Removal& removal) { return removal.path == name; });
    TomlValue* old = table.find(item.key);
    if (old == nullptr) {
      if (!item.is_table()) {
        table.set(std::move(item));
        return;
      }
      TomlValue empty;
      empty.key = item.key;
      empty.file = item.file;
      empty.line = item.line;
      old = &table.set(std::move(empty));
    }
    if (!item.is_table() || !old->is_table()) {
      table.set(std::move(item));
      return;
    }
    if (name == "board") replace_shape(*old, item);
    old->file = item.file;  // messages name the last file that says something about it
    old->line = item.line;
    for (TomlValue& inner : item.items)
      merge(*old, std::move(inner), name);
  }

  const GameFolders& folders_;
  Findings& findings_;
  MergedFile& merged_;
  std::vector<std::string> open_;
  std::vector<std::string> done_;
};

}  // namespace

MergedFile::Culprit MergedFile::culprit(const TomlValue& value, const TomlValue& table) {
  const bool same = !table.file || (value.file && *value.file == *table.file);
  return {same ? value : table, same ? "" : " (from " + value.place() + ")"};
}

const TomlValue* MergedFile::own_shape() const {
  const TomlValue* board = root.find("board");
  if (board == nullptr) return nullptr;
  for (const char* key : {"rows", "files", "ranks"})
    if (const TomlValue* shape = board->find(key); shape != nullptr && is_own(*shape)) return shape;
  return nullptr;
}

const MergedFile::Removal* MergedFile::find_removal(std::string_view path) const {
  const auto found = std::ranges::find(removed, path, &Removal::path);
  return found == removed.end() ? nullptr : &*found;
}

MergedFile merge_files(std::string_view text, const std::string& source, const GameFolders& folders,
                       Findings& findings) {
  MergedFile merged;
  merged.source = source;
  Merger(folders, findings, merged).add(text, source, true);
  return merged;
}

}  // namespace faultline::data
