// The page that plays without a server (docs/export.md): page/assets/play.html with the program for
// browsers (web/wasm) and networks.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace faultline::web {

/// The program for browsers is missing. The message says how to build it.
class NoBrowserProgram : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Content by name.
using PageFile = std::pair<std::string, std::string>;

struct BrowserProgram {
  std::string wasm;    // faultline.wasm
  std::string script;  // faultline.js, which loads it
};
/// Reads it from wasm/bin beside the program's folder or one above it (build/wasm/bin), or from
/// share/faultline/wasm/bin. Throws NoBrowserProgram, std::system_error.
BrowserProgram browser_program();

struct StaticPage {
  std::string title;  // "escher, 4000 steps"
  std::string open;   // the fragment of the URL with which the page begins: "g=escher"
  std::vector<PageFile> nets = {};   // checkpoints
  std::vector<PageFile> games = {};  // game files that the program may not know: "my-game.toml"
};
/// A page of a game alone, which is one of a file; `text`: of the file, without bases.
StaticPage page_of_game(const std::string& name, const std::string& title, std::string text);
/// index.html, and then the files that lie beside it: none with `single_file`, which holds
/// everything.
std::vector<PageFile> static_page(const StaticPage& page, const BrowserProgram& program,
                                  bool single_file);

}  // namespace faultline::web
