// A connected page: reads its messages, and writes what waits for it (web/topics.h), one message at
// a time. Only web/http_server.cpp includes this.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "web/page_line.h"

namespace faultline::web {

/// All on the server's thread, except where it says otherwise.
class WebsocketSession {
 public:
  WebsocketSession() = default;
  virtual ~WebsocketSession() = default;
  WebsocketSession(const WebsocketSession&) = delete;
  WebsocketSession& operator=(const WebsocketSession&) = delete;

  /// Says that the server goes away, and ends soon.
  virtual void leave() = 0;
  /// Ends at once. Nothing is read or written any more, and no thread may be running the server.
  virtual void abandon() = 0;
};

struct SessionOptions {
  bool compressed = false;  // where the page can
  /// After which a page that does not take a message is taken to have gone.
  std::chrono::milliseconds longest_write = {};
};

/// Answers the request to upgrade, and keeps itself alive until the page has gone; then calls
/// `gone`. `open` must outlive it.
std::shared_ptr<WebsocketSession> start_session(
    boost::beast::tcp_stream stream,
    boost::beast::http::request<boost::beast::http::string_body> request,
    const SessionOptions& options, const OpenPage& open, std::function<void()> gone);

}  // namespace faultline::web
