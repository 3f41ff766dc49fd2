// A connection to a NATS server.
#include "cluster/nats_link.h"

#include <cstdlib>

#include <fmt/format.h>
#include <nats/nats.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace faultline {
namespace {

using Kind = NatsError::Kind;
using Message = std::unique_ptr<natsMsg, decltype(&natsMsg_Destroy)>;
using Options = std::unique_ptr<natsOptions, decltype(&natsOptions_Destroy)>;

void require_ok(natsStatus status, const std::string& what) {
  if (status == NATS_OK) return;
  const char* const detail = nats_GetLastError(nullptr);
  const bool denied = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED ||
                      status == NATS_SSL_ERROR || status == NATS_SECURE_CONNECTION_REQUIRED ||
                      status == NATS_SECURE_CONNECTION_WANTED;
  throw NatsError(
      denied ? Kind::Denied : Kind::Lost,
      fmt::format("{}: {}{}", what, natsStatus_GetText(status),
                  detail != nullptr && *detail != 0 ? fmt::format(" ({})", detail) : ""));
}

const char* header(natsMsg* message, const char* key) {
  const char* value = nullptr;
  return natsMsgHeader_Get(message, key, &value) == NATS_OK && value != nullptr ? value : "";
}

NatsMessage contents_of(natsMsg* message) {
  const auto text = [](const char* value) { return std::string(value != nullptr ? value : ""); };
  return {
      .subject = text(natsMsg_GetSubject(message)),
      .reply = text(natsMsg_GetReply(message)),
      .data = {natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))},
      .status = std::atoi(header(message, "Status")),
      .sequence = std::strtoull(header(message, "Nats-Sequence"), nullptr, 10)};
}

Options options_for(const NatsPlace& place, std::int64_t patience) {
  natsOptions* made = nullptr;
  require_ok(natsOptions_Create(&made), place.server);
  Options options(made, natsOptions_Destroy);
  const auto set = [&](natsStatus status) { require_ok(status, place.server); };
  set(natsOptions_SetURL(made, place.server.c_str()));
  set(natsOptions_SetTimeout(made, patience));
  // A connection that is lost is made anew with all that belongs to it.
  set(natsOptions_SetAllowReconnect(made, false));
  set(natsOptions_SetPingInterval(made, patience));
  set(natsOptions_SetMaxPingsOut(made, 2));
  set(natsOptions_SetCustomInboxPrefix(made, ("inbox." + place.user).c_str()));
  if (!place.password.empty())
    set(natsOptions_SetUserInfo(made, place.user.c_str(), place.password.c_str()));
  if (place.is_secure()) {
    set(natsOptions_SetSecure(made, true));
    set(natsOptions_SetExpectedHostname(made, place.host.c_str()));
    if (!place.ca.empty())
      require_ok(natsOptions_LoadCATrustedCertificates(made, place.ca.c_str()), place.ca.string());
  }
  // What a server forbids is said by what then does not happen; the library would print it.
  set(natsOptions_SetErrorHandler(
      made, [](natsConnection*, natsSubscription*, natsStatus, void*) {}, nullptr));
  return options;
}

}  // namespace

std::optional<NatsMessage> NatsInbox::next(std::chrono::milliseconds wait) {
  natsMsg* found = nullptr;
  const natsStatus status = natsSubscription_NextMsg(&found, subscription_.get(), wait.count());
  if (status == NATS_TIMEOUT) return std::nullopt;
  if (status == NATS_SLOW_CONSUMER)
    return std::nullopt;  // some were lost; whoever sent them asks again
  require_ok(status, subject_);
  const Message message(found, natsMsg_Destroy);
  return contents_of(found);
}

NatsLink::NatsLink(const NatsPlace& place, std::chrono::milliseconds patience)
    : server_(place.server), patience_(patience.count()) {
  const Options options = options_for(place, patience_);
  natsConnection* made = nullptr;
  require_ok(natsConnection_Connect(&made, options.get()), place.server);
  connection_ = {made, natsConnection_Destroy};
}

NatsInbox NatsLink::subscribe(const std::string& subject) {
  natsSubscription* made = nullptr;
  require_ok(natsConnection_SubscribeSync(&made, connection_.get(), subject.c_str()), server_);
  NatsInbox inbox;
  // The connection must outlive it.
  inbox.subscription_ = {made, [connection = connection_](natsSubscription* subscription) {
                           natsSubscription_Destroy(subscription);
                         }};
  inbox.subject_ = subject;
  return inbox;
}

void NatsLink::publish(const std::string& subject, std::string_view data,
                       const std::string& reply) {
  const auto size = static_cast<int>(data.size());
  require_ok(reply.empty()
                 ? natsConnection_Publish(connection_.get(), subject.c_str(), data.data(), size)
                 : natsConnection_PublishRequest(connection_.get(), subject.c_str(), reply.c_str(),
                                                 data.data(), size),
             server_);
}

NatsMessage NatsLink::request(const std::string& subject, std::string_view data,
                              std::optional<std::uint64_t> after) {
  natsMsg* made = nullptr;
  require_ok(
      natsMsg_Create(&made, subject.c_str(), nullptr, data.data(), static_cast<int>(data.size())),
      server_);
  const Message message(made, natsMsg_Destroy);
  if (after)
    require_ok(natsMsgHeader_Set(made, "Nats-Expected-Last-Subject-Sequence",
                                 std::to_string(*after).c_str()),
               server_);
  natsMsg* answer = nullptr;
  const natsStatus status = natsConnection_RequestMsg(&answer, connection_.get(), made, patience_);
  if (status == NATS_NO_RESPONDERS)
    throw NatsError(Kind::Nobody, fmt::format("{}: nobody listens to {}", server_, subject));
  if (status == NATS_TIMEOUT) {
    const char* said = nullptr;
    natsConnection_GetLastError(connection_.get(), &said);
    if (said != nullptr && std::string_view(said).starts_with("Permissions Violation"))
      throw NatsError(Kind::Denied, fmt::format("{}: {}", server_, said));
    throw NatsError(Kind::Lost, fmt::format("{}: no answer to {}", server_, subject));
  }
  require_ok(status, server_);
  const Message owned(answer, natsMsg_Destroy);
  return contents_of(answer);
}

NatsMessage NatsLink::request(const std::string& subject, std::string_view data) {
  return request(subject, data, std::nullopt);
}

void NatsLink::require_stored(const std::string& subject, const NatsMessage& answer) const {
  const auto json = nlohmann::json::parse(answer.data, nullptr, false);
  if (!json.is_object())
    throw NatsError(Kind::Lost,
                    fmt::format("{}: {} was answered by no JetStream", server_, subject));
  const auto error = json.find("error");
  if (error == json.end()) return;
  throw NatsError(
      Kind::Refused,
      fmt::format("{}: {}: {}", server_, subject, error->value("description", "refused")),
      error->value("err_code", 0));
}

void NatsLink::store(const std::string& subject, std::string_view data,
                     std::optional<std::uint64_t> after) {
  require_stored(subject, request(subject, data, after));
}

void NatsLink::ask_jetstream(const std::string& subject, const nlohmann::json& request_json) {
  require_stored(subject, request("$JS.API." + subject, json_text(request_json)));
}

std::optional<NatsMessage> NatsLink::stored(const std::string& stream, const std::string& subject) {
  NatsMessage message = request(fmt::format("$JS.API.DIRECT.GET.{}.{}", stream, subject), "");
  if (message.status != 0) return std::nullopt;
  return message;
}

std::size_t NatsLink::most() const {
  return static_cast<std::size_t>(natsConnection_GetMaxPayload(connection_.get()));
}

}  // namespace faultline
