// Looks for runs, experiments, files of games, networks and game files.
#include "web/folder_entries.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/checkpoint.h"
#include "record/run_folder.h"
#include "web/run_rows.h"
#include "web/run_status.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

constexpr int kDepth = 4;
constexpr std::size_t kMostEntries = 2000;
constexpr std::size_t kMostSeen = 50'000;  // files and folders

/// Kinds of folders by the file that makes one. A run's is apart.
constexpr std::array<std::pair<const char*, const char*>, 4> kExperiments = {
    {{"tournament.json", "tournament"},
     {"study.json", "study"},
     {"survey.json", "survey"},
     {"yardsticks.json", "yardsticks"}}};

/// Whether it is a run's, rather than a folder with a configuration of something else.
bool is_run(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / "state.json", ignored)) return true;
  for (const char* beside : {"lock", "nets", "games", "metrics.jsonl"})
    if (fs::exists(folder / "config.toml", ignored) && fs::exists(folder / beside, ignored))
      return true;
  return fs::exists(folder / kStartName, ignored) && fs::exists(folder / kLogName, ignored);
}

double changed_at(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return 0;
  const auto system = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::seconds>(system).count());
}

/// Of the newest of these files of a folder.
double changed_at(const fs::path& folder, std::initializer_list<const char*> files) {
  double newest = 0;
  for (const char* file : files)
    newest = std::max(newest, changed_at(folder / file));
  return newest > 0 ? newest : changed_at(folder);
}

std::string text_of(const fs::path& file, std::size_t most) {
  std::ifstream in(file, std::ios::binary);
  std::string text(most, '\0');
  in.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// "12.5 MiB"; "" for what is no file.
std::string size_text(const fs::path& file) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  return error ? "" : bytes_text(static_cast<double>(bytes));
}

class Listing {
 public:
  Listing(const LabFolder& lab, RunControl& control) : lab_(&lab), control_(&control) {}

  void add_folder(const fs::path& folder, int depth) {
    if (const std::string kind = kind_of(folder); !kind.empty()) return add(folder, kind);
    if (depth == 0) return;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (++seen_ > kMostSeen || entries_.size() >= kMostEntries) return;
      const std::string name = entry->path().filename().string();
      std::error_code ignored;
      if (name.starts_with('.')) continue;
      if (entry->is_directory(ignored)) {
        if (!entry->is_symlink(ignored) && name != "node_modules")
          add_folder(entry->path(), depth - 1);
      } else if (const std::string kind = kind_of(entry->path());
                 !kind.empty() && is_inside(*entry)) {
        add(entry->path(), kind);
      }
    }
  }

  ReportJson take() {
    std::ranges::stable_sort(entries_, std::ranges::greater(), [](const ReportJson& entry) {
      return std::pair(entry.at("running").get<bool>(), entry.at("changed").get<double>());
    });
    ReportJson all = ReportJson::array();
    for (ReportJson& entry : entries_)
      all.push_back(std::move(entry));
    return all;
  }

 private:
  /// Links may lead out of the folder.
  bool is_inside(const fs::directory_entry& entry) const {
    std::error_code ignored;
    if (!entry.is_symlink(ignored)) return true;
    const fs::path there = fs::weakly_canonical(entry.path(), ignored);
    return !lab_->name_of(there).starts_with("..");
  }

  void add(const fs::path& path, const std::string& kind) {
    ReportJson entry = {{"path", lab_->name_of(path)},
                        {"kind", kind},
                        {"title", path.filename().string()},
                        {"state", ""},
                        {"changed", 0.0},
                        {"running", false}};
    if (kind == "run") {
      const RunStatus status =
          run_status(path, last_row(path / "metrics.jsonl"), locks_, *control_);
      entry["state"] = status.state;
      entry["running"] = status.running;
      entry["changed"] = changed_at(path, {"metrics.jsonl", "state.json", kLogName});
    } else if (fs::is_directory(path)) {
      const bool running = locks_.holder(path / "lock").has_value();
      entry["state"] = running ? "running" : "";
      entry["running"] = running;
      entry["changed"] = changed_at(path, {"games.pgn", "results.json"});
      if (kind == "study") entry["title"] = study_title(path, entry["title"]);
    } else {
      if (kind != "game") entry["state"] = size_text(path);
      if (kind == "net") add_game(entry, path);
      entry["changed"] = changed_at(path);
    }
    entries_.push_back(std::move(entry));
  }

  /// The game that a network was trained for, if the file says so.
  static void add_game(ReportJson& entry, const fs::path& net) {
    try {
      entry["game"] = read_checkpoint_info(net).encoding.variant;
    } catch (const CheckpointError&) {
      return;  // any file may be called so
    }
  }

  static std::string study_title(const fs::path& folder, const std::string& otherwise) {
    constexpr std::size_t kEnough = 1 << 20;
    const auto json = ReportJson::parse(text_of(folder / "study.json", kEnough), nullptr, false);
    const auto title = json.is_object() ? json.find("title") : json.end();
    return title != json.end() && title->is_string() ? title->get<std::string>() : otherwise;
  }

  const LabFolder* lab_;
  RunControl* control_;
  HeldLocks locks_;
  std::vector<ReportJson> entries_;
  std::size_t seen_ = 0;
};

}  // namespace

bool is_game_file(const fs::path& file) {
  constexpr std::size_t kEnough = 1 << 16;
  if (file.extension() != ".toml") return false;
  std::istringstream text(text_of(file, kEnough));
  for (std::string line; std::getline(text, line);) {
    const std::string_view word =
        std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (word.starts_with("format") || word.starts_with("[board") || word.starts_with("[[board") ||
        word.starts_with("[pieces") || word.starts_with("[start"))
      return true;
  }
  return false;
}

std::string kind_of(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    for (const auto& [file, kind] : kExperiments)
      if (fs::exists(path / file, ignored)) return kind;
    return is_run(path) ? "run" : "";
  }
  const fs::path extension = path.extension();
  if (extension == ".pgn" || extension == ".PGN") return "games";
  if (extension == ".pt") return "net";
  return is_game_file(path) ? "game" : "";
}

ReportJson folder_entries(const LabFolder& lab, const fs::path& folder, RunControl& control) {
  Listing listing(lab, control);
  listing.add_folder(folder, kDepth);
  return listing.take();
}

}  // namespace faultline::web
