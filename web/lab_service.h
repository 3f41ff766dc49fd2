// Answers what pages ask: reads their messages, hands each to whoever answers it, on threads of its
// own, and sends the answers back as they come.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "web/page_line.h"
#include "web/request.h"
#include "web/worker_threads.h"

namespace faultline::web {

/// What becomes of a request that takes long: one of the two is called, once, from any thread.
struct Answer {
  std::function<void(ReportJson reply)> reply;
  std::function<void(const RequestError& error)> fail;
};
/// Begins what a request asks for, and returns. Throws as a Handler does, and then calls neither of
/// the two.
using SlowHandler = std::function<void(const ReportJson& request, Answer answer)>;

/// What answers one page. The handlers of a page are called from several threads at once.
struct PageHandlers {
  Handlers handlers;
  std::map<std::string, SlowHandler> slow;
};

/// Publishes a report of a topic to the page, from any thread.
using Publish = std::function<void(const std::string& topic, ReportJson report)>;
/// Makes the handlers of a page that connects, quickly: they hold what the page has for itself,
/// which is destroyed with them when the page has gone and its requests are answered, on a thread
/// that may wait for the end of what goes on.
using MakeHandlers = std::function<PageHandlers(Publish publish)>;

class LabService {
 public:
  explicit LabService(MakeHandlers make) : make_(std::move(make)) {}

  /// For the server, which must not outlive this.
  std::unique_ptr<PageListener> open(std::shared_ptr<PageLine> line);

 private:
  MakeHandlers make_;
  WorkerThreads workers_;
};

}  // namespace faultline::web
