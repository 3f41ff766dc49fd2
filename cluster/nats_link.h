// A connection to a NATS server: what the cluster uses of its C library.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cluster/nats_place.h"

struct __natsConnection;
struct __natsSubscription;

namespace faultline {

class NatsError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    Lost,     // the server does not answer: connect anew
    Denied,   // it refuses these credentials or their rights, or has another certificate
    Nobody,   // nobody listens to the subject
    Refused,  // JetStream refuses it; code()
  };
  NatsError(Kind kind, const std::string& what, int code = 0)
      : std::runtime_error(what), kind_(kind), code_(code) {}
  Kind kind() const { return kind_; }
  int code() const { return code_; }

 private:
  Kind kind_;
  int code_;
};

struct NatsMessage {
  std::string subject = {};
  std::string reply = {};  // where an answer goes; "": nowhere
  std::string data = {};
  int status = 0;              // 0: a message; otherwise the server's word instead of one
  std::uint64_t sequence = 0;  // in its stream; 0: not said
};

/// Messages of a subject as they come.
class NatsInbox {
 public:
  /// The next one, if there is one in time. Throws NatsError if there will be none.
  std::optional<NatsMessage> next(std::chrono::milliseconds wait);

 private:
  friend class NatsLink;
  std::shared_ptr<__natsSubscription> subscription_;
  std::string subject_;
};

/// Used by one thread. What it throws is NatsError; after Kind::Lost a new one must be made.
class NatsLink {
 public:
  /// Connects; waits at most `patience` for this and for each answer.
  explicit NatsLink(const NatsPlace& place,
                    std::chrono::milliseconds patience = std::chrono::milliseconds(2'000));

  NatsInbox subscribe(const std::string& subject);
  void publish(const std::string& subject, std::string_view data, const std::string& reply = {});
  NatsMessage request(const std::string& subject, std::string_view data);
  /// JetStream stores it. `after`: only if the subject's last message has this number (0: none).
  void store(const std::string& subject, std::string_view data,
             std::optional<std::uint64_t> after = std::nullopt);
  /// A request to JetStream: "$JS.API." is put before the subject.
  void ask_jetstream(const std::string& subject, const nlohmann::json& request);
  /// The last stored message of a subject; nothing if there is none.
  std::optional<NatsMessage> stored(const std::string& stream, const std::string& subject);
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience.count(); }
  /// Of one message, in bytes.
  std::size_t most() const;

 private:
  NatsMessage request(const std::string& subject, std::string_view data,
                      std::optional<std::uint64_t> after);
  void require_stored(const std::string& subject, const NatsMessage& answer) const;

  std::shared_ptr<__natsConnection> connection_;
  std::string server_;
  std::int64_t patience_;
};

}  // namespace faultline
