// Ratings as a document.
#pragma once

#include "base/document.h"
#include "lab/rating.h"

namespace faultline {

/// The figures of the model and the test of fit, the table of players, and the pairings that the
/// ratings do not explain; with `pairings` all of them, and the matrix.
Document rating_document(const Ratings& ratings, bool pairings = false);
/// Shares of the points, and likelihoods of superiority, of all pairs.
Section pairings_matrix(const Ratings& ratings);

}  // namespace faultline
