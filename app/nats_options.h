// What commands are told of a NATS server beside its URL.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "app/input_errors.h"
#include "cluster/nats_place.h"

namespace faultline {

struct NatsOptions {
  std::string creds;
  std::string ca;
};

inline void add_nats_options(CLI::App& command, NatsOptions& options) {
  command
      .add_option("--creds", options.creds,
                  "With a NATS server that has accounts: a file with USER:PASSWORD")
      ->type_name("FILE");
  command
      .add_option("--tls-ca", options.ca,
                  "With tls://: certificates to trust instead of the system's")
      ->type_name("FILE");
}

/// Throws UsageError for a URL or a file that cannot be used.
inline NatsPlace nats_place_of(const std::string& url, const NatsOptions& options) {
  return reporting_input_errors([&] { return nats_place(url, options.creds, options.ca); });
}

}  // namespace faultline
