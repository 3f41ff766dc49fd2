// The UCI protocol, from the client's side.
#include "engine/uci_client.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <exception>
#include <stdexcept>
#include <system_error>

#include "base/machine_shortage.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/stop_signals.h"
#include "search/searcher.h"

namespace faultline {

namespace {

using namespace std::chrono_literals;

/// How often a search looks at `UciLimits::stop`, and all other waiting at StopSignals.
constexpr auto kStopInterval = 20ms;
/// How long an engine may take to obey `stop` when the program itself is to stop.
constexpr std::chrono::milliseconds kStopPatience = 1s;
/// How long a process that has closed its output, or was killed, may take to end.
constexpr auto kEndPatience = 1s;
constexpr std::size_t kShown = 80;  // of an engine's text in a message
constexpr std::string_view kVariantOption = "UCI_Variant";
constexpr std::string_view kFilePrefix = "data:";
constexpr std::string_view kWdlOption = "UCI_ShowWDL";

std::string seconds_text(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) {
    const std::string thousandths = std::to_string(time.count() % 1000);
    text += '.' + std::string(3 - thousandths.size(), '0') + thousandths;
  }
  return text + " s";
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// "bestmove" of "bestmove e2e4 ponder e7e5"; `rest` is what follows the spaces.
std::string_view first_word(std::string_view line, std::string_view* rest = nullptr) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  if (rest != nullptr) {
    *rest = line.substr(end);
    rest->remove_prefix(std::min(rest->find_first_not_of(" \t"), rest->size()));
  }
  return line.substr(0, end);
}

std::unique_ptr<ChildProcess> start(const UciEngineSpec& spec) {
  std::vector<std::string> words = split_command(spec.command);
  const std::string program = find_program(words.front());
  if (program.empty())
    throw UciSpecError("there is no program " + quote(words.front(), kShown) +
                       (words.front().find('/') == std::string::npos
                            ? " in the folders of PATH or in /usr/games"
                            : ""));
  words.front() = program;
  try {
    return std::make_unique<ChildProcess>(words);
  } catch (const std::system_error& error) {
    const std::string failure =
        "the engine " + quote(program, kShown) + " could not be started: " + error.code().message();
    const std::string advice = shortage_advice(error.code());
    if (!advice.empty()) throw MachineShortage(failure + "; " + advice);
    throw UciSpecError(failure);
  }
}

/// Whether the values are variant names such as ours, "slanted:board=mini". Such an engine knows
/// more sets of options than it can list: it is asked for any of a family that is among them.
bool lists_option_sets(const UciOption& option, std::string_view variant) {
  const std::string_view family = variant.substr(0, variant.find(':'));
  return family.size() < variant.size() &&
         std::ranges::find(option.values, family) != option.values.end() &&
         std::ranges::any_of(option.values, [](const std::string& value) {
           return value.find(':') != std::string::npos;
         });
}

std::string go_command(const UciLimits& limits) {
  std::string command = "go";
  if (limits.nodes > 0) command += " nodes " + std::to_string(limits.nodes);
  if (limits.depth > 0) command += " depth " + std::to_string(limits.depth);
  if (limits.movetime) command += " movetime " + std::to_string(limits.movetime->count());
  if (command == "go") command += " infinite";
  if (!limits.search_moves.empty()) command += " searchmoves";  // the last one: it takes the rest
  for (const std::string& move : limits.search_moves)
    command += ' ' + move;
  return command;
}

}  // namespace

UciClient::UciClient(const UciEngineSpec& spec, std::string_view variant)
    : timeout_(spec.timeout), longest_search_(spec.longest_search), process_(start(spec)) {
  const std::string program = split_command(spec.command).front();
  name_ = program.substr(program.rfind('/') + 1);
  handshake();
  set_options(spec);
  const std::string* const named = spec.variant_name();
  if (named == nullptr)
    choose_variant(variant);
  else
    choose_named_variant(variant, *named);
  wait_until_ready();
}

