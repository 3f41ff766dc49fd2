// Games of runs, experiments and files, page by page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "report/report_json.h"
#include "web/game_filter.h"
#include "web/lab_folder.h"

namespace faultline::web {

/// Thread-safe. Of a run only the headers of its games are read, once, and those games that are
/// shown; a filter looks at the newest ones.
class GamePages {
 public:
  explicit GamePages(const LabFolder& lab) : lab_(&lab) {}

  /// The request `gamesOf`. Games of runs come the newest first, others in their files' order.
  /// `searched`: how many games a filter has looked at, if not all; `total`: those of them that
  /// passed.
  ReportJson page(const ReportJson& request);
  /// The request `wall`; the newest game first. Of a run that goes on its games in progress come
  /// before, by their numbers, with `live`; the one called `large` has what its searches preferred.
  ReportJson wall(const ReportJson& request);

 private:
  struct Chunk {
    std::filesystem::path file;
    std::uintmax_t bytes = 0;
    std::size_t games = 0;
  };
  struct Segment {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  struct GamesFile {
    std::filesystem::path file;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type changed = {};
    std::vector<Segment> games = {};
  };
  using Chunks = std::vector<Chunk>;

  std::shared_ptr<const Chunks> chunks_of(const std::filesystem::path& run, const Game& rules);
  std::shared_ptr<const GamesFile> games_of(const std::filesystem::path& file);
  ReportJson page_of_run(const std::filesystem::path& run, std::size_t from, std::size_t count,
                         GameFilter& filter);
  ReportJson page_of_files(const std::vector<std::filesystem::path>& files, std::size_t from,
                           std::size_t count, GameFilter& filter);
  ReportJson wall_of_run(const std::filesystem::path& run, std::size_t count,
                         const std::string& large);
  ReportJson wall_of_files(const std::vector<std::filesystem::path>& files, std::size_t count);
  static std::vector<Segment> segments_of(const std::filesystem::path& file);

  const LabFolder* lab_;
  std::mutex mutex_;  // guards the two
  std::map<std::filesystem::path, std::shared_ptr<const Chunks>> runs_;
  std::map<std::filesystem::path, std::shared_ptr<const GamesFile>> files_;
};

}  // namespace faultline::web
