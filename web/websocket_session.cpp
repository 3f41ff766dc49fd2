#include "web/websocket_session.h"

#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include "web/topics.h"

namespace faultline::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Clock = std::chrono::steady_clock;
using boost::system::error_code;

/// Games and configurations come as texts; nothing else is long.
constexpr std::size_t kLongestMessage = std::size_t{1} << 20U;
/// Messages that are read before one of them is answered: the page waits.
constexpr int kMostUnanswered = 32;
/// Of a message, after which the page is taken to have gone.
constexpr auto kLongestWrite = std::chrono::seconds(20);
/// Likewise, without a sign of life, which is asked for after half the time.
constexpr auto kLongestSilence = std::chrono::seconds(30);
constexpr auto kLongestHandshake = std::chrono::seconds(5);
constexpr auto kTick = std::chrono::milliseconds(500);
/// Without a message, after which a page hears that the server is there, at the next tick.
constexpr auto kQuiet = std::chrono::milliseconds(900);
/// Messages that are read in a tick; the page waits.
constexpr int kMostPerTick = 50;

class Session : public WebsocketSession, public std::enable_shared_from_this<Session> {
 public:
  Session(beast::tcp_stream stream, bool compressed, std::function<void()> gone)
      : websocket_(std::move(stream)),
        timer_(websocket_.get_executor()),
        buffer_(kLongestMessage),
        gone_(std::move(gone)) {
    beast::get_lowest_layer(websocket_).expires_never();
    websocket_.set_option(websocket::stream_base::timeout{.handshake_timeout = kLongestHandshake,
                                                          .idle_timeout = kLongestSilence,
                                                          .keep_alive_pings = true});
    websocket_.set_option(websocket::stream_base::decorator([](websocket::response_type& reply) {
      reply.set(beast::http::field::server, "faultline");
    }));
    websocket::permessage_deflate deflate;
    deflate.server_enable = compressed;
    websocket_.set_option(deflate);
    websocket_.auto_fragment(false);
    websocket_.read_message_max(kLongestMessage);
    websocket_.text(true);
  }

  void start(beast::http::request<beast::http::string_body> request, const OpenPage& open);

  void leave() override { close(websocket::close_code::going_away); }
  void abandon() override { end(); }

  void answer(std::string text) {
    --unanswered_;
    if (closing_) return;
    topics_.reply(std::move(text));
    go_on();
  }
  void publish(const std::string& topic, ReportJson report) {
    if (closing_) return;
    topics_.publish(topic, std::move(report));
    go_on();
  }

 private:
  class Line;

  void opened(const OpenPage& open);
  void go_on();
  void write_next();
  void written(error_code error);
  void read_next();
  void read(error_code error);
  void wait();
  void tick();
  void close(websocket::close_code code);
  void end();

  websocket::stream<beast::tcp_stream> websocket_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::function<void()> gone_;
  std::shared_ptr<Line> line_;
  std::unique_ptr<PageListener> listener_;  // null before the handshake, and after the end
  Topics topics_;
  std::string writing_;                     // must stay where it is until it is written
  std::optional<Clock::time_point> began_;  // of the write that goes on
  Clock::time_point wrote_ = Clock::now();
  Clock::time_point closed_;
  bool reading_ = false;
  bool closing_ = false;
  int unanswered_ = 0;
  int budget_ = kMostPerTick;  // messages that may still be read before the next tick
};

/// Hands what other threads send to the server's. It may outlive session and server.
class Session::Line : public PageLine {
 public:
  Line(asio::any_io_executor executor, std::weak_ptr<Session> session)
      : executor_(std::move(executor)), session_(std::move(session)) {}

  void answer(std::string text) override {
    post([text = std::move(text)](Session& session) mutable { session.answer(std::move(text)); });
  }
  void publish(const std::string& topic, ReportJson report) override {
    post([topic, report = std::move(report)](Session& session) mutable {
      session.publish(topic, std::move(report));
    });
  }
  void cut() {
    const std::lock_guard lock(mutex_);
    executor_.reset();
  }

