// `faultline cluster`: looks after the actors of a run.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

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
                ? cluster_document(hear_report(nats_place_of(options->run, options->nats)),
                                   options->run)
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
