// A UCI engine that plays the first legal move, and misbehaves as its arguments say:
//
//   fake_uci_engine [KEY=VALUE]...
//
//   log=FILE         appends every line it reads to FILE
//   variants=A,B     offers these in UCI_Variant; without it there is no such option
//   start=…          exit, silent (never says uciok), garbage, deaf (reads nothing)
//   move=…           good, crash, silent, illegal, none, garbage (before a legal move),
//                    babble (garbage without end), busy (reports progress for 4 s first),
//                    endless (reports nodes without end, and ignores stop), infinite (until stop)
//   after=N          that many good moves first, in the life of the process
//   report=TEXT      printed as an info line before each move
//   stderr=TEXT      written to the standard error when it misbehaves
//   quit=ignore      goes on after quit, the end of its input, and SIGTERM
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include <unistd.h>

#include "rules/families.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

using Settings = std::map<std::string, std::string>;

[[noreturn]] void sleep_forever() {
  for (;;)
    std::this_thread::sleep_for(1s);
}

void print(const std::string& line) {
  std::cout << line << '\n' << std::flush;
}

void print_garbage() {
  std::string binary;
  for (int c = 1; c < 256; ++c)
    if (c != '\n') binary += static_cast<char>(c);
  print(binary);
  print("");
  print("info depth x nodes -5 score cp pv");
  print("info nodes 99999999999999999999999 score mate 99999999999 wdl 1 2");
  print("option name type spin");
  print("best move e2e4");
  print("bestmoves a1a1");
  print("info string bestmove a1a1");
  print(std::string(1'000'000, 'x'));
}

/// The first legal move of "startpos" or "fen FEN", and "moves …"; "(none)" if there is none.
std::string first_move(const std::string& variant, const std::string& arguments) {
  return with_family(parse_variant_name(variant), [&]<class P>(std::type_identity<P>,
                                                               const typename P::Variant& v) {
    std::istringstream words(arguments);
    std::string word, fen;
    words >> word;
    const bool is_start = word == "startpos";
    while (words >> word && word != "moves")
      fen += (fen.empty() ? "" : " ") + word;
    P position = is_start ? P::start(v) : P::from_fen(v, fen);
    while (words >> word)
      position.play(position.parse_move(word).value());
    typename P::MoveList moves;
    position.legal_moves(moves);
    return moves.size() > 0 ? position.move_text(moves[0]) : std::string("(none)");
  });
}

class FakeEngine {
 public:
  explicit FakeEngine(Settings settings) : settings_(std::move(settings)) {}

  int run() {
    if (setting("quit") == "ignore") std::signal(SIGTERM, SIG_IGN);
    if (setting("start") == "exit") {
      misbehave();
      return 3;
    }
    if (setting("start") == "deaf") sleep_forever();
    std::string line;
    while (std::getline(std::cin, line)) {
      if (!setting("log").empty()) std::ofstream(setting("log"), std::ios::app) << line << '\n';
      if (line == "quit" && setting("quit") != "ignore") return 0;
      answer(line);
    }
    if (setting("quit") == "ignore") sleep_forever();
    return 0;
  }

 private:
  std::string setting(const std::string& key) const {
    const auto found = settings_.find(key);
    return found == settings_.end() ? "" : found->second;
  }

  void misbehave() const {
    if (!setting("stderr").empty()) std::cerr << setting("stderr") << std::endl;
  }

  void answer(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (command == "uci") {
      handshake();
    } else if (command == "isready") {
      print("readyok");
    } else if (command == "position") {
      position_ = rest;
    } else if (line.starts_with("setoption name UCI_Variant value ")) {
      variant_ = line.substr(std::string("setoption name UCI_Variant value ").size());
    } else if (command == "go") {
      go();
    } else if (command == "stop" && is_searching_) {
      is_searching_ = false;
      move();
    }
  }

  void handshake() const {
    if (setting("start") == "silent") {
      misbehave();
      sleep_forever();
    }
    if (setting("start") == "garbage") print_garbage();
    print("id name Fake Engine");
    print("option name Skill Level type spin default 20 min 0 max 20");
    print("option name Style type combo default Solid var Solid var Very Risky");
    print("option name Ponder type check default false");
    print("option name UCI_ShowWDL type check default false");
    print("option name Clear Hash type button");
    print("option name Book File type string default <empty>");
    if (!setting("variants").empty()) {
      std::istringstream names(setting("variants"));
      std::string combo = "option name UCI_Variant type combo default chess";
      for (std::string name; std::getline(names, name, ',');)
        combo += " var " + name;
      print(combo);
    }
    print("uciok");
  }

  void move() {
    if (!setting("report").empty()) print("info " + setting("report"));
    print("bestmove " + first_move(variant_, position_));
    ++moves_;
  }

  void go() {
    const std::string after = setting("after");
    const std::string how = moves_ < (after.empty() ? 0 : std::stoi(after)) ? "" : setting("move");
    if (!how.empty()) misbehave();
    if (how == "crash") std::abort();
    if (how == "silent") sleep_forever();
    if (how == "infinite") {
      is_searching_ = true;
    } else if (how == "illegal") {
      print("bestmove a1h8");
    } else if (how == "none") {
      print("bestmove (none)");
    } else if (how == "babble") {
      for (;;)
        print_garbage();
    } else if (how == "endless") {
      for (std::uint64_t nodes = 1;; nodes += 1'000'000) {
        print("info depth 1 nodes " + std::to_string(nodes));
        std::this_thread::sleep_for(1ms);
      }
    } else {
      if (how == "garbage") print_garbage();
      for (int i = 1; how == "busy" && i <= 200; ++i) {
        print("info depth 1 nodes " + std::to_string(i));
        std::this_thread::sleep_for(20ms);
      }
      move();
    }
  }

  Settings settings_;
  std::string variant_ = "chess";
  std::string position_ = "startpos";
  bool is_searching_ = false;  // until "stop"
  int moves_ = 0;
};

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  faultline::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) return 2;
    settings[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  return faultline::FakeEngine(settings).run();
}
