// A run's folder: its files, its lock, and the last consistent state in state.json.
#include "record/run_folder.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/result_folder.h"
#include "base/unreadable_file.h"
#include "rules/data/known_games.h"
#include "rules/variant.h"

namespace faultline {
namespace {

constexpr int kStateFormat = 2;  // 1 can be read too
constexpr const char* kRebuild =
    "--resume --from-checkpoint FILE, with a checkpoint of nets/, rebuilds it from that network "
    "and "
    "the games on disk";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
  throw RunError(file.string() + ": " + reason);
}

/// Deletes temporary files that killed processes did not get to rename, and copied games that no
/// state knows of.
void remove_temporaries(const RunFolder& folder) {
  std::vector<std::filesystem::path> left = {temporary_of(folder.config_file()),
                                             temporary_of(folder.state_file())};
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.nets(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path net = entry->path().stem();
    if (entry->path().extension() == ".tmp" && net.extension() == ".pt" &&
        is_step_count(net.stem().string()))
      left.push_back(entry->path());
  }
  for (const std::filesystem::path& file : left)
    std::filesystem::remove(file, error);
  if (!std::filesystem::exists(folder.copied_games(), error)) return;
  if (!folder.adopt_copied_games(folder.read_state().value_or(RunState{})))
    std::filesystem::remove_all(folder.copied_games(), error);
}

std::uint64_t run_id_from(const std::string& text, const std::string& source) {
  std::uint64_t id = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, id, 16);
  if (error != std::errc{} || stop != end)
    throw RunError(
        fmt::format("{}: 'run_id' is {}, but must be 16 hexadecimal digits", source, quote(text)));
  return id;
}

std::vector<RunInference> inference_from(const nlohmann::json& json, const std::string& source) {
  std::vector<RunInference> all;
  if (!json.contains("inference")) return all;
  const std::string what = source + ": 'inference'";
  try {
    for (const auto& entry : json_field<std::vector<nlohmann::json>>(json, "inference", source))
      all.push_back({.choice = inference_choice_from_json(entry, what),
                     .from_step = json_field<std::int64_t>(entry, "from_step", what),
                     .reason = json_field<std::string>(entry, "reason", what),
                     .processor = json_field<std::string>(entry, "processor", what)});
  } catch (const std::runtime_error& error) {
    throw RunError(error.what());
  }
  return all;
}

constexpr const char* kChecksum = "checksum";

/// The checksum of the state's other keys.
template <class Json>
std::string checksum_of(Json json) {
  json.erase(kChecksum);
  const std::string text = json_text(json);
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

StepCount step_count_from(const nlohmann::json& json, const std::string& source) {
  if (!json.contains("step_count")) return {};
  const auto count = json_field<nlohmann::json>(json, "step_count", source);
  const std::string what = source + ": 'step_count'";
  return {.positions = json_field<std::uint64_t>(count, "positions", what),
          .steps = json_field<std::int64_t>(count, "steps", what),
          .per_position = json_field<double>(count, "per_position", what)};
}

}  // namespace

std::string to_json_text(const RunState& state) {
  nlohmann::ordered_json json = {
      {"format", kStateFormat},
      {"variant", state.variant},
      {"checkpoint", state.checkpoint},
      {"steps", state.steps},
      {"games", state.games},
      {"positions", state.positions},
      {"in_rounds", state.in_rounds},
      {"seconds", state.seconds},
      {"cpu_seconds", state.cpu_seconds},
      {"evaluations", state.evaluations},
      // In hexadecimal: many readers of JSON keep numbers as doubles.
      {"run_id", fmt::format("{:016x}", state.run_id)},
      {"init_from", state.init_from},
  };
  if (!state.games_from.empty()) {
    json["games_from"] = state.games_from;
    json["inherited_games"] = state.inherited_games;
  }
  json["step_count"] = {{"positions", state.step_count.positions},
                        {"steps", state.step_count.steps},
                        {"per_position", state.step_count.per_position}};
  if (!state.inference.empty()) json["inference"] = nlohmann::ordered_json::array();
  for (const RunInference& one : state.inference) {
    nlohmann::ordered_json entry = to_json(one.choice);
    entry["from_step"] = one.from_step;
    entry["reason"] = one.reason;
    entry["processor"] = one.processor;
    json["inference"].push_back(std::move(entry));
  }
  json[kChecksum] = checksum_of(json);
  return json_text(json, 2) + "\n";
}

