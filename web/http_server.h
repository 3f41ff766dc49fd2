// The lab's server: serves the page, lets in whoever has the token, and connects pages by
// WebSockets. One thread of its own does it all; what pages ask is answered elsewhere
// (web/page_line.h).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "web/page_line.h"

namespace faultline::web {

/// An address that cannot be listened on; the message says which, and why.
class ListenError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or a name of this machine
  std::uint16_t port = 0;          // 0: any that is free
  int more_ports = 0;              // that are tried after it, if it is taken
  /// Names under which others reach the server, perhaps through a proxy: "lab.example.org".
  std::vector<std::string> names = {};
  std::string token;      // of 128 bits, that a page exchanges for the cookie
  std::string cookie;     // likewise
  std::string_view page;  // HTML, which must outlive the server
};

class HttpServer {
 public:
  /// Listens from then on. `open` is called for each page that connects. Throws ListenError.
  HttpServer(ServerOptions options, OpenPage open);
  /// Takes leave of all pages.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  /// Whether only programs of this machine can connect.
  bool is_local() const;
  /// "http://127.0.0.1:8128/"; by the first of the names, if there are any.
  std::string url() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace faultline::web
