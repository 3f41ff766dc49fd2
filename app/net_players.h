// Players given on the command line, and what they need to play; shared by `match` and `play`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/commands.h"
#include "lab/players.h"
#include "model/checkpoint.h"
#include "model/device_options.h"
#include "model/encoding/encoding.h"
#include "model/inference/backend_choice.h"
#include "model/inference/backend_registry.h"

namespace CLI {
class App;
}

namespace faultline {

/// The backends of this program: cpu_backends() in faultline, all of them in faultline-net. Defined
/// next to each program's main().
const BackendRegistry& program_backends();

/// Adds --device, --backend and --precision, which write into `options`; they throw UsageError.
void add_device_options(CLI::App& command, DeviceOptions& options);

/// What computes networks with these options when they play (not in training): by the processor
/// and the policy of inference/backend_choice.h, without timing. Throws std::invalid_argument for
/// what no backend of this program supports.
InferenceChoice playing_choice(const DeviceOptions& options);

/// Throws UsageError for what no backend of this program supports.
void require_choice(const DeviceOptions& options);

/// Prints a line on the error stream for each net among the players, which are given by name, that
/// does not say how it is to be searched. Throws UsageError.
void print_search_notices(const std::vector<std::string>& players);

/// Does as find_player(), and throws UsageError.
PlayerSpec find_named_player(const std::string& text);

/// Finds a player where only a net will do. `option`: what named it, for messages ("--init-from");
/// "": an argument.
PlayerSpec find_named_net(const std::string& text, const std::string& option = {});

/// `given`, or the variant of the first net among `players` if `given` is empty. Throws UsageError
/// if there is no net, or a checkpoint cannot be read.
std::string variant_of(const std::string& given, const std::vector<PlayerSpec>& players);

/// The checkpoint's network, ready to play; throws UsageError for one of another variant, a damaged
/// file, or a missing device.
std::shared_ptr<Backend> load_player(const PlayerSpec& player, const EncodingInfo& encoding,
                                     const DeviceOptions& options);

}  // namespace faultline