 private:
  template <class Action>
  void post(Action action) {
    const std::lock_guard lock(mutex_);
    if (!executor_) return;
    asio::post(*executor_, [session = session_, action = std::move(action)]() mutable {
      if (const auto there = session.lock()) action(*there);
    });
  }

  std::mutex mutex_;
  std::optional<asio::any_io_executor> executor_;  // none: the page has gone; guarded by mutex_
  const std::weak_ptr<Session> session_;
};

void Session::start(beast::http::request<beast::http::string_body> request, const OpenPage& open) {
  line_ = std::make_shared<Line>(websocket_.get_executor(), weak_from_this());
  const auto kept =
      std::make_shared<beast::http::request<beast::http::string_body>>(std::move(request));
  websocket_.async_accept(*kept, [self = shared_from_this(), kept, &open](error_code error) {
    if (error || self->closing_) return self->end();
    self->opened(open);
  });
}

void Session::opened(const OpenPage& open) {
  try {
    listener_ = open(line_);
  } catch (const std::exception&) {  // the machine is short of something
    return close(websocket::close_code::internal_error);
  }
  wait();
  read_next();
}

void Session::go_on() {
  if (topics_.overflowing()) return close(websocket::close_code::try_again_later);
  write_next();
  read_next();
}

void Session::write_next() {
  if (began_ || closing_) return;
  std::optional<std::string> message = topics_.next();
  if (!message) return;
  writing_ = std::move(*message);
  began_ = Clock::now();
  websocket_.async_write(
      asio::buffer(writing_),
      [self = shared_from_this()](error_code error, std::size_t) { self->written(error); });
}

void Session::written(error_code error) {
  began_.reset();
  wrote_ = Clock::now();
  writing_ = {};
  if (error) return end();
  if (!closing_) go_on();
}

void Session::read_next() {
  if (reading_ || closing_ || budget_ == 0 || unanswered_ >= kMostUnanswered || topics_.congested())
    return;
  reading_ = true;
  websocket_.async_read(
      buffer_, [self = shared_from_this()](error_code error, std::size_t) { self->read(error); });
}

void Session::read(error_code error) {
  reading_ = false;
  if (error) return end();
  if (closing_) return;
  if (!websocket_.got_text()) return close(websocket::close_code::unknown_data);
  std::string text = beast::buffers_to_string(buffer_.data());
  buffer_.clear();
  buffer_.shrink_to_fit();
  ++unanswered_;
  --budget_;
  listener_->receive(std::move(text));
  read_next();
}

void Session::wait() {
  timer_.expires_after(kTick);
  timer_.async_wait([self = shared_from_this()](error_code error) {
    if (!error) self->tick();
  });
}

void Session::tick() {
  const auto now = Clock::now();
  if ((began_ && now - *began_ > kLongestWrite) || (closing_ && now - closed_ > kLongestHandshake))
    return end();
  budget_ = kMostPerTick;
  if (!began_ && now - wrote_ >= kQuiet) topics_.publish("status", ReportJson{{"connected", true}});
  if (!closing_) go_on();
  wait();
}

void Session::close(websocket::close_code code) {
  if (closing_) return;
  closing_ = true;
  closed_ = Clock::now();
  topics_ = {};
  listener_.reset();
  line_->cut();
  if (!websocket_.is_open()) return end();
  websocket_.async_close(code, [self = shared_from_this()](error_code) { self->end(); });
}

void Session::end() {
  closing_ = true;
  topics_ = {};
  listener_.reset();
  if (line_) line_->cut();
  timer_.cancel();
  beast::get_lowest_layer(websocket_).close();
  if (gone_) std::exchange(gone_, nullptr)();
}

}  // namespace

std::shared_ptr<WebsocketSession> start_session(
    beast::tcp_stream stream, beast::http::request<beast::http::string_body> request,
    bool compressed, const OpenPage& open, std::function<void()> gone) {
  auto session = std::make_shared<Session>(std::move(stream), compressed, std::move(gone));
  session->start(std::move(request), open);
  return session;
}

}  // namespace faultline::web
