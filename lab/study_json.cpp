// Studies as JSON.
#include "lab/study_json.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

/// "shares_levels" only where it makes a difference: studies of the net's own variant alone may
/// have been begun by a version that did not know it.
Json net_to_json(const StudyNet& net, const std::vector<std::string>& variants) {
  Json json = {{"label", net.label},
               {"player", net.player},
               {"variant", net.variant},
               {"weights", net.weights}};
  if (net.shares_levels && std::ranges::any_of(variants, [&](const std::string& variant) {
        return variant != net.variant && net.plays(variant);
      }))
    json["shares_levels"] = true;
  return json;
}

StudyNet net_from_json(const nlohmann::json& json, const std::string& source) {
  return {.label = json_field<std::string>(json, "label", source),
          .player = json_field<std::string>(json, "player", source),
          .variant = json_field<std::string>(json, "variant", source),
          .weights = json_field<std::string>(json, "weights", source),
          .shares_levels =
              json.contains("shares_levels") && json_field<bool>(json, "shares_levels", source)};
}

}  // namespace

Json to_json(const StudySettings& settings) {
  StudySettings copy = settings;
  Json json;
  const Json scalars = options_to_json(options(copy));
  for (const Option& option : options(copy))
    json[option.name] = scalars.at(option.name);
  json["variants"] = settings.variants;
  json["nets"] = Json::array();
  for (const StudyNet& net : settings.nets)
    json["nets"].push_back(net_to_json(net, settings.variants));
  json["visits"] = settings.visits;
  json["arms"] = Json::array();
  for (const StudyArm& arm : settings.arms)
    json["arms"].push_back(
        {{"name", arm.name},
         {"strategy", arm.strategy},
         {"net", arm.net ? net_to_json(*arm.net, settings.variants) : Json(nullptr)}});
  json["behaviour"] = Json::array();
  for (const HabitText& habit : settings.behaviour)
    json["behaviour"].push_back({{"name", habit.name}, {"when", habit.when}});
  write_origins(settings.opening_origins, json);
  return json;
}

StudySettings study_from_json(const Json& json, const std::string& source) {
  StudySettings settings;
  try {
    const nlohmann::json object = json;
    options_from_json(options(settings), object, source);
    settings.variants = json_field<std::vector<std::string>>(object, "variants", source);
    settings.visits = json_field<std::vector<int>>(object, "visits", source);
    using Objects = std::vector<nlohmann::json>;
    for (const auto& net : json_field<Objects>(object, "nets", source))
      settings.nets.push_back(net_from_json(net, source));
    for (const auto& arm : json_field<Objects>(object, "arms", source)) {
      settings.arms.push_back({.name = json_field<std::string>(arm, "name", source),
                               .strategy = json_field<std::string>(arm, "strategy", source)});
      const auto net = json_field<nlohmann::json>(arm, "net", source);
      if (!net.is_null()) settings.arms.back().net = net_from_json(net, source);
    }
    for (const auto& habit : json_field<Objects>(object, "behaviour", source))
      settings.behaviour.push_back({.name = json_field<std::string>(habit, "name", source),
                                    .when = json_field<std::string>(habit, "when", source)});
    settings.opening_origins = read_origins(object, source);
  } catch (const std::runtime_error& error) {
    throw StudyError(error.what());
  }
  return settings;
}

void check_same(const StudySettings& stored, const StudySettings& given,
                const std::string& source) {
  const Json old_json = to_json(stored);
  StudySettings comparable = given;
  comparable.opening_origins.clear();
  const Json new_json = to_json(comparable);
  for (const auto& [key, value] : new_json.items()) {
    if (value == old_json.at(key)) continue;
    if (key == "games" && given.games > stored.games) continue;
    if (key == "title" || key == "question") continue;
    const auto shown = [](const Json& one) {
      return one.is_structured() ? quote(json_text(one), 200) : json_text(one);
    };
    throw StudyError(fmt::format(
        "{} has {} = {}, not {}: continue the study as it was begun (more games are possible), or "
        "use another --out",
        source, key, shown(old_json.at(key)), shown(value)));
  }
}

}  // namespace faultline