RunState run_state_from_json(const std::string& text, const std::string& source) {
  const auto ordered = nlohmann::ordered_json::parse(text, nullptr, false);
  if (ordered.is_discarded())
    throw DamagedState(source + ": is not the state of a run: it is " +
                       (text.empty() ? "empty" : "not JSON"));
  if (ordered.contains(kChecksum) && ordered[kChecksum] != checksum_of(ordered))
    throw DamagedState(source + ": is damaged: its content does not fit its checksum");
  const nlohmann::json json = ordered;
  try {
    const auto read = [&]<class T>(const char* key, T& value) {
      value = json_field<T>(json, key, source);
    };
    int format = 0;
    read("format", format);
    if (format < 1 || format > kStateFormat)
      throw RunError(fmt::format("{}: has format {}; this program reads 1 to {}", source, format,
                                 kStateFormat));
    RunState state;
    read("variant", state.variant);
    read("checkpoint", state.checkpoint);
    read("steps", state.steps);
    read("games", state.games);
    read("positions", state.positions);
    // Earlier versions counted rounds instead, which is sufficient if there were none.
    if (!json.contains("in_rounds") && json.value("rounds", 0) > 0)
      throw RunError(
          source + ": is from a deterministic run of an earlier version, which cannot be resumed");
    const auto read_if_there = [&]<class T>(const char* key, T& value) {
      if (json.contains(key)) read(key, value);
    };
    read_if_there("in_rounds", state.in_rounds);
    read("seconds", state.seconds);
    read_if_there("cpu_seconds", state.cpu_seconds);
    read_if_there("evaluations", state.evaluations);
    state.step_count = step_count_from(json, source);
    state.inference = inference_from(json, source);
    if (format == 1) return state;
    state.run_id = run_id_from(json_field<std::string>(json, "run_id", source), source);
    read("init_from", state.init_from);
    read_if_there("games_from", state.games_from);
    if (!state.games_from.empty()) read("inherited_games", state.inherited_games);
    return state;
  } catch (const RunError&) {
    throw;
  } catch (const std::exception& error) {  // of json_field, which names the key
    throw DamagedState(error.what());
  }
}

std::optional<std::filesystem::path> find_run(const std::string& text) {
  std::error_code ignored;  // of names that are too long
  for (const auto& folder : {std::filesystem::path(text), std::filesystem::path("runs") / text})
    if (!text.empty() && std::filesystem::is_directory(folder, ignored)) {
      RunFolder::offer_game(folder);
      return folder;
    }
  return std::nullopt;
}

std::filesystem::path find_network(const std::string& text, const std::string& what) {
  std::error_code ignored;  // of names that are too long
  if (std::filesystem::is_regular_file(text, ignored)) return text;
  const auto run = find_run(text);
  if (!run)
    throw RunError(
        fmt::format("{} is {}, but there is no such file or run's folder", what, quote(text, 80)));
  const std::vector<NamedCheckpoint> nets = checkpoints_in(*run / "nets");
  if (nets.empty()) throw RunError(fmt::format("{}: {} contains no networks", what, run->string()));
  return nets.back().file;
}

RunFolder::RunFolder(std::filesystem::path folder) : path_(std::move(folder)) {
  if (const auto reason = why_taken(path_, FolderContents::Run)) throw RunError(*reason);
  std::error_code error;
  std::filesystem::create_directories(nets(), error);
  if (error) refuse(path_, "cannot be created: " + error.message());
  try {
    lock_.emplace(path_ / "lock");
  } catch (const std::system_error& failure) {
    throw RunError(failure.what());
  }
  if (!lock_->held()) refuse(path_, "another process is training in this folder");
  remove_temporaries(*this);
}

std::string RunFolder::checkpoint_name(std::int64_t steps) {
  return fmt::format("nets/{:06}.pt", steps);
}

