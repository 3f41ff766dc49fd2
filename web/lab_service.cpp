#include "web/lab_service.h"

#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "web/message.h"

namespace faultline::web {
namespace {

/// Requests of one page that are answered at the same time; the others wait, so that no page takes
/// the threads of all.
constexpr int kMostAtOnce = 4;

/// A page and what answers it. Destroyed on a thread of the workers.
class Page : public std::enable_shared_from_this<Page> {
 public:
  Page(std::shared_ptr<PageLine> line, const MakeHandlers& make, WorkerThreads& workers)
      : line_(std::move(line)), workers_(workers) {
    parts_ = make([to = line_](const std::string& topic, ReportJson report) {
      to->publish(topic, std::move(report));
    });
  }

  void receive(std::string text) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(text));
      if (running_ == kMostAtOnce) return;
      ++running_;
    }
    workers_.run([self = shared_from_this()] { self->answer_all(); });
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }

 private:
  void answer_all() {
    for (;;) {
      std::string text;
      {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) {
          --running_;
          return;
        }
        text = std::move(waiting_.front());
        waiting_.pop_front();
      }
      answer(text);
    }
  }

  void answer(const std::string& text) {
    const Message message = read_message(text);
    try {
      if (!message.wrong.empty()) throw RequestError(message.wrong, message.field);
      if (const auto quick = parts_.handlers.find(message.name); quick != parts_.handlers.end())
        line_->answer(reply_text(message.id, quick->second(message.fields)));
      else if (const auto slow = parts_.slow.find(message.name); slow != parts_.slow.end())
        slow->second(message.fields, answer_to(message.id));
      else
        refuse(message.name);
    } catch (const RequestError& error) {
      line_->answer(error_text(message.id, error.what(), error.field()));
    } catch (const std::exception& error) {
      line_->answer(error_text(message.id, error.what(), ""));
    }
  }

  /// It does not hold this page, which holds what will call it.
  Answer answer_to(const ReportJson& id) const {
    return {.reply = [to = line_,
                      id](ReportJson reply) { to->answer(reply_text(id, std::move(reply))); },
            .fail =
                [to = line_, id](const RequestError& error) {
                  to->answer(error_text(id, error.what(), error.field()));
                }};
  }

  [[noreturn]] void refuse(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, handler] : parts_.handlers)
      names.push_back(known);
    for (const auto& [known, handler] : parts_.slow)
      names.push_back(known);
    throw RequestError(
        "there is no request " + quote(name) + did_you_mean(nearest_name(name, names)), "do");
  }

  const std::shared_ptr<PageLine> line_;
  WorkerThreads& workers_;
  PageHandlers parts_;
  std::mutex mutex_;
  std::deque<std::string> waiting_;  // guarded by mutex_
  int running_ = 0;                  // requests that are being answered; guarded by mutex_
};

/// The server's end of a page.
class Listener : public PageListener {
 public:
  Listener(std::shared_ptr<Page> page, WorkerThreads& workers)
      : page_(std::move(page)), workers_(workers) {}
  ~Listener() override {
    page_->forget();
    workers_.run([page = std::move(page_)]() mutable { page.reset(); });
  }
  void receive(std::string text) override { page_->receive(std::move(text)); }

 private:
  std::shared_ptr<Page> page_;
  WorkerThreads& workers_;
};

}  // namespace

std::unique_ptr<PageListener> LabService::open(std::shared_ptr<PageLine> line) {
  return std::make_unique<Listener>(std::make_shared<Page>(std::move(line), make_, workers_),
                                    workers_);
}

}  // namespace faultline::web
