// Networks of every family with positions and the outputs that our own kernels give for them.
#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/export/export_source.h"
#include "model/export/golden_positions.h"
#include "model/export/module_io.h"
#include "model/fast/fast_network.h"

namespace faultline::test {

/// Random values, squeeze-and-excitation in every second family.
ExportSource source_to_export(const std::string& variant);
/// A variant whose network shares its levels.
std::vector<std::string> families_to_export();

/// The name of a game of a file that is over after so many plies, with five moves in each position.
std::string game_of_plies(int plies);

/// Random values, of which the hidden units' are neither all 0 nor all clamped.
FastNetwork fast_network_to_export(const std::string& variant);

/// Different positions with outputs by the backend "cpu".
std::vector<GoldenPosition> positions_to_export(const ExportSource& source, std::size_t count);

/// The positions [first, first + batch).
ModuleInputs inputs_of(const std::vector<GoldenPosition>& positions, std::size_t first,
                       std::size_t batch);

/// The files of a bundle by their names.
std::map<std::string, std::string> files_of(const std::filesystem::path& bundle);

struct Differences {
  double probability = 0;  // absolute, of policy and value
  double moves_left = 0;   // relative
  std::size_t positions = 0;
};
/// Adds those of [first, first + inputs.batch) to `found`; a full policy's logits are turned into
/// probabilities.
void compare_outputs(const std::vector<GoldenPosition>& positions, std::size_t first,
                     const ModuleInputs& inputs, const ModuleOutputs& outputs, PolicyForm policy,
                     Differences& found);

}  // namespace faultline::test
