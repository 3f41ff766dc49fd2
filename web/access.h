// Who may speak to the lab: secrets, and the names under which browsers reach it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::web {

/// 128 random bits as 32 hexadecimal digits.
std::string random_secret();

/// A secret that outlives the program, so that pages need no new token after a restart: `file`'s,
/// which nobody but its owner may read and which is replaced after 30 days, or else a new one. One
/// that cannot be written is not kept.
std::string kept_secret(const std::filesystem::path& file);

/// In a time that does not tell where they differ.
bool is_same_secret(std::string_view one, std::string_view other);

/// What browsers say about a request: all that keeps other sites out. A page of another site can
/// make a browser send requests here, under a name that leads to this machine even as its own site
/// (DNS rebinding); but not with another Host than that name, nor without its Origin.
class Access {
 public:
  /// `port` is the server's. `local`: as this machine's browsers say, 127.0.0.1:PORT,
  /// localhost:PORT and [::1]:PORT; `names` are further hosts, of any port where they name none.
  /// `cookie` is the secret.
  Access(std::uint16_t port, bool local, const std::vector<std::string>& names, std::string token,
         std::string cookie);

  /// "faultline-8128": cookies know no ports.
  const std::string& cookie_name() const { return cookie_name_; }

  bool is_host(std::string_view host) const;
  /// Whether the origin is the page that this host serves, by http or, behind a proxy, by https.
  static bool is_own_origin(std::string_view origin, std::string_view host);
  bool is_token(std::string_view text) const { return is_same_secret(text, token_); }
  /// Whether the header Cookie has the cookie.
  bool has_cookie(std::string_view cookies) const;
  /// The header Set-Cookie, for a page of this origin.
  std::string set_cookie(std::string_view origin) const;

 private:
  std::vector<std::string> hosts_;  // with ports
  std::vector<std::string> names_;  // of any port
  std::string token_;
  std::string cookie_;
  std::string cookie_name_;
};

}  // namespace faultline::web
