#include "tests/web/web_client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace faultline::web {

Wire::Wire(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    const int error = errno;
    ::close(socket_);
    throw std::system_error(error, std::generic_category(), "connect");
  }
}

Wire::~Wire() {
  if (socket_ >= 0) ::close(socket_);
}

bool Wire::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool Wire::receive() {
  pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
  constexpr int kPatience = 10'000;
  if (::poll(&input, 1, kPatience) == 0) throw std::runtime_error("the server says nothing");
  std::array<char, 65536> bytes;
  const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (count <= 0) return false;
  read_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> Wire::until(std::string_view end) {
  std::size_t at = 0;
  while ((at = read_.find(end)) == std::string::npos)
    if (!receive()) return std::nullopt;
  std::string text = read_.substr(0, at);
  read_.erase(0, at + end.size());
  return text;
}

std::optional<std::string> Wire::exactly(std::size_t count) {
  while (read_.size() < count)
    if (!receive()) return std::nullopt;
  std::string bytes = read_.substr(0, count);
  read_.erase(0, count);
  return bytes;
}

HttpReply http(Wire& wire, const std::string& method, const std::string& path,
               const Headers& headers, const std::string& body) {
  std::string request = method + " " + path + " HTTP/1.1\r\n";
  for (const auto& [name, value] : headers)
    request += name + ": " + value + "\r\n";
  if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  wire.send(request + "\r\n" + body);
  const auto head = wire.until("\r\n\r\n");
  HttpReply reply;
  if (!head) return reply;
  reply.status = std::stoi(head->substr(head->find(' ')));
  for (std::size_t at = head->find("\r\n"); at != std::string::npos;
       at = head->find("\r\n", at + 2)) {
    const std::string line = head->substr(at + 2, head->find("\r\n", at + 2) - at - 2);
    std::string name = line.substr(0, line.find(':'));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    reply.headers[name] = line.substr(std::min(line.find(':') + 2, line.size()));
  }
  if (const auto length = reply.headers.find("content-length"); length != reply.headers.end())
    reply.body = wire.exactly(std::stoul(length->second)).value_or("");
  return reply;
}

HttpReply http(std::uint16_t port, const std::string& method, const std::string& path,
               const Headers& headers, const std::string& body) {
  Wire wire(port);
  return http(wire, method, path, headers, body);
}

std::string host_of(std::uint16_t port) {
  return "127.0.0.1:" + std::to_string(port);
}

PageSocket::PageSocket(std::uint16_t port, const std::string& cookie) : wire_(port) {
  const HttpReply reply = http(wire_, "GET", "/socket",
                               {{"Host", host_of(port)},
                                {"Origin", "http://" + host_of(port)},
                                {"Cookie", cookie},
                                {"Connection", "Upgrade"},
                                {"Upgrade", "websocket"},
                                {"Sec-WebSocket-Version", "13"},
                                {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}});
  if (reply.status != 101)
    throw std::runtime_error("no WebSocket: " + std::to_string(reply.status));
}

bool PageSocket::send_frame(int opcode, std::string_view bytes) {
  std::string frame(1, static_cast<char>(0x80 | opcode));
  const std::size_t size = bytes.size();
  if (size < 126) {
    frame += static_cast<char>(0x80U | size);
  } else if (size < 65536) {
    frame += static_cast<char>(0x80U | 126U);
    for (const unsigned shift : {8U, 0U})
      frame += static_cast<char>(size >> shift);
  } else {
    frame += static_cast<char>(0x80U | 127U);
    for (unsigned shift = 64; shift > 0; shift -= 8)
      frame += static_cast<char>(size >> (shift - 8));
  }
  frame += std::string(4, '\0');  // a mask that changes nothing
  return wire_.send(frame) && wire_.send(bytes);
}

std::optional<std::string> PageSocket::receive() {
  for (;;) {
    const auto head = wire_.exactly(2);
    if (!head) return std::nullopt;
    const int opcode = (*head)[0] & 0x0F;
    std::size_t size = static_cast<unsigned char>((*head)[1]);
    if (const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0; more > 0) {
      const auto bytes = wire_.exactly(more);
      if (!bytes) return std::nullopt;
      size = 0;
      for (const char byte : *bytes)
        size = size << 8U | static_cast<unsigned char>(byte);
    }
    auto text = wire_.exactly(size);
    if (!text) return std::nullopt;
    if (opcode == 0x1) return text;
    if (opcode == 0x9) send_frame(0xA, *text);
    if (opcode == 0x8 && size >= 2) {
      close_code_ =
          static_cast<unsigned char>((*text)[0]) << 8 | static_cast<unsigned char>((*text)[1]);
      send_frame(0x8, *text);
    }
  }
}

}  // namespace faultline::web
