// Between a page's connection and what answers the page: text in, answers and reports out.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "web/request.h"

namespace faultline::web {

/// To one page, from any thread and at any time: what is sent to a page that has gone is dropped.
class PageLine {
 public:
  PageLine() = default;
  virtual ~PageLine() = default;
  PageLine(const PageLine&) = delete;
  PageLine& operator=(const PageLine&) = delete;

  /// The answer to one message; each that was received gets one.
  virtual void answer(std::string text) = 0;
  /// A report, in the place of one of its topic that has not been sent yet.
  virtual void publish(const std::string& topic, ReportJson report) = 0;
};

/// From one page. Destroyed when the page has gone.
class PageListener {
 public:
  PageListener() = default;
  virtual ~PageListener() = default;
  PageListener(const PageListener&) = delete;
  PageListener& operator=(const PageListener&) = delete;

  /// A message, on the server's thread, which nothing may hold up: neither this nor the destructor.
  virtual void receive(std::string text) = 0;
};

/// Called on the server's thread for each page that connects.
using OpenPage = std::function<std::unique_ptr<PageListener>(std::shared_ptr<PageLine>)>;

}  // namespace faultline::web
