// What the shipped configuration of a NATS server lets whom do.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cluster/cluster_status.h"
#include "record/run_folder.h"
#include "tests/cluster/nats_server.h"
#include "tests/outsiders.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::NatsServer;
using test::TemporaryFolder;
using testing::HasSubstr;
using Kind = NatsError::Kind;

void run_script(const std::string& command) {
  EXPECT_EQ(std::system((FAULTLINE_SOURCE_DIR "/deploy/nats/" + command).c_str()), 0) << command;
}

/// The shipped configuration, elsewhere.
class SecureServer {
 public:
  SecureServer() {
    run_script("make-certificates " + folder() + " localhost");
    run_script("add-user " + folder() + " learner boss");
    run_script("add-user " + folder() + " actor red");
    run_script("add-user " + folder() + " actor blue");
    run_script("add-user " + folder() + " viewer eye");
    std::string conf = test::read_text(FAULTLINE_SOURCE_DIR "/deploy/nats/faultline.conf");
    const auto replace = [&](const std::string& from, const std::string& to) {
      EXPECT_NE(conf.find(from), std::string::npos) << from;
      conf.replace(conf.find(from), from.size(), to);
    };
    replace("listen: \"0.0.0.0:4222\"\n", "");
    for (const std::string name : {"learners.conf", "actors.conf", "viewers.conf"})
      replace("include \"" + name + "\"", test::read_text(place_.path() / name));
    for (std::size_t at; (at = conf.find("\"./")) != std::string::npos;)
      conf.replace(at, 3, "\"" + folder() + "/");
    server_.emplace(conf);
  }
  std::string folder() const { return place_.path().string(); }
  NatsPlace place(const std::string& user) const {
    return nats_place(server_->url("run", "tls", "localhost"),
                      fs::path(folder()) / (user + ".creds"), fs::path(folder()) / "ca.crt");
  }
  std::string url(const std::string& host = "localhost") const {
    return server_->url("run", "tls", host);
  }
  std::string plain_url() const { return server_->url("run", "nats", "localhost"); }

 private:
  TemporaryFolder place_;
  std::optional<NatsServer> server_;
};

Kind kind_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const NatsError& error) {
    return error.kind();
  }
  ADD_FAILURE() << "it was allowed";
  return Kind::Refused;
}

