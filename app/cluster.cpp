// `faultline cluster`: looks after the actors of a run.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/print_document.h"
#include "cluster/cluster_status.h"

namespace faultline {
namespace {

struct ClusterOptions {
  std::string run;
  bool json = false;
};

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
  status->add_flag("--json", options->json, "print one JSON object");
  status->callback([options] {
    reporting_input_errors(
        [&] { print(cluster_document(find_post(options->run)), options->json); });
  });
  const auto add_request = [&](const char* name, const char* help, const std::string& what) {
    add(name, help)->callback([options, what] {
      reporting_input_errors([&] { ask_of_cluster(find_post(options->run), what); });
    });
  };
  add_request("drain", "actors finish their games and end; the learner goes on", "drain");
  add_request("resume", "new actors may play again, after 'drain'", "");
  add_request("stop", "the learner saves and ends, and so do all actors", "stop");
  command->footer(
      "Examples:\n"
      "  faultline cluster status /shared/mine\n"
      "  faultline cluster status /shared/mine --json | jq .notices\n"
      "  faultline cluster stop /shared/mine");
}

}  // namespace faultline
