// Reads a run's metrics.jsonl.
#include "record/metrics_lines.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace faultline {
namespace {

double number_in(const nlohmann::json& line, const char* key, double otherwise) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : otherwise;
}

struct Place {
  double steps = 0;
  double seconds = 0;
};

}  // namespace

void read_metrics(std::istream& in, MetricsLines& lines) {
  std::vector<Place> places;  // of the lines that count
  for (std::string text; std::getline(in, text);) {
    if (text.empty()) continue;
    const auto line = nlohmann::json::parse(text, nullptr, false);
    if (!line.is_object()) {
      ++lines.damaged;
      continue;
    }
    const Place here{number_in(line, "steps", 0), number_in(line, "seconds", 0)};
    // Lines of earlier versions do not say where their session began.
    const double resumed_at = number_in(line, "resumed_at_step", here.steps);
    const auto is_replaced = [&](const Place& place) {
      return place.steps > resumed_at ||
             (place.steps == resumed_at && place.seconds > here.seconds);
    };
    for (; !places.empty() && is_replaced(places.back()); places.pop_back()) {
      lines.take_back();
      ++lines.replaced;
    }
    lines.add(line);
    places.push_back(here);
  }
}

}  // namespace faultline
