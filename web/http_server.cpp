#include "web/http_server.h"

#include <chrono>
#include <exception>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>

#include "base/machine_shortage.h"
#include "base/quote.h"
#include "web/access.h"
#include "web/websocket_session.h"

namespace faultline::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::uint32_t kLongestHeader = 16U << 10U;
constexpr std::uint64_t kLongestBody = 1024;  // a token's
constexpr auto kPatience = std::chrono::seconds(30);
/// Of connections that are no pages yet, and of pages; more have to wait, or are refused.
constexpr std::size_t kMostConnections = 256;
constexpr std::size_t kMostPages = 64;

std::string_view text_of(beast::string_view view) {
  return {view.data(), view.size()};
}

/// The page with a nonce in its script's tag, and the policy that runs no other script.
struct SafePage {
  std::string html;
  std::string policy;

  SafePage(std::string_view page, std::string_view host) : html(page) {
    const std::string nonce = random_secret();
    constexpr std::string_view kTag = "<script>";
    if (const std::size_t at = html.find(kTag); at != std::string::npos)
      html.replace(at, kTag.size(), fmt::format("<script nonce=\"{}\">", nonce));
    policy = fmt::format(
        "default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data: "
        "blob:; "
        "connect-src 'self' ws://{} wss://{}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
        nonce, host, host);
  }
};

}  // namespace

struct HttpServer::State {
  State(ServerOptions given, OpenPage opens);
  ~State();

  class Connection;

  void listen(const tcp::endpoint& wanted);
  void run();
  void accept();
  void await_leaves();
  void accepted(error_code error, tcp::socket socket);

  const ServerOptions options;
  const OpenPage open;
  std::size_t connections = 0;  // before `io`, whose end ends them
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer retry{io};
  bool local = false;
  std::optional<Access> access;
  bool leaving = false;
  int leave_looks = 0;
  std::list<std::shared_ptr<WebsocketSession>> pages;
  std::thread thread;
};

