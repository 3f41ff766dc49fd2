// Errors of the lower folders that a user causes, as the error that ends the program with exit
// code 2.
#pragma once

#include <concepts>
#include <stdexcept>
#include <utility>

#include "app/commands.h"
#include "lab/experiment.h"
#include "lab/opening_source.h"
#include "lab/players.h"
#include "lab/rating.h"
#include "model/checkpoint.h"
#include "play/game_text.h"
#include "record/config.h"
#include "record/run_folder.h"
#include "strategy/strategy_text.h"

namespace faultline {

/// Runs `action` and returns what it returns. Throws UsageError, with the same message, where
/// `action` throws what names, settings, devices or files given by the user can cause.
template <std::invocable Action>
decltype(auto) reporting_input_errors(Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const PlayerError& error) {
    throw UsageError(error.what());
  } catch (const OpeningError& error) {
    throw UsageError(error.what());
  } catch (const CheckpointError& error) {
    throw UsageError(error.what());
  } catch (const ConfigError& error) {
    throw UsageError(error.what());
  } catch (const RunError& error) {
    throw UsageError(error.what());
  } catch (const GameTextError& error) {
    throw UsageError(error.what());
  } catch (const RatingError& error) {
    throw UsageError(error.what());
  } catch (const StrategyError& error) {
    throw UsageError(error.what());
  } catch (const ExperimentError& error) {
    throw UsageError(error.what());
  } catch (const std::invalid_argument& error) {  // settings, devices
    throw UsageError(error.what());
  }
}

}  // namespace faultline