TEST(NatsSecurity, RunsUnderTheShippedConfigurationAndNobodyDoesMoreThanItsRole) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const SecureServer server;
  const TemporaryFolder run, here;
  const NatsPlace boss = server.place("boss"), red = server.place("red"), eye = server.place("eye");
  test::JoinedActor actor(red, here.path());
  std::thread others([&] {
    ASSERT_TRUE(test::soon([&] { return test::stored_numbers(run.path()).size() > 10; }));
    const auto quick = 100ms;
    const auto streams_are_there = [&] {
      NatsLink link(boss);
      EXPECT_TRUE(link.stored(boss.files(), boss.subject("key.learner")));
    };
    // An actor that is mad: everything else than its own subjects is closed to it.
    for (const std::string& subject :
         {red.subject("sync.blue.x"), red.subject("part.blue.x.000001"), red.subject("key.learner"),
          red.subject("file.x.0"), red.subject("seen"), "$JS.API.STREAM.DELETE." + red.parts(),
          "$JS.API.STREAM.PURGE." + red.parts(), "$JS.API.STREAM.INFO." + red.parts(),
          std::string("$JS.API.INFO"), "$JS.API.STREAM.MSG.GET." + red.parts(),
          "$JS.API.CONSUMER.MSG.NEXT." + red.parts() + ".learner",
          "$JS.API.DIRECT.GET." + red.files() + "." + red.subject("key.learner"),
          "$JS.API.DIRECT.GET." + red.files(), std::string("$SYS.REQ.SERVER.PING"),
          std::string("inbox.boss.x")}) {
      NatsLink link(red);
      link.set_patience(quick);
      EXPECT_EQ(kind_of([&] { link.request(subject, "{}"); }), Kind::Denied) << subject;
    }
    {
      NatsLink link(red), speaker(boss);
      std::vector<NatsInbox> inboxes;
      for (const std::string& subject :
           {red.subject(">"), red.subject("sync.*.*"), red.subject("part.blue.*.*"),
            std::string("inbox.blue.>"), std::string("inbox.>"), std::string(">")})
        inboxes.push_back(link.subscribe(subject));
      std::this_thread::sleep_for(100ms);
      speaker.publish("inbox.blue.x", "secret");
      speaker.publish(red.subject("seen"), "{}");
      for (NatsInbox& inbox : inboxes)
        try {
          EXPECT_FALSE(inbox.next(100ms));
        } catch (const NatsError&) {  // closed by the server
        }
    }
    // Its answers go to itself; it cannot have the learner or the server write elsewhere.
    {
      NatsLink link(red);
      for (const std::string& reply :
           {"$JS.API.STREAM.DELETE." + red.files(), "$JS.API.STREAM.DELETE." + red.parts(),
            "$JS.API.STREAM.PURGE." + red.files(), red.subject("key.learner"),
            std::string("inbox.blue.x")}) {
        link.publish(red.subject("sync.red.x"), R"({"format": 1})", reply);
        link.publish(red.subject("part.red.x.000001"), "", reply);
        link.publish("$JS.API.DIRECT.GET." + red.files() + "." + red.subject("file.x.0"), "",
                     reply);
      }
      std::this_thread::sleep_for(300ms);
    }
    streams_are_there();
    // A viewer sees the report and changes nothing.
    EXPECT_EQ(hear_report(eye, {}).at("state"), "serving");
    for (const std::string& subject :
         {eye.subject("sync.eye.x"), eye.subject("part.eye.x.000001"), eye.subject("seen"),
          "$JS.API.STREAM.DELETE." + eye.parts()}) {
      NatsLink link(eye);
      link.set_patience(quick);
      EXPECT_EQ(kind_of([&] { link.request(subject, "{}"); }), Kind::Denied) << subject;
    }
    // Not even a learner deletes streams.
    NatsLink link(boss);
    link.set_patience(quick);
    EXPECT_EQ(kind_of([&] { link.request("$JS.API.STREAM.DELETE." + boss.parts(), "{}"); }),
              Kind::Denied);
    streams_are_there();
    ask_of_cluster({run.path() / "post"}, "stop");
  });
  Config config = test::fake_config();
  config.run.games = 0;
  const RunResult result = test::serve_nats(config, run.path(), boss);
  others.join();
  actor.join();
  EXPECT_EQ(actor.failure(), "");
  EXPECT_EQ(test::stored_numbers(run.path()).size(), result.games);
}

TEST(NatsSecurity, WrongPasswordsAndCertificatesAreRefused) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const SecureServer server;
  const TemporaryFolder other;
  NatsPlace place = server.place("red");
  EXPECT_NO_THROW(NatsLink{place});
  place.password = "wrong";
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);
  place = server.place("red");
  place.user = "nobody";
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);
  // An authority of somebody else, and the name of another host.
  run_script("make-certificates " + other.path().string() + " localhost");
  place = server.place("red");
  place.ca = other.path() / "ca.crt";
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);
  place.ca.clear();  // the system's authorities do not know it
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);
  place = server.place("red");
  place.host = "elsewhere";
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);
  place = nats_place(server.plain_url(), fs::path(server.folder()) / "red.creds");
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);  // without TLS
  place = nats_place(server.url(), {}, fs::path(server.folder()) / "ca.crt");
  EXPECT_EQ(kind_of([&] { NatsLink{place}; }), Kind::Denied);  // without a password
  test::JoinedActor actor(place, other.path());
  actor.join();
  EXPECT_NE(actor.failure(), "");
}

TEST(NatsSecurity, PasswordsThatOthersCanReadAreNotUsed) {
  const TemporaryFolder place;
  const fs::path file = place.path() / "creds";
  test::write_text(file, "red:secret\n");
  fs::permissions(file, fs::perms(0644));
  EXPECT_THROW(nats_place("nats://far/x", file), std::invalid_argument);
  fs::permissions(file, fs::perms(0640));
  EXPECT_EQ(nats_place("nats://far/x", file).password, "secret");
  test::write_text(file, "red\n");
  EXPECT_THROW(nats_place("nats://far/x", file), std::invalid_argument);
}

}  // namespace
}  // namespace faultline
