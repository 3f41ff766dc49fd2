// Training positions of recorded games as NumPy arrays; docs/games.md describes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/npz_writer.h"
#include "base/json_text.h"
#include "model/encoding/attack_planes.h"
#include "record/game_record.h"
#include "rules/position.h"

namespace faultline {

/// Appends games' training targets to an .npz file of one encoding.
class TrainingArrays {
 public:
  /// `file` is not created before finish(). Throws NpzError.
  TrainingArrays(const std::filesystem::path& file, const EncodingInfo& encoding)
      : encoding_(encoding),
        npz_(file),
        planes_(npz_.add<float>(
            "planes", {encoding.planes.size(), as_size(encoding.height), as_size(encoding.width)})),
        policy_offsets_(npz_.add<std::int64_t>("policy_offsets")),
        policy_moves_(npz_.add<std::int32_t>("policy_moves", {3})),
        policy_weights_(npz_.add<float>("policy_weights")),
        wdl_(npz_.add<float>("wdl", {3})),
        root_value_(npz_.add<float>("root_value", {3})),
        moves_left_(npz_.add<float>("moves_left")),
        game_(npz_.add<std::int64_t>("game")),
        ply_(npz_.add<std::int32_t>("ply")),
        encoding_json_(npz_.add<std::uint8_t>("encoding_json")) {
    policy_offsets_.append(0);
  }

  /// Adds all of the game's targets; none if the record is inconsistent with the rules, for which
  /// it throws ReplayError.
  template <Position P>
  void add(const typename P::Variant& variant, const GameRecord& game) {
    rows_ = {};
    std::size_t ply_index = 0;
    // It is unknown how long a game that was cut or resigned would have lasted.
    const bool length_known = game.outcome != Outcome::Adjudicated && !game.resigned;
    replay_game<P>(variant, game,
                   [&](const PositionHistory<P>& history, const typename P::MoveList& moves,
                       const PlyRecord& ply) {
                     const std::size_t left = game.plies.size() - ply_index;
                     if (ply.target) {
                       add_position<P>(history, moves, ply);
                       add_values(ply, score_for(game.outcome, history.position().side_to_move()));
                       rows_.moves_left.push_back(length_known ? static_cast<float>(left) : -1.0F);
                       rows_.game.push_back(static_cast<std::int64_t>(game.number));
                       rows_.ply.push_back(static_cast<std::int32_t>(ply_index));
                     }
                     ++ply_index;
                   });
    write_rows();
  }

  /// Rows so far.
  std::size_t positions() const { return positions_; }

  /// Writes the file. Throws NpzError.
  void finish() {
    const std::string text = json_text(to_json(encoding_));
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    encoding_json_.append(bytes);
    npz_.finish();
  }

 private:
  /// A game's rows, buffered until the game has been checked.
  struct Rows {
    std::vector<float> planes;
    std::vector<std::int64_t> moves_of_position;
    std::vector<std::int32_t> policy_moves;
    std::vector<float> policy_weights;
    std::vector<float> wdl;
    std::vector<float> root_value;
    std::vector<float> moves_left;
    std::vector<std::int64_t> game;
    std::vector<std::int32_t> ply;
  };

  static std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

  template <Position P>
  void add_position(const PositionHistory<P>& history, const typename P::MoveList& moves,
                    const PlyRecord& ply) {
    const P& position = history.position();
    const std::size_t begin = rows_.planes.size();
    rows_.planes.resize(begin + encoding_.floats());
    PositionEncoder<P>(encoding_).encode(position, history.repetitions(),
                                         std::span(rows_.planes).subspan(begin));
    const double sum = std::accumulate(ply.policy.begin(), ply.policy.end(), 0.0);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const PolicyIndex index = Encoder<P>::policy_index(position, moves[i]);
      rows_.policy_moves.insert(rows_.policy_moves.end(), {index.from, index.to, index.kind});
      rows_.policy_weights.push_back(static_cast<float>(ply.policy[i] / sum));
    }
    rows_.moves_of_position.push_back(static_cast<std::int64_t>(moves.size()));
  }

  void add_values(const PlyRecord& ply, int score) {
    for (const int result : {1, 0, -1})
      rows_.wdl.push_back(score == result ? 1.0F : 0.0F);
    const float win = unpack_probability(ply.win);
    const float draw = unpack_probability(ply.draw);
    rows_.root_value.insert(rows_.root_value.end(), {win, draw, std::max(0.0F, 1.0F - win - draw)});
  }

  void write_rows() {
    planes_.append(rows_.planes);
    for (const std::int64_t moves : rows_.moves_of_position)
      policy_offsets_.append(moves_ += moves);
    policy_moves_.append(rows_.policy_moves);
    policy_weights_.append(rows_.policy_weights);
    wdl_.append(rows_.wdl);
    root_value_.append(rows_.root_value);
    moves_left_.append(rows_.moves_left);
    game_.append(rows_.game);
    ply_.append(rows_.ply);
    positions_ += rows_.ply.size();
  }

  EncodingInfo encoding_;
  NpzWriter npz_;
  NpzArray<float> planes_;
  NpzArray<std::int64_t> policy_offsets_;
  NpzArray<std::int32_t> policy_moves_;
  NpzArray<float> policy_weights_;
  NpzArray<float> wdl_;
  NpzArray<float> root_value_;
  NpzArray<float> moves_left_;
  NpzArray<std::int64_t> game_;
  NpzArray<std::int32_t> ply_;
  NpzArray<std::uint8_t> encoding_json_;
  Rows rows_;
  std::int64_t moves_ = 0;
  std::size_t positions_ = 0;
};

}  // namespace faultline
