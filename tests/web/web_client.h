// A browser's part of HTTP and WebSockets, by plain sockets of this machine, well-behaved or not.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::web {

/// A connection to 127.0.0.1.
class Wire {
 public:
  /// Throws std::system_error if nothing listens there.
  explicit Wire(std::uint16_t port);
  ~Wire();
  Wire(Wire&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), read_(std::move(other.read_)) {}
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// False once the other side has gone.
  bool send(std::string_view bytes);
  /// Throws std::runtime_error after ten seconds without a byte.
  std::optional<std::string> until(std::string_view end);
  std::optional<std::string> exactly(std::size_t count);

 private:
  bool receive();

  int socket_ = -1;
  std::string read_;  // and not yet taken
};

struct HttpReply {
  int status = 0;                                   // 0: the connection ended without one
  std::map<std::string, std::string> headers = {};  // by names in lower case
  std::string body = {};
};
using Headers = std::vector<std::pair<std::string, std::string>>;

HttpReply http(Wire& wire, const std::string& method, const std::string& path,
               const Headers& headers, const std::string& body = "");
/// With a connection of its own.
HttpReply http(std::uint16_t port, const std::string& method, const std::string& path,
               const Headers& headers, const std::string& body = "");

/// "127.0.0.1:8128".
std::string host_of(std::uint16_t port);

/// A page's end of a WebSocket.
class PageSocket {
 public:
  /// With the cookie's "NAME=VALUE". Throws std::runtime_error if the server does not upgrade.
  PageSocket(std::uint16_t port, const std::string& cookie);

  bool send(std::string_view text) { return send_frame(0x1, text); }
  bool send_frame(int opcode, std::string_view bytes);
  /// The next text; pings are answered. nullopt at the end of the connection.
  std::optional<std::string> receive();
  /// The code with which the server closed it; 0: none.
  int close_code() const { return close_code_; }

 private:
  Wire wire_;
  int close_code_ = 0;
};

}  // namespace faultline::web
