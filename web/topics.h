// What waits to be sent to one page: replies, each of which is sent, and reports by topic, of which
// only the latest is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "web/request.h"

namespace faultline::web {

/// Used by one thread. Nothing here knows of sockets: a session takes the next message whenever the
/// one before it has been written. Reports are serialised only then, so that a slow page costs
/// neither time nor memory for what it never sees.
class Topics {
 public:
  /// From this many bytes of replies on, no more requests should be read.
  static constexpr std::size_t kCongested = std::size_t{1} << 20U;
  /// What no page leaves unread that reads at all: replies, their bytes, and topics with a report.
  static constexpr std::size_t kMostReplies = 256;
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  static constexpr std::size_t kMostTopics = 256;

  /// The report replaces one of its topic that waits, at that one's place. Rows of runs add up: if
  /// the report's "rows" go on, by its "from", where those that wait end, it is sent with both.
  void publish(const std::string& topic, ReportJson report);
  void reply(std::string message);

  /// The next message: the oldest reply, or else the report of the topic that has waited longest as
  /// {"t":topic,"v":version,"report":report} with a version that grows; nullopt if nothing waits.
  std::optional<std::string> next();

  bool congested() const { return bytes_ >= kCongested; }
  /// Whether more waits than is allowed: the page is to be closed, and asks anew once it reads.
  bool overflowing() const;

 private:
  std::deque<std::string> replies_;
  std::size_t bytes_ = 0;  // of replies_
  std::map<std::string, ReportJson> reports_;
  std::deque<std::string> order_;  // the keys of reports_, by the time for which they have waited
  std::uint64_t version_ = 0;
};

}  // namespace faultline::web
