// What a learner and its actors must agree on.
#include "cluster/terms.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/run_folder.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline {
namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

/// A run's folder with terms.
struct Terms {
  explicit Terms(Config given = test::fake_config())
      : config(std::move(given)),
        persistence(config, "escher", {.folder = place.path(), .out = &out}),
        post{place.path() / "post"} {
    std::filesystem::create_directories(post.folder);
    mark = write_terms(post, config, persistence);
  }
  /// After a change of run.json: why it is refused.
  std::string refusal(const std::function<void(nlohmann::json&)>& change) {
    auto json = read_object(post.terms()).value();
    change(json);
    test::write_text(post.terms(), json.dump());
    return refusal();
  }
  std::string refusal() {
    try {
      read_terms(post);
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder place;
  Config config;
  std::ostringstream out;
  RunPersistence persistence;
  Post post;
  std::string mark;
};

TEST(Terms, AnActorPlaysWithTheRunsConfiguration) {
  Config config = test::fake_config();
  config.search.visits = 77;
  const Terms run(config);
  const RunTerms read = read_terms(run.post).value();
  EXPECT_EQ(read.mark, run.mark);
  EXPECT_EQ(read.variant, "escher");
  EXPECT_EQ(read.run_id, run.persistence.state().run_id);
  EXPECT_EQ(read.config.search.visits, 77);
  EXPECT_FALSE(read_terms({run.place.path()}));
}

TEST(Terms, OtherVersionsAreRefusedByNameWithWhatToDo) {
  Terms run;
  EXPECT_THAT(run.refusal([](auto& json) { json["game_records"] = 99; }),
              AllOf(HasSubstr("the learner's program has version 99 of the records of games"),
                    HasSubstr("Install one version of faultline on all machines")));
  EXPECT_THAT(Terms().refusal([](auto& json) { json["encoding"]["version"] = 99; }),
              HasSubstr("has version 99 of the escher encoding"));
  EXPECT_THAT(Terms().refusal([](auto& json) { json.erase("mark"); }),
              HasSubstr("key 'mark' is missing"));
  Terms newer;
  test::write_text(newer.post.config(), "[run]\nvariant = 'escher'\nnew_key = 1\n");
  EXPECT_THAT(newer.refusal(), HasSubstr("new_key"));
}

TEST(Terms, HaveAnotherMarkIfActorsWouldPlayOtherwise) {
  Terms run;
  run.config.run.games = 1'000;
  run.config.learner.batch = 32;
  EXPECT_EQ(write_terms(run.post, run.config, run.persistence), run.mark);
  run.config.search.visits = 13;
  EXPECT_NE(write_terms(run.post, run.config, run.persistence), run.mark);
}

}  // namespace
}  // namespace faultline
