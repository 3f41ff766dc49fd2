// Requests of pages (page/src/lab/desk.ts): what answers them, and how one is refused.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "report/report_json.h"

namespace faultline::web {

/// A request that cannot be answered: `field` is the one that is wrong, "" if none is. Anything
/// else that a handler throws is answered with its message, too.
class RequestError : public std::runtime_error {
 public:
  explicit RequestError(const std::string& message, std::string field = "")
      : std::runtime_error(message), field_(std::move(field)) {}
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

/// From a request, an object with its fields, to its reply.
using Handler = std::function<ReportJson(const ReportJson& request)>;
/// By the name of the request.
using Handlers = std::map<std::string, Handler>;

}  // namespace faultline::web
