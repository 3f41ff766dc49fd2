// Who may speak to the lab.
#include "web/access.h"

#include <chrono>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

Access local() {
  return {8128, true, {"Lab.example.org", "other.example.org:81"}, "token", "cookie"};
}

TEST(Access, IsByTheNamesOfThisMachineAndPort) {
  for (const char* host : {"127.0.0.1:8128", "localhost:8128", "LOCALHOST:8128", "[::1]:8128"})
    EXPECT_TRUE(local().is_host(host)) << host;
  for (const char* host :
       {"", "localhost", "127.0.0.1", "127.0.0.1:8129", "127.0.0.2:8128", "evil.example:8128",
        "localhost.evil.example:8128", "127.0.0.1:8128@evil.example", "0.0.0.0:8128"})
    EXPECT_FALSE(local().is_host(host)) << host;
}

TEST(Access, IsByTheNamesThatWereGiven) {
  for (const char* host : {"lab.example.org", "LAB.example.org:8443", "other.example.org:81"})
    EXPECT_TRUE(local().is_host(host)) << host;
  for (const char* host : {"example.org", "lab.example.org.evil.example", "other.example.org",
                           "lab.example.org:8443; script-src *", "lab.example.org:"})
    EXPECT_FALSE(local().is_host(host)) << host;
}

TEST(Access, OnlyTheOwnPageIsTheOrigin) {
  EXPECT_TRUE(Access::is_own_origin("http://localhost:8128", "localhost:8128"));
  EXPECT_TRUE(Access::is_own_origin("https://lab.example.org", "lab.example.org"));
  for (const char* origin :
       {"", "null", "http://localhost", "http://localhost:8129", "http://127.0.0.1:8128",
        "file://localhost:8128", "http://evil.example"})
    EXPECT_FALSE(Access::is_own_origin(origin, "localhost:8128")) << origin;
}

TEST(Access, TheCookieIsFoundAmongOthers) {
  const Access access = local();
  for (const char* cookies :
       {"faultline-8128=cookie", "a=b; faultline-8128=cookie", "a=b;faultline-8128=cookie ;c=d",
        "faultline-8128=old; faultline-8128=cookie"})
    EXPECT_TRUE(access.has_cookie(cookies)) << cookies;
  for (const char* cookies :
       {"", ";", "faultline-8128", "faultline-8128=", "faultline-8128=cooki",
        "faultline-8128=cookies", "faultline-8129=cookie", "xfaultline-8128=cookie"})
    EXPECT_FALSE(access.has_cookie(cookies)) << cookies;
  EXPECT_EQ(access.set_cookie("http://localhost:8128"),
            "faultline-8128=cookie; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict");
  EXPECT_TRUE(access.set_cookie("https://lab.example.org").ends_with("; Secure"));
}

TEST(Secrets, AreRandomAndOutliveTheProgram) {
  EXPECT_EQ(random_secret().size(), 32U);
  EXPECT_NE(random_secret(), random_secret());
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "state/lab-cookie";
  const std::string secret = kept_secret(file);
  EXPECT_EQ(kept_secret(file), secret);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  fs::permissions(file, fs::perms::others_read, fs::perm_options::add);
  const std::string second = kept_secret(file);
  EXPECT_NE(second, secret) << "others may have read it";
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * 31));
  EXPECT_NE(kept_secret(file), second) << "it is old";
  test::write_text(file, "short");
  EXPECT_EQ(kept_secret(file).size(), 32U);
  EXPECT_EQ(kept_secret("/proc/none/lab-cookie").size(), 32U) << "it cannot be kept";
}

}  // namespace
}  // namespace faultline::web
