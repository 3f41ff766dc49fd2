#include "web/access.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <fstream>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSecretDigits = 32;
constexpr int kDays = 30;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Whether ":PORT" ends it; an IPv6 address is in brackets.
bool has_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return colon != std::string_view::npos && colon + 1 < host.size() &&
         std::ranges::all_of(host.substr(colon + 1), [](char c) { return c >= '0' && c <= '9'; });
}

/// What a private file says; "" if there is none, or it is old, not ours alone, or no secret.
std::string read_secret(const fs::path& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid() || (status.st_mode & 077U) != 0)
    return {};
  const auto age =
      std::chrono::system_clock::now() - std::chrono::system_clock::from_time_t(status.st_mtime);
  if (age > std::chrono::hours(24 * kDays)) return {};
  std::ifstream in(file);
  std::string secret;
  std::getline(in, secret);
  const auto is_digit = [](unsigned char c) { return std::isxdigit(c) != 0; };
  return secret.size() == kSecretDigits && std::ranges::all_of(secret, is_digit) ? secret
                                                                                 : std::string();
}

void write_secret(const fs::path& file, const std::string& secret) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const fs::path part = file.string() + "." + std::to_string(::getpid());
  const int out = ::open(part.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (out < 0) return;
  const std::string text = secret + "\n";
  const bool written = ::write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(out);
  if (!written || ::rename(part.c_str(), file.c_str()) != 0) ::unlink(part.c_str());
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

}  // namespace

std::string random_secret() {
  std::random_device device;  // the system's, of 32 bits a number
  std::string digits;
  for (int i = 0; i < 4; ++i)
    digits += fmt::format("{:08x}", device());
  return digits;
}

std::string kept_secret(const fs::path& file) {
  std::string secret = read_secret(file);
  if (!secret.empty()) return secret;
  secret = random_secret();
  write_secret(file, secret);
  return secret;
}

bool is_same_secret(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i] ^ other[i]);
  return difference == 0;
}

Access::Access(std::uint16_t port, bool local, const std::vector<std::string>& names,
               std::string token, std::string cookie)
    : token_(std::move(token)),
      cookie_(std::move(cookie)),
      cookie_name_(fmt::format("faultline-{}", port)) {
  if (local)
    for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) {
      hosts_.push_back(fmt::format("{}:{}", name, port));
      if (port == 80) hosts_.emplace_back(name);  // which browsers leave out
    }
  for (const std::string& name : names)
    (has_port(name) ? hosts_ : names_).push_back(lower(name));
}

bool Access::is_host(std::string_view host) const {
  const std::string given = lower(host);
  if (std::ranges::find(hosts_, given) != hosts_.end()) return true;
  const std::string name = has_port(given) ? given.substr(0, given.rfind(':')) : given;
  return std::ranges::find(names_, name) != names_.end();
}

bool Access::is_own_origin(std::string_view origin, std::string_view host) {
  const std::string given = lower(origin);
  return given == "http://" + lower(host) || given == "https://" + lower(host);
}

bool Access::has_cookie(std::string_view cookies) const {
  while (!cookies.empty()) {
    const std::string_view one = trimmed(cookies.substr(0, cookies.find(';')));
    cookies.remove_prefix(std::min(cookies.find(';'), cookies.size() - 1) + 1);
    const std::size_t equals = one.find('=');
    if (one.substr(0, equals) == cookie_name_ && equals != std::string_view::npos &&
        is_same_secret(one.substr(equals + 1), cookie_))
      return true;
  }
  return false;
}

std::string Access::set_cookie(std::string_view origin) const {
  return fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}", cookie_name_,
                     cookie_, kDays * 24 * 3600,
                     lower(origin).starts_with("https:") ? "; Secure" : "");
}

}  // namespace faultline::web
