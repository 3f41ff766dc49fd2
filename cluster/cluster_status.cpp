// What a person asks of a cluster, and what it shows.
#include "cluster/cluster_status.h"

#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/text.h"
#include "record/run_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

nlohmann::json require_report(const Post& post) {
  auto report = read_object(post.learner());
  if (!report)
    throw RunError(post.folder.string() +
                   ": no learner has served here; 'faultline train CONFIG --serve' is one");
  return *std::move(report);
}

/// Whether the learner's beat goes on; its newest report is left in `report`.
bool is_alive(const Post& post, const PostSettings& settings, nlohmann::json& report) {
  const nlohmann::json before = report;
  for (auto waited = std::chrono::milliseconds(0); waited < 3 * settings.beat;
       waited += settings.tick) {
    if (report.value("state", nlohmann::json()) != "serving") return false;
    std::this_thread::sleep_for(settings.tick);
    report = require_report(post);
    if (report.value("beat", nlohmann::json()) != before.value("beat", nlohmann::json()))
      return true;
  }
  return false;
}

struct Backlog {
  std::uint64_t parts = 0;
  std::uint64_t bytes = 0;
};

Backlog backlog_of(const Post& post) {
  Backlog backlog;
  std::error_code error;
  for (const fs::path& actor : names_in(post.actors()))
    for (const fs::path& part : names_in(actor, ".part")) {
      ++backlog.parts;
      if (const auto bytes = fs::file_size(part, error); !error) backlog.bytes += bytes;
    }
  return backlog;
}

Cell whole(std::uint64_t value) {
  return count_cell(static_cast<std::int64_t>(value));
}

/// A row for each actor; what is wrong with any is added to `notices`.
Table actor_table(const nlohmann::json& report, std::vector<std::string>& notices) {
  using Kind = Column::Kind;
  Table table{{{"actor", Kind::Code},
               {"state", Kind::Text},
               {"threads", Kind::Number},
               {"games", Kind::Number},
               {"per second", Kind::Number},
               {"searched again", Kind::Number},
               {"net's steps", Kind::Number},
               {"parts to take", Kind::Number},
               {"last seen, s", Kind::Number}}};
  for (const auto& actor : json_field<nlohmann::json>(report, "actors", "learner.json")) {
    const auto field = [&]<class T>(const char* key, T) {
      return json_field<T>(actor, key, "learner.json");
    };
    const auto name = field("name", std::string());
    const auto state = field("state", std::string());
    table.rows.push_back({{.text = name},
                          {.text = state},
                          count_cell(field("threads", std::int64_t{})),
                          count_cell(field("games", std::int64_t{})),
                          number_cell(field("games_per_second", double{}), 1),
                          count_cell(field("searched_again", std::int64_t{})),
                          count_cell(field("net_steps", std::int64_t{})),
                          count_cell(field("waiting_parts", std::int64_t{})),
                          number_cell(field("unchanged_seconds", double{}), 0)});
    if (const auto why = field("message", std::string()); !why.empty())
      notices.push_back(
          fmt::format("{} {}: {}", name, state == "shut out" ? "is shut out" : "waits", why));
    if (state == "silent") notices.push_back(name + " is silent; its games are given to others");
  }
  return table;
}

/// `post`: nullptr if the learner's folder is not seen from here.
Document document_of(const nlohmann::json& report, bool alive, const std::string& place,
                     const Post* post) {
  const auto field = [&]<class T>(const char* key, T) { return json_field<T>(report, key, place); };
  Document document{.kind = "cluster", .title = "Cluster of " + place};
  try {
    const auto state = field("state", std::string());
    const std::string learner =
        fmt::format("{} on {}, process {}",
                    alive                ? "serves"
                    : state == "serving" ? "is not seen"
                                         : "has " + state,
                    field("host", std::string()), field("pid", std::int64_t{}));
    if (!alive && state == "serving")
      document.notices.push_back(
          "the learner is not seen: actors play their numbers out and wait; 'faultline train --run "
          "RUN --resume --serve' goes on");
    Table actors = actor_table(report, document.notices);
    Facts facts{
        {"learner", {.text = learner}},
        {"epoch", whole(field("epoch", std::uint64_t{})), "learners that have served"},
        {"actors", whole(actors.rows.size())},
        {"games", whole(field("games", std::uint64_t{})), "from actors, in this session"},
        {"dropped", whole(field("dropped", std::uint64_t{})), "games that were there already"},
        {"to learn", whole(field("waiting_games", std::uint64_t{})), "games that arrived"}};
    if (post != nullptr) {
      const Backlog backlog = backlog_of(*post);
      const std::uint64_t aside = names_in(post->aside(), ".txt").size();
      if (const auto asked = read_word(post->asked()); !asked.empty())
        document.notices.push_back("the actors are asked to " + asked);
      if (aside > 0)
        document.notices.push_back(fmt::format("{} set aside in {}, each with its reason",
                                               counted(aside, "part"), post->aside().string()));
      facts.push_back({"to take", whole(backlog.parts),
                       "parts, " + bytes_text(static_cast<double>(backlog.bytes))});
      facts.push_back({"ranges on offer", whole(names_in(post->numbers(), ".range").size())});
      facts.push_back({"set aside", whole(aside), "parts that could not be taken"});
    }
    document.sections.push_back({.title = "Figures", .content = std::move(facts)});
    document.sections.push_back({.title = "Actors", .content = std::move(actors)});
  } catch (const std::runtime_error& error) {
    throw RunError(error.what());
  }
  return document;
}

}  // namespace

Document cluster_document(const Post& post, const PostSettings& settings) {
  nlohmann::json report = require_report(post);
  const bool alive = is_alive(post, settings, report);
  return cluster_document(post, report, alive);
}

Document cluster_document(const Post& post, const nlohmann::json& report, bool alive) {
  return document_of(report, alive, post.folder.string(), &post);
}

Document cluster_document(const nlohmann::json& report, const std::string& place) {
  return document_of(report, report.value("state", nlohmann::json()) == "serving", place, nullptr);
}

void ask_of_cluster(const Post& post, const std::string& what) {
  require_report(post);
  std::error_code error;
  if (what.empty())
    fs::remove(post.asked(), error);
  else
    replace_file(post.asked(), what + "\n");
}

}  // namespace faultline
