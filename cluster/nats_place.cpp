// Where a run is served on a NATS server.
#include "cluster/nats_place.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "cluster/post.h"

namespace faultline {

bool is_nats_url(const std::string& text) {
  return text.starts_with("nats://") || text.starts_with("tls://");
}

bool is_subject_word(const std::string& text) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !text.empty() && text.size() <= 100 &&
         text.find_first_not_of(kAllowed) == std::string::npos;
}

namespace {

void read_creds(const std::filesystem::path& file, NatsPlace& place) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::perms perms = fs::status(file, error).permissions();
  const std::string line = read_word(file);
  const std::size_t colon = line.find(':');
  if (error || colon == std::string::npos || !is_subject_word(line.substr(0, colon)))
    throw std::invalid_argument(fmt::format(
        "--creds {}: give a file with one line USER:PASSWORD, as deploy/nats/add-user writes it",
        file.string()));
  if ((perms & fs::perms::others_read) != fs::perms::none)
    throw std::invalid_argument(
        fmt::format("--creds {}: others can read this password; chmod o-r it", file.string()));
  place.user = line.substr(0, colon);
  place.password = line.substr(colon + 1);
}

}  // namespace

NatsPlace nats_place(const std::string& url, const std::filesystem::path& creds,
                     const std::filesystem::path& ca) {
  const std::size_t host = url.find("://") + 3;
  const std::size_t slash = url.find('/', host);
  if (!is_nats_url(url) || slash == std::string::npos || slash == host ||
      !is_subject_word(url.substr(slash + 1)))
    throw std::invalid_argument(
        url +
        ": give nats://HOST:PORT/NAME or tls://HOST:PORT/NAME; NAME, of letters, digits, "
        "- and _, tells the server's runs apart");
  NatsPlace place{.server = url.substr(0, slash),
                  .host = url.substr(host, std::min(url.find(':', host), slash) - host),
                  .name = url.substr(slash + 1)};
  if (!ca.empty()) {
    if (!place.is_secure()) throw std::invalid_argument("--tls-ca is for tls://HOST:PORT/NAME");
    place.ca = ca;
  }
  if (!creds.empty()) read_creds(creds, place);
  return place;
}

}  // namespace faultline
