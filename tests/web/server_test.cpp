// The lab's server, spoken to by sockets, with handlers of its own.
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/web/web_client.h"
#include "web/http_server.h"
#include "web/lab_service.h"

namespace faultline::web {
namespace {

using namespace std::chrono_literals;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";
constexpr const char* kSecret = "fedcba9876543210fedcba9876543210";

/// Waits for what another thread does.
template <class Condition>
bool comes_true(Condition&& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

/// Requests: echo, fail, refuse, wait (until release), large, publish, slow.
class TestLab {
 public:
  explicit TestLab(std::uint16_t port = 0, std::chrono::milliseconds longest_write = 20s)
      : service_([this](const Publish& publish) { return handlers(publish); }) {
    server_ = std::make_unique<HttpServer>(
        ServerOptions{.port = port,
                      .token = kToken,
                      .cookie = kSecret,
                      .page = "<!doctype html><script>1</script>",
                      .longest_write = longest_write},
        [this](std::shared_ptr<PageLine> line) { return service_.open(std::move(line)); });
  }
  ~TestLab() { release(); }

  std::uint16_t port() const { return server_->port(); }
  std::string host() const { return host_of(port()); }
  std::string origin() const { return "http://" + host(); }
  std::string cookie() const { return "faultline-" + std::to_string(port()) + "=" + kSecret; }
  PageSocket open() const { return {port(), cookie()}; }
  void release() {
    if (!std::exchange(released_, true)) release_.set_value();
  }

  std::atomic<int> pages = 0;
  std::atomic<int> answered = 0;

 private:
  PageHandlers handlers(const Publish& publish) {
    ++pages;
    const std::shared_ptr<void> page(nullptr, [this](void*) { --pages; });
    PageHandlers all;
    all.handlers["echo"] = [this, page](const ReportJson& request) {
      ++answered;
      return request;
    };
    all.handlers["fail"] = [](const ReportJson&) -> ReportJson {
      throw std::runtime_error("broken");
    };
    all.handlers["refuse"] = [](const ReportJson&) -> ReportJson {
      throw RequestError("no position", "fen");
    };
    all.handlers["wait"] = [until = released](const ReportJson& request) {
      until.wait();
      return request;
    };
    all.handlers["large"] = [this](const ReportJson&) {
      ++answered;
      return ReportJson(std::string(1U << 20U, 'x'));
    };
    all.handlers["publish"] = [publish](const ReportJson& request) {
      for (int i = 1; i <= 1000; ++i)
        publish("analysis", i);
      return request;
    };
    all.slow["slow"] = [](const ReportJson& request, Answer answer) {
      if (request.contains("wrong")) throw RequestError("wrong", "wrong");
      std::thread([answer = std::move(answer)] { answer.fail(RequestError("stopped")); }).detach();
    };
    return all;
  }

  std::promise<void> release_;
  std::shared_future<void> released = release_.get_future().share();
  bool released_ = false;
  LabService service_;
  std::unique_ptr<HttpServer> server_;
};

/// The next message that is no sign of life.
std::string heard(PageSocket& page) {
  for (;;) {
    const auto text = page.receive();
    if (!text) return "gone, " + std::to_string(page.close_code());
    if (text->find(R"("t":"status")") == std::string::npos) return *text;
  }
}

std::string asked(PageSocket& page, const std::string& text) {
  page.send(text);
  return heard(page);
}

TEST(Server, ServesThePageWithoutACookieAndWithAPolicy) {
  const TestLab lab;
  const HttpReply reply = http(lab.port(), "GET", "/", {{"Host", lab.host()}});
  EXPECT_EQ(reply.status, 200);
  const std::string& policy = reply.headers.at("content-security-policy");
  const std::string nonce = policy.substr(policy.find("'nonce-") + 7, 32);
  EXPECT_EQ(reply.body, "<!doctype html><script nonce=\"" + nonce + "\">1</script>");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(policy.find("connect-src 'self' ws://" + lab.host()), std::string::npos);
  EXPECT_EQ(policy.find("unsafe-inline"), policy.rfind("unsafe-inline")) << "of styles alone";
  EXPECT_EQ(reply.headers.at("x-frame-options"), "DENY");
  EXPECT_EQ(reply.headers.at("x-content-type-options"), "nosniff");
  const HttpReply again = http(lab.port(), "GET", "/?x", {{"Host", lab.host()}});
  EXPECT_EQ(again.body.size(), reply.body.size());
  EXPECT_NE(again.body, reply.body) << "each page has another nonce";
}

TEST(Server, ExchangesTheTokenForACookie) {
  const TestLab lab;
  Wire wire(lab.port());
  const Headers own = {{"Host", lab.host()}, {"Origin", lab.origin()}};
  EXPECT_EQ(http(wire, "POST", "/session", own, "wrong").status, 403);
  EXPECT_EQ(http(wire, "POST", "/session", own, kSecret).status, 403);
  EXPECT_EQ(http(wire, "POST", "/session", {{"Host", lab.host()}}, kToken).status, 403)
      << "no Origin";
  EXPECT_EQ(http(wire, "GET", "/session", own).status, 403);
  const HttpReply reply = http(wire, "POST", "/session", own, kToken);
  EXPECT_EQ(reply.status, 204);
  EXPECT_EQ(reply.headers.at("set-cookie"),
            lab.cookie() + "; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict");
  const Headers known = {{"Host", lab.host()}, {"Cookie", lab.cookie()}};
  EXPECT_EQ(http(wire, "GET", "/session", known).status, 204);
  EXPECT_EQ(http(wire, "GET", "/elsewhere", known).status, 404);
  EXPECT_EQ(http(wire, "DELETE", "/", known).status, 404);
}

TEST(Server, LetsNoOtherSiteIn) {
  const TestLab lab;
  const auto status = [&](const std::string& path, Headers headers) {
    headers.insert(headers.end(), {{"Connection", "Upgrade"},
                                   {"Upgrade", "websocket"},
                                   {"Sec-WebSocket-Version", "13"},
                                   {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}});
    return http(lab.port(), "GET", path, headers).status;
  };
  const std::pair<std::string, std::string> host{"Host", lab.host()},
      origin{"Origin", lab.origin()}, cookie{"Cookie", lab.cookie()};
  EXPECT_EQ(status("/socket", {host, origin, cookie}), 101);
  EXPECT_EQ(status("/socket", {host, origin}), 403) << "no cookie";
  EXPECT_EQ(status("/socket", {host, origin, {"Cookie", cookie.second + "0"}}), 403);
  EXPECT_EQ(status("/socket", {host, {"Origin", "http://evil.example"}, cookie}), 403);
  EXPECT_EQ(status("/socket", {host, {"Origin", "null"}, cookie}), 403);
  EXPECT_EQ(status("/socket", {host, origin, origin, cookie}), 403) << "two origins";
  EXPECT_EQ(status("/socket", {host, cookie}), 404) << "no Origin";
  const std::string evil = "evil.example:" + std::to_string(lab.port());
  EXPECT_EQ(status("/socket", {{"Host", evil}, {"Origin", "http://" + evil}, cookie}), 421);
  EXPECT_EQ(status("/", {{"Host", evil}}), 421) << "DNS rebinding";
  EXPECT_EQ(status("/", {host, host}), 421) << "two hosts";
  EXPECT_EQ(status("/", {}), 421) << "no Host";
  EXPECT_EQ(status("/other", {host, origin, cookie}), 404);
}

TEST(Server, RefusesWhatIsNoRequest) {
  const TestLab lab;
  EXPECT_EQ(
      http(lab.port(), "GET", "/", {{"Host", lab.host()}, {"X", std::string(20'000, 'x')}}).status,
      431);
  EXPECT_EQ(http(lab.port(), "POST", "/session", {{"Host", lab.host()}, {"Origin", lab.origin()}},
                 std::string(5000, 'x'))
                .status,
            413);
  Wire wire(lab.port());
  wire.send("\x16\x03\x01 TLS?\r\n\r\n");
  EXPECT_TRUE(wire.until("\r\n\r\n").value_or("").starts_with("HTTP/1.1 400"));
  EXPECT_FALSE(wire.exactly(1));
}

TEST(Server, AnswersByIdInAnyOrder) {
  TestLab lab;
  PageSocket page = lab.open();
  EXPECT_EQ(asked(page, R"({"id":1,"do":"echo","text":"a"})"), R"({"id":1,"ok":{"text":"a"}})");
  page.send(R"({"id":2,"do":"wait"})");
  EXPECT_EQ(asked(page, R"({"id":3,"do":"echo"})"), R"({"id":3,"ok":{}})");
  lab.release();
  EXPECT_EQ(heard(page), R"({"id":2,"ok":{}})");
  EXPECT_EQ(asked(page, R"({"id":4,"do":"slow"})"), R"({"id":4,"error":"stopped"})");
}

TEST(Server, AnswersWhatIsWrong) {
  const TestLab lab;
  PageSocket page = lab.open();
  EXPECT_EQ(asked(page, R"({"id":1,"do":"fail"})"), R"({"id":1,"error":"broken"})");
  EXPECT_EQ(asked(page, R"({"id":2,"do":"refuse"})"),
            R"({"id":2,"error":"no position","field":"fen"})");
  EXPECT_EQ(asked(page, R"({"id":3,"do":"slow","wrong":1})"),
            R"({"id":3,"error":"wrong","field":"wrong"})");
  EXPECT_EQ(asked(page, R"({"id":4,"do":"ecoh"})"),
            R"({"id":4,"error":"there is no request 'ecoh'; did you mean 'echo'?","field":"do"})");
  EXPECT_EQ(asked(page, "{"), R"({"id":null,"error":"the message is not JSON, at byte 2"})");
  EXPECT_EQ(asked(page, std::string(100'000, '[')),
            R"({"id":null,"error":"the message is nested more than 32 deep"})");
  EXPECT_EQ(asked(page, R"({"id":5,"do":"echo"})"), R"({"id":5,"ok":{}})") << "it goes on";
}

TEST(Server, EndsWhatNoPageSends) {
  const TestLab lab;
  PageSocket binary = lab.open();
  binary.send_frame(0x2, "x");
  EXPECT_EQ(heard(binary), "gone, 1003");
  PageSocket garbled = lab.open();
  garbled.send("\xff\xfe");
  EXPECT_EQ(heard(garbled), "gone, 1007");
  PageSocket large = lab.open();
  large.send(std::string((1U << 20U) + 1, ' '));
  EXPECT_EQ(heard(large), "gone, 1009");
  PageSocket fits = lab.open();
  EXPECT_EQ(asked(fits, std::string(1U << 20U, ' ')),
            R"({"id":null,"error":"the message is not JSON, at byte 1048577"})");
}

TEST(Server, PublishesTheLatest) {
  const TestLab lab;
  PageSocket page = lab.open();
  page.send(R"({"id":1,"do":"publish"})");
  int messages = 0;
  for (std::string text; text.find("1000}") == std::string::npos; ++messages)
    text = heard(page);
  EXPECT_LE(messages, 1002);
}

TEST(Server, SaysThatItIsThere) {
  const TestLab lab;
  PageSocket page = lab.open();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(page.receive(), R"({"t":"status","v":1,"report":{"connected":true}})");
  EXPECT_EQ(page.receive(), R"({"t":"status","v":2,"report":{"connected":true}})");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
}

TEST(Server, ReadsAHundredMessagesASecond) {
  const TestLab lab;
  PageSocket page = lab.open();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 151; ++i)
    page.send(R"({"id":1,"do":"echo"})");
  for (int i = 0; i < 151; ++i)
    EXPECT_EQ(heard(page), R"({"id":1,"ok":{}})");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 900ms);
}

TEST(Server, LeavesAPageThatNeverReads) {
  TestLab lab(0, 500ms);
  {
    const auto page = std::make_unique<PageSocket>(lab.open());
    for (int i = 0; i < 120; ++i)
      page->send(R"({"id":1,"do":"large"})");
    EXPECT_TRUE(comes_true([&] { return lab.answered > 0; }));
    EXPECT_TRUE(comes_true([&] { return lab.pages == 0; })) << "though its socket is open";
  }
  // Those that it was answering, what fills a megabyte, and what the system has taken.
  EXPECT_LE(lab.answered, 32 + 2 + 16);
  PageSocket other = lab.open();
  EXPECT_EQ(asked(other, R"({"id":1,"do":"echo"})"), R"({"id":1,"ok":{}})");
}

TEST(Server, APageThatWaitsHoldsUpNoOther) {
  TestLab lab;
  PageSocket first = lab.open();
  for (int i = 0; i < 20; ++i)
    first.send(R"({"id":1,"do":"wait"})");
  PageSocket second = lab.open();
  EXPECT_EQ(asked(second, R"({"id":2,"do":"echo"})"), R"({"id":2,"ok":{}})");
  lab.release();
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(heard(first), R"({"id":1,"ok":{}})");
}

TEST(Server, ServesTenPages) {
  TestLab lab;
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int client = 0; client < 10; ++client)
    threads.emplace_back([&lab, &right, client] {
      PageSocket page = lab.open();
      for (int i = 0; i < 20; ++i) {
        const std::string id = std::to_string(client * 100 + i);
        right +=
            asked(page, R"({"id":)" + id + R"(,"do":"echo"})") == R"({"id":)" + id + R"(,"ok":{}})";
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(right, 200);
  EXPECT_TRUE(comes_true([&] { return lab.pages == 0; }));
}

TEST(Server, HasRoomForSixtyFourPages) {
  const TestLab lab;
  std::vector<PageSocket> pages;
  for (int i = 0; i < 64; ++i)
    pages.push_back(lab.open());
  EXPECT_THROW(lab.open(), std::runtime_error);
  pages.pop_back();
  EXPECT_TRUE(comes_true([&] {
    try {
      pages.push_back(lab.open());
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  }));
}

TEST(Server, TakesLeaveAndComesBack) {
  auto lab = std::make_unique<TestLab>();
  const std::uint16_t port = lab->port();
  const std::string cookie = lab->cookie();
  PageSocket page = lab->open();
  EXPECT_EQ(asked(page, R"({"id":1,"do":"echo"})"), R"({"id":1,"ok":{}})");  // it has been accepted
  std::thread end([&] { lab.reset(); });
  EXPECT_EQ(heard(page), "gone, 1001");
  end.join();
  EXPECT_THROW(PageSocket(port, cookie), std::system_error);
  const TestLab again(port);
  PageSocket back(port, cookie);
  EXPECT_EQ(asked(back, R"({"id":1,"do":"echo"})"), R"({"id":1,"ok":{}})");
}

TEST(Server, EndsWhilePagesAsk) {
  auto lab = std::make_unique<TestLab>();
  PageSocket page = lab->open();
  for (int i = 0; i < 10; ++i) {
    page.send(R"({"id":1,"do":"wait"})");
    page.send(R"({"id":2,"do":"publish"})");
  }
  Wire idle(lab->port());
  lab.reset();
}

TEST(Server, TakesAnotherPortOrSaysThatItIsTaken) {
  const TestLab lab;
  EXPECT_THROW(TestLab{lab.port()}, ListenError);
  HttpServer next({.port = lab.port(), .more_ports = 20, .token = "t", .cookie = "c"}, nullptr);
  EXPECT_GT(next.port(), lab.port());
  EXPECT_EQ(next.url(), "http://" + host_of(next.port()) + "/");
  EXPECT_TRUE(next.is_local());
  EXPECT_THROW(HttpServer({.host = "no such host", .token = "t", .cookie = "c"}, nullptr),
               ListenError);
}

}  // namespace
}  // namespace faultline::web
