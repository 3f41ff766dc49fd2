// Noise in the root's priors: searches of self-play also try moves that the network does not
// expect.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "search/params.h"
#include "search/tree.h"

namespace faultline {

/// A sample of the symmetric Dirichlet distribution: `size` numbers that sum to 1.
std::vector<float> dirichlet(std::size_t size, float alpha, std::mt19937_64& rng);

/// Raises the temperature of the root's priors (Wu 2019) and mixes Dirichlet noise into them
/// (Silver et al. 2018), which leaves the edges unsorted.
void add_root_noise(EdgeView edges, const SearchParams& params, std::mt19937_64& rng);

}  // namespace faultline
