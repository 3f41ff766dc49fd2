// Where a run is served on a NATS server: nats://HOST:PORT/NAME, and the subjects of faultline.NAME
// there (docs/cluster.md).
//
//   sync.USER.PROCESS         what an actor says and is told: a request and its reply, in JSON
//   part.USER.PROCESS.NUMBER  finished games: the stream faultline-NAME-parts
//   file.HASH.N               networks and terms in pieces: the stream faultline-NAME-files
//   file.end.0                a learner's last word, in the same stream: that its session has ended
//   key.learner               who is in office, in the same stream: written by compare-and-set
//   seen                      the learner's report, for whoever looks
#pragma once

#include <filesystem>
#include <string>

namespace faultline {

/// The version of the messages; refused by name if it differs.
inline constexpr int kNatsFormat = 1;
inline constexpr const char* kNatsLastWord = "file.end.0";

struct NatsPlace {
  std::string server;  // "nats://HOST:PORT" or "tls://HOST:PORT"
  std::string host;
  std::string name;               // the run's
  std::string user = "anyone";    // as the server knows it; names the subjects that it may use
  std::string password = {};      // empty: there are no accounts
  std::filesystem::path ca = {};  // of certificates to trust; empty: the system's

  bool is_secure() const { return server.starts_with("tls:"); }
  std::string url() const { return server + "/" + name; }
  std::string subject(const std::string& rest) const { return "faultline." + name + "." + rest; }
  std::string parts() const { return "faultline-" + name + "-parts"; }
  std::string files() const { return "faultline-" + name + "-files"; }
};

bool is_nats_url(const std::string& text);

/// `creds`: a file with one line USER:PASSWORD that others cannot read; empty: none. `ca`: a file
/// of certificates; empty: the system's. Throws std::invalid_argument, which says what would be
/// right.
NatsPlace nats_place(const std::string& url, const std::filesystem::path& creds = {},
                     const std::filesystem::path& ca = {});

/// Whether a text may be a word of a subject, and a file's name.
bool is_subject_word(const std::string& text);

}  // namespace faultline
