// Configurations of runs as pages edit them: their keys, and what is wrong in a text.
#pragma once

#include <string>

#include "record/config.h"
#include "report/report_json.h"
#include "web/request.h"

namespace faultline::web {

/// The request `config`: the mistakes of a text, line 0 for those of no line, and all keys,
/// "learner.batch", with the value that the text gives or the default.
ReportJson configuration_reply(const ReportJson& request);
/// The request `configs`: the configurations that come with the program and those in configs/ of
/// the current folder.
ReportJson configurations_reply();

/// A configuration for a new run. Throws RequestError with the first mistake, and the field "text".
Config new_configuration(const std::string& text);

}  // namespace faultline::web