UciClient::~UciClient() {
  // An engine that does not take it, or whose pipe cannot be written to, finds its input closed.
  try {
    if (process_) process_->write("quit\n", Clock::now() + 100ms);
  } catch (const std::exception&) {
    return;
  }
}

void UciClient::handshake() {
  send("uci");
  const Clock::time_point deadline = after_timeout();
  for (;;) {
    const std::string line =
        read(deadline, "did not answer 'uci' by 'uciok' within " + seconds_text(timeout_));
    std::string_view rest;
    const std::string_view word = first_word(line, &rest);
    if (word == "uciok") return;
    if (word == "id") {
      std::string_view name;
      if (first_word(rest, &name) == "name" && !name.empty()) name_ = printable(name, kShown);
    } else if (auto option = parse_uci_option(line)) {
      options_.push_back(*std::move(option));
    }
  }
}

const UciOption* UciClient::find_option(std::string_view name) const {
  auto found = std::ranges::find(options_, name, &UciOption::name);
  if (found == options_.end())
    found = std::ranges::find_if(
        options_, [&](const UciOption& option) { return equals_ignoring_case(option.name, name); });
  return found == options_.end() ? nullptr : &*found;
}

void UciClient::set_option(const UciOption& option, std::string_view value) {
  std::string command = "setoption name " + option.name;
  if (option.type != UciOption::Type::Button) command += " value " + std::string(value);
  send(command);
}

void UciClient::set_options(const UciEngineSpec& spec) {
  bool chooses_wdl = false;
  for (const auto& [name, value] : spec.options) {
    if (name == kVariantOption) continue;  // the last one to be set
    if (equals_ignoring_case(name, kVariantOption))
      throw UciSpecError(name_ + ": " + quote(name) + " is spelled " + quote(kVariantOption));
    const UciOption* const option = find_option(name);
    if (option == nullptr) {
      std::vector<std::string> known = {"nodes", "depth", "movetime", "timeout"};
      for (const UciOption& one : options_)
        known.push_back(one.name);
      throw UciSpecError(name_ + " has no option " + quote(name, kShown) +
                         did_you_mean(nearest_name(name, known)));
    }
    const std::string allowed = why_refused(*option, value);
    if (!allowed.empty())
      throw UciSpecError(name_ + ": " + option->name + "=" + printable(value, kShown) +
                         ": expected " + printable(allowed, 1000));
    set_option(*option, value);
    chooses_wdl = chooses_wdl || option->name == kWdlOption;
  }
  // Better evaluations at no cost.
  const UciOption* const wdl = find_option(kWdlOption);
  if (wdl != nullptr && wdl->type == UciOption::Type::Check && !chooses_wdl)
    set_option(*wdl, "true");
}

void UciClient::choose_variant(std::string_view variant) {
  const UciOption* const option = find_option(kVariantOption);
  if (option == nullptr) {
    if (variant != "chess")
      throw UciSpecError(name_ + " cannot play " + quote(variant, kShown) +
                         ": it has no option UCI_Variant, so it plays chess only");
    return;
  }
  const std::string allowed = why_refused(*option, variant);
  if (!allowed.empty() && !lists_option_sets(*option, variant))
    throw UciSpecError(name_ + " cannot play " + quote(variant, kShown) +
                       ": its UCI_Variant takes " + printable(allowed, 2000));
  set_option(*option, variant);
}

void UciClient::choose_named_variant(std::string_view variant, std::string_view name) {
  if (!variant.starts_with(kFilePrefix))
    throw UciSpecError(name_ + ": " + quote(kVariantOption) +
                       " is set to the variant that is played; it can be named for games of files");
  options_.clear();  // an engine may have read more variants from a file that an option names
  handshake();
  choose_variant(name);
}

void UciClient::new_game() {
  send("ucinewgame");
  wait_until_ready();
}