/// A connection before it becomes a page's: requests, one after the other.
class HttpServer::State::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, State& server) : stream_(std::move(socket)), server_(server) {
    ++server_.connections;
  }
  ~Connection() { --server_.connections; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(kLongestHeader);
    parser_->body_limit(kLongestBody);
    stream_.expires_after(kPatience);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->received(error); });
  }

 private:
  void received(error_code error) {
    if (error == http::error::header_limit)
      return refuse(http::status::request_header_fields_too_large);
    if (error == http::error::body_limit) return refuse(http::status::payload_too_large);
    static const auto& http_errors = http::make_error_code(http::error::bad_method).category();
    if (error.category() == http_errors && error != http::error::end_of_stream &&
        error != http::error::partial_message)
      return refuse(http::status::bad_request);
    if (error || server_.leaving) return;  // the connection ends with this object
    handle(parser_->release());
  }

  /// Before the request has been read: the connection ends.
  void refuse(http::status status) {
    Response response(status, 11);
    response.keep_alive(false);
    send(std::move(response));
  }

  void handle(Request request) {
    const std::string_view host = text_of(request[http::field::host]);
    const std::string_view origin = text_of(request[http::field::origin]);
    const bool with_origin = request.count(http::field::origin) > 0;
    if (request.count(http::field::host) != 1 || !server_.access->is_host(host))
      return answer(request, http::status::misdirected_request,
                    "This is no name of the lab: open the URL that `faultline lab` printed.\n");
    if (request.count(http::field::origin) > 1 ||
        (with_origin && !Access::is_own_origin(origin, host)))
      return answer(request, http::status::forbidden, "Another site's page may not ask the lab.\n");
    const std::string_view path = text_of(request.target());
    if (request.method() == http::verb::get && (path == "/" || path.starts_with("/?")))
      return send_page(request);
    if (request.method() == http::verb::post && path == "/session" && with_origin)
      return exchange_token(request, origin);
    if (!server_.access->has_cookie(text_of(request[http::field::cookie])))
      return answer(
          request, http::status::forbidden,
          "The lab does not know this browser: open the URL that `faultline lab` printed.\n");
    if (request.method() == http::verb::get && path == "/session")
      return answer(request, http::status::no_content, "");
    if (path == "/socket" && with_origin && beast::websocket::is_upgrade(request))
      return become_page(std::move(request));
    answer(request, http::status::not_found, "There is nothing here.\n");
  }

  void exchange_token(const Request& request, std::string_view origin) {
    if (!server_.access->is_token(request.body()))
      return answer(request, http::status::forbidden,
                    "This is not the lab's token: open the URL that `faultline lab` printed.\n");
    Response response = response_to(request, http::status::no_content);
    response.set(http::field::set_cookie, server_.access->set_cookie(origin));
    send(std::move(response));
  }

  void send_page(const Request& request) {
    SafePage page(server_.options.page, text_of(request[http::field::host]));
    Response response = response_to(request, http::status::ok);
    response.set(http::field::content_type, "text/html; charset=utf-8");
    response.set("Content-Security-Policy", page.policy);
    response.body() = std::move(page.html);
    send(std::move(response));
  }

  void become_page(Request request) {
    if (server_.pages.size() >= kMostPages)
      return answer(request, http::status::service_unavailable, "Too many pages are open.\n");
    auto& pages = server_.pages;
    const auto place = pages.insert(pages.end(), nullptr);
    *place = start_session(
        std::move(stream_), std::move(request),
        {.compressed = !server_.local, .longest_write = server_.options.longest_write},
        server_.open, [&pages, place] { pages.erase(place); });
  }

  static Response response_to(const Request& request, http::status status) {
    Response response(status, request.version());
    response.keep_alive(request.keep_alive());
    return response;
  }

  void answer(const Request& request, http::status status, std::string_view text) {
    Response response = response_to(request, status);
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = text;
    send(std::move(response));
  }

  void send(Response response) {
    response.set(http::field::server, "faultline");
    response.set(http::field::cache_control, "no-store");
    response.set(http::field::x_frame_options, "DENY");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    if (response.find("Content-Security-Policy") == response.end())
      response.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response.prepare_payload();
    const auto kept = std::make_shared<Response>(std::move(response));
    stream_.expires_after(kPatience);
    http::async_write(stream_, *kept,
                      [self = shared_from_this(), kept](error_code error, std::size_t) {
                        if (error) return;
                        if (kept->keep_alive()) return self->read();
                        error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  beast::tcp_stream stream_;
  State& server_;
  beast::flat_buffer buffer_{kLongestHeader + kLongestBody};
  std::optional<http::request_parser<http::string_body>> parser_;
};

HttpServer::State::State(ServerOptions given, OpenPage opens)
    : options(std::move(given)), open(std::move(opens)) {
  tcp::resolver resolver(io);
  error_code error;
  const auto found = resolver.resolve(options.host, std::to_string(options.port), error);
  if (error || found.empty())
    throw ListenError(quote(options.host, 100) +
                      " is no address of this machine: " + error.message());
  listen(found.begin()->endpoint());
  local = acceptor.local_endpoint().address().is_loopback();
  access.emplace(acceptor.local_endpoint().port(), true, options.names, options.token,
                 options.cookie);
  accept();
  thread = std::thread([this] { run(); });
}

/// Pages get a moment to hear it.
HttpServer::State::~State() {
  asio::post(io, [this] {
    leaving = true;
    error_code ignored;
    acceptor.close(ignored);
    retry.cancel();
    const auto all = pages;  // which changes meanwhile
    for (const auto& page : all)
      page->leave();
    await_leaves();
  });
  thread.join();
  while (!pages.empty()) {
    const auto page = pages.front();
    page->abandon();  // which leaves the list
  }
}

/// Ends the thread once all pages have gone, or after a while.
void HttpServer::State::await_leaves() {
  constexpr auto kLook = std::chrono::milliseconds(10);
  constexpr int kLooks = 200;
  if (pages.empty() || ++leave_looks > kLooks) return io.stop();
  retry.expires_after(kLook);
  retry.async_wait([this](error_code) { await_leaves(); });
}

void HttpServer::State::listen(const tcp::endpoint& wanted) {
  error_code error;
  for (int more = 0; more <= options.more_ports; ++more) {
    const tcp::endpoint endpoint(wanted.address(),
                                 static_cast<std::uint16_t>(wanted.port() + more));
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error) return;
    error_code ignored;
    acceptor.close(ignored);
    if (error != asio::error::address_in_use) break;
  }
  const std::string what = fmt::format("{}:{}", options.host, wanted.port());
  if (error == asio::error::address_in_use)
    throw ListenError(what + " is taken by another program; another port, or 0 for any, would do");
  const std::string advice =
      shortage_advice(std::error_code(error.value(), std::generic_category()));
  throw ListenError(what + " cannot be listened on: " + error.message() +
                    (advice.empty() ? "" : "; " + advice));
}

/// Until the destructor stops it: what one connection lacks memory for does not end the others.
void HttpServer::State::run() {
  while (!io.stopped())
    try {
      io.run();
    } catch (const std::exception&) {
    }
}

void HttpServer::State::accept() {
  acceptor.async_accept(
      [this](error_code error, tcp::socket socket) { accepted(error, std::move(socket)); });
}

void HttpServer::State::accepted(error_code error, tcp::socket socket) {
  if (leaving) return;
  if (!error && connections < kMostConnections) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<Connection>(std::move(socket), *this)->read();
  }
  if (!error) return accept();
  // Out of files, for example: others may be closed soon.
  constexpr auto kPause = std::chrono::milliseconds(100);
  retry.expires_after(kPause);
  retry.async_wait([this](error_code cancelled) {
    if (!cancelled && !leaving) accept();
  });
}

HttpServer::HttpServer(ServerOptions options, OpenPage open)
    : state_(std::make_unique<State>(std::move(options), std::move(open))) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const {
  return state_->acceptor.local_endpoint().port();
}

bool HttpServer::is_local() const {
  return state_->local;
}

std::string HttpServer::url() const {
  const auto endpoint = state_->acceptor.local_endpoint();
  const auto& names = state_->options.names;
  if (!names.empty()) {
    const std::string& name = names.front();
    return "http://" + name +
           (name.find(':') == std::string::npos ? fmt::format(":{}/", port()) : "/");
  }
  const std::string address = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("http://[{}]:{}/", address, port())
                                    : fmt::format("http://{}:{}/", address, port());
}

}  // namespace faultline::web
