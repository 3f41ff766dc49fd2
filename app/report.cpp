// `faultline report`: a run, a tournament, a study, a survey or games as a page for browsers.
#include "report/report.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/whole_number.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/text.h"

namespace faultline {
namespace report_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder;
  std::string out;
  std::string title;
  int games = static_cast<int>(ReportOptions().games);
  bool json = false;
};

void check_output(const std::string& out) {
  std::error_code ignored;
  if (fs::is_directory(out, ignored))
    throw UsageError(out + ": is a folder; -o takes a file, as in -o report.html");
  if (fs::exists(out, ignored) && !fs::is_regular_file(out, ignored))
    throw UsageError(out + ": is not a regular file; -o takes a file, as in -o report.html");
  const fs::path parent = fs::path(out).parent_path();
  if (!parent.empty() && !fs::is_directory(parent, ignored))
    throw UsageError(out + ": there is no folder " + parent.string());
}

/// The file that is written without -o: NAME.html, or NAME.json, in the current folder. Only a page
/// that this command wrote before is replaced there.
std::string default_output(const std::string& name, bool json) {
  std::string out = name + (json ? ".json" : ".html");
  std::error_code ignored;
  if (fs::exists(out, ignored) && (json || !is_report_page(out)))
    throw UsageError(out + ": exists and is not a report's page; give another file with -o");
  return out;
}

void write_report(Options options) {
  try {
    const fs::path folder = find_report_folder(options.folder);
    if (options.out.empty()) options.out = default_output(report_name(folder), options.json);
    check_output(options.out);
    std::error_code ignored;
    if (fs::equivalent(folder, options.out, ignored))
      throw UsageError(options.out + ": is the input; -o takes another file");
    const fs::path within = fs::absolute(options.out).lexically_normal().parent_path();
    if (fs::exists(options.out, ignored) && fs::path(options.out).extension() != ".html" &&
        fs::is_directory(folder, ignored) && fs::equivalent(within, folder, ignored))
      throw UsageError(options.out +
                       ": is a file of the folder that the report is made of; -o replaces only "
                       "files that end in .html there");
    ReportJson report = report_json(folder, {.games = static_cast<std::size_t>(options.games)});
    if (!options.title.empty()) report["title"] = options.title;
    const std::string text =
        options.json ? json_text(report, -1, true) + "\n" : report_page(report);
    for (const auto& notice : report.at("notices"))
      fmt::print(stderr, "faultline report: {}\n", notice.get<std::string>());
    write_file_atomically(options.out, text);
    fmt::print("{}: {} kB\n", options.out, grouped((text.size() + 999) / 1000));
  } catch (const ReportError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace
}  // namespace report_command

void add_report(CLI::App& app) {
  using namespace report_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report",
                                         "write a run, a tournament, a study, a survey or games as "
                                         "a page with curves, tables and boards");
  command
      ->add_option(
          "FOLDER", options->folder,
          "a run's, a tournament's, a study's or a survey's folder, or one of yardsticks; runs/, "
          "tournaments/, studies/ or surveys/ may be omitted; or a file of games (PGN)")
      ->required();
  command
      ->add_option("-o,--out", options->out,
                   "the page; an existing file is replaced (default: NAME.html in the current "
                   "folder, where NAME is the folder's or the file's)")
      ->type_name("FILE.html");
  command
      ->add_option(
          "--games", options->games,
          "show at most this many games: the newest, longest and shortest ones, the greatest "
          "turnaround, one of each way to end")
      ->capture_default_str()
      ->transform(whole_number(0, 200));
  command->add_option(
      "--title", options->title,
      "the page's title, instead of the folder's name, the study's own title, or the games' event");
  command->add_flag("--json", options->json, "write the page's data as JSON instead");
  command->footer(
      "One file that needs nothing else, neither a server nor the network: mail it, or put it on\n"
      "any web page. Of a run it shows the curves of its losses, results and speeds, its strength\n"
      "if 'faultline strength' has measured it, how games begin and end, how long they are, and\n"
      "what was set; of a tournament the ratings with intervals and all pairings; of a study all\n"
      "comparisons, and what each side did, by ply; of a survey its figures with intervals, "
      "variants\n"
      "side by side; of a file of games, as match --pgn writes them, the players' results, and "
      "all\n"
      "games, or a choice of more than --games. Games can be stepped through on their boards, "
      "with\n"
      "the buttons, the arrow keys, Home and End.\n\n"
      "A run may still be in progress, and may lack metrics or games: the report then says so.\n"
      "docs/reports.md describes the page and its data.\n\n"
      "Examples:\n"
      "  faultline report quickstart\n"
      "  faultline report runs/gardner -o gardner.html --games 20\n"
      "  faultline report tournaments/a -o a.html\n"
      "  faultline report escher-unchanged-board -o escher.html\n"
      "  faultline report surveys/levels -o levels.html\n"
      "  faultline report games.pgn -o games.html --games 20");
  command->callback([options] { reporting_input_errors([&] { write_report(*options); }); });
}

}  // namespace faultline
