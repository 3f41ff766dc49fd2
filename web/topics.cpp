#include "web/topics.h"

#include <iterator>
#include <utility>

#include "base/json_text.h"

namespace faultline::web {
namespace {

/// The rows of a report of a run; null if it has none.
ReportJson* rows_of(ReportJson& report) {
  const auto found = report.find("rows");
  return found != report.end() && found->is_array() ? &*found : nullptr;
}

/// Puts the rows of `before` in front of those of `report`, if that is where they belong.
void join_rows(ReportJson& before, ReportJson& report) {
  if (!before.is_object() || !report.is_object()) return;
  ReportJson* const first = rows_of(before);
  ReportJson* const second = rows_of(report);
  if (first == nullptr || second == nullptr) return;
  const auto from = before.find("from");
  const auto next = report.find("from");
  if (from == before.end() || next == report.end() || !from->is_number_integer() ||
      !next->is_number_integer() ||
      from->get<std::int64_t>() + static_cast<std::int64_t>(first->size()) !=
          next->get<std::int64_t>())
    return;
  for (ReportJson& row : *second)
    first->push_back(std::move(row));
  *second = std::move(*first);
  *next = std::move(*from);
}

}  // namespace

void Topics::publish(const std::string& topic, ReportJson report) {
  const auto [waiting, is_new] = reports_.try_emplace(topic);
  if (is_new)
    order_.push_back(topic);
  else
    join_rows(waiting->second, report);
  waiting->second = std::move(report);
}

void Topics::reply(std::string message) {
  bytes_ += message.size();
  replies_.push_back(std::move(message));
}

std::optional<std::string> Topics::next() {
  if (!replies_.empty()) {
    std::string message = std::move(replies_.front());
    replies_.pop_front();
    bytes_ -= message.size();
    return message;
  }
  if (order_.empty()) return std::nullopt;
  const auto topic = reports_.find(order_.front());
  order_.pop_front();
  ReportJson message;
  message["t"] = topic->first;
  message["v"] = ++version_;
  message["report"] = std::move(topic->second);
  reports_.erase(topic);
  return json_text(message);
}

bool Topics::overflowing() const {
  return replies_.size() > kMostReplies || bytes_ > kMostBytes || reports_.size() > kMostTopics;
}

}  // namespace faultline::web
