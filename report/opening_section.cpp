// The frames of a tree of openings.
#include "report/opening_section.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "play/san.h"
#include "report/game_frames.h"

namespace faultline {

ReportJson opening_json(const OpeningTree& tree, const Game& game, PictureTable& table,
                        std::size_t most) {
  const std::vector<bool> shown = tree.most_frequent(most);
  const std::function<ReportJson(std::size_t, const GamePosition&, const GamePosition*,
                                 const PicturePlacement&)>
      write = [&](std::size_t number, const GamePosition& position, const GamePosition* before,
                  const PicturePlacement& above) {
        const OpeningNode& node = tree.node(number);
        PicturePlacement placement = above;
        ReportJson json = frame_json(table, position, placement, before, node.move);
        if (before != nullptr) json["t"] = san_text(*before, node.move);
        json["g"] = {node.games, node.results[0], node.results[1], node.results[2]};
        if (node.random > 0) json["r"] = node.random;
        for (const std::size_t child : tree.children(number, shown)) {
          const Move move = tree.node(child).move;
          const std::vector<Move> legal = position.legal_moves();
          if (std::ranges::find(legal, move) == legal.end())
            throw GameTextError("an opening has a move that is not legal");
          const auto after = position.clone();
          after->play(move);
          json["n"].push_back(write(child, *after, &position, placement));
        }
        return json;
      };
  return write(0, *game.start(), nullptr, {});
}

}  // namespace faultline