void RunFolder::require_creatable(const std::filesystem::path& folder) {
  if (const auto reason = why_taken(folder, FolderContents::Run)) throw RunError(*reason);
  std::vector<std::filesystem::path> missing;  // the deepest first
  std::error_code error;
  for (std::filesystem::path at = (std::filesystem::absolute(folder) / "nets").lexically_normal();
       !std::filesystem::exists(at, error) && at.has_relative_path(); at = at.parent_path())
    missing.push_back(at);
  std::filesystem::create_directories(folder / "nets", error);
  std::error_code ignored;
  for (const auto& made : missing)
    std::filesystem::remove(made, ignored);
  if (error) refuse(folder, "cannot be created: " + error.message());
}

bool RunFolder::holds_run(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kConfigName) ||
         std::filesystem::exists(folder / kStateName);
}

void RunFolder::offer_game(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / kStateName)) return;  // anybody's
  try {
    data::offer_game_in(folder);
  } catch (const VariantError& error) {
    throw RunError(error.what());
  }
}

bool RunFolder::adopt_copied_games(const RunState& written) const {
  if (written.games_from.empty() || !std::filesystem::exists(copied_games())) return false;
  std::error_code error;
  std::filesystem::rename(copied_games(), games(), error);  // which is empty or absent
  if (error)
    throw RunError(fmt::format(
        "{}: cannot become {}: {}; remove or empty the latter, then continue with --resume",
        copied_games().string(), games().string(), error.message()));
  return true;
}

std::optional<RunState> RunFolder::state_in(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kStateName;
  if (const auto reason = why_unreadable(file)) throw RunError(*reason);
  if (!std::filesystem::exists(file)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return run_state_from_json(text, file.string());
}

std::optional<RunState> RunFolder::read_state() const {
  if (!std::filesystem::exists(state_file()) && !std::filesystem::is_symlink(state_file())) {
    // A session that was killed before it wrote its first state may have left one checkpoint.
    const std::vector<NamedCheckpoint> checkpoints = checkpoints_in(nets());
    const auto trained =
        std::ranges::count_if(checkpoints, [](const auto& one) { return one.steps > 0; });
    if (trained > 1)
      refuse(state_file(),
             fmt::format("is missing, although there is {}: training would begin anew and replace "
                         "the networks. Restore it, or: {}",
                         checkpoints.back().file.string(), kRebuild));
    return std::nullopt;
  }
  try {
    return state_in(path_);
  } catch (const DamagedState& error) {
    throw RunError(fmt::format("{}. Restore it, or: {}", error.what(), kRebuild));
  }
}

RunState RunFolder::state_from(const std::filesystem::path& checkpoint) const {
  const std::filesystem::path file = nets() / checkpoint.filename();
  const auto is_here = [&](const std::filesystem::path& place) {
    std::error_code ignored;
    return std::filesystem::equivalent(place, file, ignored);
  };
  if (!is_step_count(checkpoint.stem().string()) ||
      !(is_here(checkpoint) || is_here(path_ / checkpoint)))
    refuse(checkpoint,
           "is no checkpoint of this run; --from-checkpoint takes a file of " + nets().string());
  RunState state;
  try {
    state = state_in(path_).value_or(RunState{});
  } catch (const DamagedState&) {
    state = {};
  }
  state.steps = std::stoll(checkpoint.stem().string());
  state.checkpoint = checkpoint_name(state.steps);
  return state;
}

void RunFolder::write_state(const RunState& state) const {
  write_file_atomically(state_file(), to_json_text(state));
}

std::vector<std::string> RunFolder::prune_checkpoints(const RunState& written, int keep,
                                                      std::int64_t every) const {
  std::vector<std::string> failures;
  if (keep <= 0) return failures;
  std::vector<NamedCheckpoint> checkpoints = checkpoints_in(nets());
  // Checkpoints later than the state's are left over from a killed session; they will be rewritten.
  std::erase_if(checkpoints, [&](const auto& c) { return c.steps > written.steps; });
  const auto kept = std::min(checkpoints.size(), static_cast<std::size_t>(keep));
  checkpoints.resize(checkpoints.size() - kept);
  for (const auto& [steps, file] : checkpoints) {
    const bool spared = steps == 0 || (every > 0 && steps % every == 0) ||
                        file.filename() == std::filesystem::path(written.checkpoint).filename();
    std::error_code error;
    if (!spared) std::filesystem::remove(file, error);
    if (error) failures.push_back(file.string() + ": cannot be deleted: " + error.message());
  }
  return failures;
}

}  // namespace faultline
