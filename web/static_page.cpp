// Puts the page that plays without a server together.
#include "web/static_page.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/json_text.h"
#include "base/program_identity.h"
#include "report/report_json.h"
#include "web/play_page.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::system_error(errno, std::generic_category(), file.string());
  return content;
}

std::string base64(std::string_view bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(k <= count ? kDigits[bits >> (18 - 6 * k) & 63U] : '=');
  }
  return text;
}

void fill(std::string& page, std::string_view mark, std::string_view with) {
  page.replace(page.find(mark), mark.size(), with);
}

/// JSON that may stand in a script element.
std::string script_text(const ReportJson& json) {
  std::string text;
  for (const char c : json_text(json))
    c == '<' ? text += "\\u003c" : text += c;
  return text;
}

ReportJson part(const PageFile& file, bool single_file) {
  if (single_file) return {{"name", file.first}, {"base64", base64(file.second)}};
  return {{"name", file.first}, {"url", file.first}};
}

}  // namespace

BrowserProgram browser_program() {
  constexpr const char* kWasm = "faultline.wasm";
  constexpr const char* kScript = "faultline.js";
  for (const fs::path& folder : shared_folders("wasm/bin"))
    if (fs::exists(folder / kWasm) && fs::exists(folder / kScript))
      return {.wasm = content_of(folder / kWasm), .script = content_of(folder / kScript)};
  throw NoBrowserProgram(
      "a page needs the program for browsers, build/wasm/bin/faultline.wasm, which is not built: "
      "run "
      "scripts/setup --wasm && scripts/build wasm in the source folder");
}

StaticPage page_of_game(const std::string& name, const std::string& title, std::string text) {
  return {.title = title, .open = "g=data:" + name, .games = {{name + ".toml", std::move(text)}}};
}

std::vector<PageFile> static_page(const StaticPage& page, const BrowserProgram& program,
                                  bool single_file) {
  if (program.script.find("</script") != std::string::npos)
    throw std::runtime_error("faultline.js cannot be part of a page");
  std::vector<PageFile> beside = {{"faultline.wasm", program.wasm}};
  beside.insert(beside.end(), page.nets.begin(), page.nets.end());
  ReportJson inside = {{"title", page.title},
                       {"open", page.open},
                       {"wasm", part(beside.front(), single_file)},
                       {"nets", ReportJson::array()},
                       {"games", ReportJson::array()}};
  for (const PageFile& net : page.nets)
    inside["nets"].push_back(part(net, single_file));
  for (const auto& [name, text] : page.games)
    inside["games"].push_back({{"name", name}, {"text", text}});
  std::string html(kPlayPage);
  fill(html, "/*INSIDE*/", script_text(inside));
  fill(html, "/*MODULE*/", program.script);
  std::vector<PageFile> files = {{"index.html", std::move(html)}};
  if (!single_file) files.insert(files.end(), beside.begin(), beside.end());
  return files;
}

}  // namespace faultline::web
