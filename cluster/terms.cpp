// What a learner and its actors must agree on.
#include "cluster/terms.h"

#include <exception>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "base/json_text.h"
#include "model/checkpoint.h"
#include "model/export/bundle.h"
#include "record/chunk.h"
#include "record/run_folder.h"
#include "rules/data/known_games.h"
#include "selfplay/run_encoding.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOneVersion =
    "Install one version of faultline on all machines, and start its learner first";

[[noreturn]] void refuse_terms(const Post& post, const std::string& reason) {
  throw RunError(fmt::format("{}: {}. {}", post.folder.string(), reason, kOneVersion));
}

void copy_file_at_once(const fs::path& from, const fs::path& to) {
  const fs::path temporary = temporary_of(to);
  fs::copy_file(from, temporary, fs::copy_options::overwrite_existing);
  fs::rename(temporary, to);
}

}  // namespace

std::string write_terms(const Post& post, const Config& config, const RunPersistence& persistence) {
  const fs::path& run = persistence.folder().path();
  Config written = config;
  written.run.variant = canonical_variant(config);
  if (const std::string game = data::game_text(written.run.variant); !game.empty())
    write_file_atomically(post.folder / data::kGameCopyName, game);
  std::error_code ignored;
  if (fs::is_directory(run / "strategies", ignored))
    fs::copy(run / "strategies", post.folder / "strategies",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  if (!config.fast.teacher.empty()) {
    copy_file_at_once(find_network(config.fast.teacher, "'fast.teacher'"), post.teacher());
    written.fast.teacher = post.teacher().filename().string();
  }
  // In a deterministic run all compute alike; else everybody as is best on his machine.
  if (!written.run.deterministic) written.device = {};
  // What only the learner reads may change while actors play.
  Config played = written;
  played.run = {.variant = written.run.variant,
                .name = {},
                .seed = written.run.seed,
                .deterministic = written.run.deterministic};
  played.replay = {};
  played.learner = {};
  const std::string text = to_toml(written);
  write_file_atomically(post.config(), text);
  nlohmann::ordered_json terms = {
      {"format", kPostFormat},
      {"run_id", fmt::format("{:016x}", persistence.state().run_id)},
      {"variant", written.run.variant},
      {"game_records", kRecordVersion},
      {"encoding", to_json(encoding_of_run(config))},
      {"played", content_hash(to_toml(played))},
  };
  terms["mark"] = content_hash(json_text(terms));
  write_file_atomically(post.terms(), json_text(terms, 2) + "\n");  // last: it names the others
  return terms["mark"];
}

std::optional<RunTerms> read_terms(const Post& post) {
  const auto json = read_object(post.terms());
  if (!json) return std::nullopt;
  const std::string source = post.terms().string();
  const auto require = [&](int found, int ours, const char* what) {
    if (found != ours)
      refuse_terms(post, fmt::format("the learner's program has version {} of {}, this one {}",
                                     found, what, ours));
  };
  try {
    require(json_field<int>(*json, "format", source), kPostFormat, "the cluster's files");
    require(json_field<int>(*json, "game_records", source), static_cast<int>(kRecordVersion),
            "the records of games");
    RunTerms terms;
    terms.mark = json_field<std::string>(*json, "mark", source);
    terms.run_id = hash_from_text(json_field<std::string>(*json, "run_id", source), "run_id");
    terms.variant = json_field<std::string>(*json, "variant", source);
    data::offer_game_in(post.folder);
    if (data::has_copy_of_another(post.folder, terms.variant))
      refuse_terms(post, fmt::format("this program knows another game that is called {}, too",
                                     terms.variant));
    terms.config = load_config(post.config());
    if (!terms.config.fast.teacher.empty()) terms.config.fast.teacher = post.teacher().string();
    check_config(terms.config);
    require_encoding(post.terms(),
                     encoding_from_json(json_field<nlohmann::json>(*json, "encoding", source)),
                     encoding_of_run(terms.config));
    return terms;
  } catch (const RunError&) {
    throw;
  } catch (const std::exception& error) {
    refuse_terms(post,
                 fmt::format("this program does not understand the learner's: {}", error.what()));
  }
}

}  // namespace faultline