UciAnswer UciClient::search(const std::string& position, const UciLimits& limits) {
  send("position " + position);
  wait_until_ready();  // what it still had to say about earlier searches is skipped
  const std::string go = go_command(limits);
  send(go);

  const Clock::time_point begin = Clock::now();
  const bool is_infinite = limits.nodes == 0 && limits.depth == 0 && !limits.movetime;
  const std::chrono::milliseconds allowance = limits.movetime.value_or(0ms) + timeout_;
  Clock::time_point deadline = is_infinite ? Clock::time_point::max() : begin + allowance;
  const auto did_not_move = [&](std::chrono::milliseconds time) {
    return "did not move within " + seconds_text(time) + " of '" + printable(go, kShown) + "'";
  };
  std::string late = limits.movetime
                         ? did_not_move(allowance)
                         : "reported neither a move nor progress for " + seconds_text(timeout_) +
                               " after '" + printable(go, kShown) + "'";
  bool stopped = false;
  UciAnswer answer;
  std::string line;
  for (;;) {
    if (!stopped && limits.stop != nullptr && limits.stop->load()) {
      stopped = true;
      send("stop");
      const auto patience = StopSignals::requested() ? std::min(timeout_, kStopPatience) : timeout_;
      deadline = Clock::now() + patience;
      late = "ignored 'stop' for " + seconds_text(patience);
    }
    const bool looks_up = limits.stop != nullptr && !stopped;
    const auto wait = looks_up ? std::min(deadline, Clock::now() + kStopInterval) : deadline;
    const ChildProcess::Status status = process_->read_line(line, wait);
    if (status == ChildProcess::Status::Ended) fail_at_end();
    if (status == ChildProcess::Status::TimedOut) {
      if (Clock::now() >= deadline) fail(late);
      continue;
    }
    std::string_view rest;
    if (first_word(line, &rest) == "bestmove") {
      answer.move = first_word(rest);
      return answer;
    }
    const std::uint64_t nodes = answer.info.nodes;
    if (!read_uci_info(line, answer.info) || answer.info.nodes <= nodes) continue;
    if (is_infinite || limits.movetime || stopped) continue;
    const Clock::time_point next = after_timeout(), last = begin + longest_search_;
    deadline = std::min(next, last);
    if (last < next) late = did_not_move(longest_search_);
  }
}

void UciClient::send(const std::string& line) {
  assert(process_);
  switch (process_->write(line + '\n', after_timeout())) {
    case ChildProcess::Status::Ok:
      return;
    case ChildProcess::Status::TimedOut:
      fail("did not read '" + printable(line, kShown) + "' within " + seconds_text(timeout_));
    case ChildProcess::Status::Ended:
      fail_at_end();
  }
}

void UciClient::wait_until_ready() {
  send("isready");
  const Clock::time_point deadline = after_timeout();
  while (first_word(read(deadline, "did not answer 'isready' by 'readyok' within " +
                                       seconds_text(timeout_))) != "readyok") {
  }
}

std::string UciClient::read(Clock::time_point deadline, const std::string& expected) {
  std::string line;
  for (;;) {
    const ChildProcess::Status status =
        process_->read_line(line, std::min(deadline, Clock::now() + kStopInterval));
    if (status == ChildProcess::Status::Ok) return line;
    if (status == ChildProcess::Status::Ended) fail_at_end();
    if (StopSignals::requested()) fail("is not waited for, as the program is to stop");
    if (Clock::now() >= deadline) fail(expected);
  }
}

void UciClient::fail_at_end() {
  const auto end = process_->end(Clock::now() + kEndPatience);
  if (process_->was_killed()) {
    process_.reset();
    throw MachineShortage(name_ + " " + *end + ", as the system does when memory runs out: use " +
                          "fewer --threads, or give the engine smaller tables (its option Hash)");
  }
  fail(end ? "crashed: it " + *end : "closed its output");
}

void UciClient::fail(const std::string& what) {
  process_->kill();
  std::string message = name_ + " " + what;
  const std::vector<std::string> lines = process_->error_lines();
  if (!lines.empty()) message += "; the last lines of its stderr:";
  for (std::size_t i = 0; i < lines.size(); ++i)
    message += (i > 0 ? " | " : " ") + printable(lines[i], ChildProcess::kMostErrorLine);
  process_.reset();
  throw SearcherFailure(message);
}

}  // namespace faultline
