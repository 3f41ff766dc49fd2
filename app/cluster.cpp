// `faultline cluster`: looks after the actors of a run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <variant>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/nats_options.h"
#include "app/print_document.h"
#include "cluster/cluster_status.h"
#include "cluster/over_nats.h"
#include "record/run_folder.h"

namespace faultline {
namespace {

struct ClusterOptions {
  std::string run;
  NatsOptions nats;
  bool json = false;
};

/// A folder that is removed with what is in it.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "faultline-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw RunError(name + ": cannot be created");
    path_ = name;
  }
  ~PassingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What the learner's report says; its folder is not seen from here.
Document document_over_nats(const NatsPlace& place) {
  const PassingFolder folder;
  const Post post{folder.path()};
  hear_report(place, post);
  std::thread next([&] {
    try {
      hear_report(place, post);
    } catch (const RunError&) {  // which the document says
    }
  });
  Document document = cluster_document(post);
  next.join();
  document.title = "Cluster of " + place.url();
  std::erase_if(std::get<Facts>(document.sections.front().content), [](const Fact& fact) {
    return fact.name == "to take" || fact.name == "ranges on offer" || fact.name == "set aside";
  });
  return document;
}

/// The post of the folder. Throws UsageError for a URL.
Post post_of(const ClusterOptions& options) {
  if (is_nats_url(options.run))
    throw UsageError(
        options.run +
        ": whoever reports may not command: give the run's folder, on the learner's machine");
  return find_post(options.run);
}

}  // namespace

void add_cluster(CLI::App& app) {
  auto options = std::make_shared<ClusterOptions>();
  CLI::App* command = app.add_subcommand(
      "cluster", "look after a run's actors in other processes: status, drain, resume, stop");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* help) {
    CLI::App* sub = command->add_subcommand(name, help);
    sub->add_option("run", options->run, "the run's folder")->required()->type_name("RUN");
    return sub;
  };
  CLI::App* status =
      add("status", "actors, rates, networks, what waits to be taken, what is wrong");
  status->get_option("run")->description("the run's folder, or the URL at which it is served");
  add_nats_options(*status, options->nats);
  status->add_flag("--json", options->json, "print one JSON object");
  status->callback([options] {
    reporting_input_errors([&] {
      print(is_nats_url(options->run)
                ? document_over_nats(nats_place_of(options->run, options->nats))
                : cluster_document(find_post(options->run)),
            options->json);
    });
  });
  const auto add_request = [&](const char* name, const char* help, const std::string& what) {
    add(name, help)->callback([options, what] {
      reporting_input_errors([&] { ask_of_cluster(post_of(*options), what); });
    });
  };
  add_request("drain", "actors finish their games and end; the learner goes on", "drain");
  add_request("resume", "new actors may play again, after 'drain'", "");
  add_request("stop", "the learner saves and ends, and so do all actors", "stop");
  command->footer(
      "Examples:\n"
      "  faultline cluster status /shared/mine\n"
      "  faultline cluster status /shared/mine --json | jq .notices\n"
      "  faultline cluster status nats://far:4222/mine\n"
      "  faultline cluster stop /shared/mine");
}

}  // namespace faultline
