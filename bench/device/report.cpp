// The report of a check of a device.
#include "bench/device/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace faultline::bench {
namespace {

using nlohmann::ordered_json;

/// Dense rates of the vendor's data sheets (without sparsity), in TFLOP/s and TB/s.
struct DataSheet {
  std::string_view device;  // part of the name that nvidia-smi prints; the first match counts
  double fp32, tf32, bf16, memory;
};
constexpr DataSheet kDataSheets[] = {
    {"H200", 67, 495, 990, 4.8},         {"H100 PCIe", 51, 378, 756, 2.0},
    {"H100", 67, 495, 990, 3.35},        {"A100-SXM4-80", 19.5, 156, 312, 2.04},
    {"A100", 19.5, 156, 312, 1.56},      {"L40S", 91.6, 183, 366, 0.864},
    {"L4", 30.3, 60, 121, 0.3},          {"RTX 4090", 82.6, 82.6, 165, 1.01},
    {"RTX 3090", 35.6, 35.6, 71, 0.936},
};

/// 1234567 as "1,234,567"; small values with three significant digits.
std::string number(double value) {
  if (!std::isfinite(value)) return "–";
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.1e}", value);
  if (std::abs(value) < 100) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t i = digits.size(); i > 3 && i - 3 > (value < 0 ? 1U : 0U); i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}
std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "–";
}

class Report {
 public:
  explicit Report(const std::vector<ordered_json>& rows) {
    std::string first;
    for (const ordered_json& row : rows) {
      const std::string uuid = row.contains("device") ? string_of(row["device"], "uuid") : "";
      if (first.empty()) first = uuid;
      if (!uuid.empty() && uuid != first)
        throw std::invalid_argument("rows of two devices, " + first + " and " + uuid);
      const std::string key = row.at("key").dump();
      const auto known = index_.find(key);
      if (known != index_.end()) {
        rows_[known->second] = row;
      } else {
        index_[key] = rows_.size();
        rows_.push_back(row);
      }
    }
  }

  std::string text() {
    out_ << "# What this device does with faultline\n\n";
    context();
    parts();
    limits();
    tests();
    outputs();
    inference();
    selfplay();
    where_time_goes();
    training();
    profile();
    run();
    errors();
    return out_.str();
  }

 private:
  std::vector<const ordered_json*> part(const std::string& name) const {
    std::vector<const ordered_json*> found;
    for (const ordered_json& row : rows_)
      if (text_of(row, "part") == name) found.push_back(&row);
    return found;
  }
  /// Those with results.
  std::vector<const ordered_json*> good(const std::string& name) const {
    auto found = part(name);
    std::erase_if(found, [](const ordered_json* row) { return row->contains("error"); });
    return found;
  }
  static std::string text_of(const ordered_json& row, const char* field) {
    const auto& key = row["key"];
    if (!key.contains(field)) return "";
    return key[field].is_string() ? key[field].get<std::string>() : key[field].dump();
  }
  /// "" if it is no text.
  static std::string string_of(const ordered_json& row, const char* field) {
    const auto found = row.find(field);
    return found != row.end() && found->is_string() ? found->get<std::string>() : "";
  }
  static double value(const ordered_json& row, const char* field) {
    const auto found = row.find(field);
    return found != row.end() && found->is_number() ? found->get<double>() : NAN;
  }
  const ordered_json* limit_row(const std::string& what) const {
    for (const ordered_json* row : good("limits"))
      if (text_of(*row, "what") == what) return row;
    return nullptr;
  }
  /// A measured limit in operations, bytes or seconds; NaN if it is not there.
  double limit(const std::string& what) const {
    const ordered_json* const row = limit_row(what);
    return row == nullptr ? NAN : value(*row, "value");
  }
  /// What DeviceWatch saw; NaN if it saw nothing.
  static double seen(const ordered_json& row, const char* field) {
    return row.contains("device") ? value(row["device"], field) : NAN;
  }
  static double watts_of(const ordered_json& row) {
    const double watts = seen(row, "watts");
    return watts > 0 ? watts : NAN;  // 0: it was too short
  }
  static std::string watts(const ordered_json& row) { return number(watts_of(row)); }
  static std::string clock(const ordered_json& row) {
    if (std::isnan(watts_of(row))) return "–";
    const double clock = seen(row, "sm_mhz"), share = clock / seen(row, "sm_mhz_highest");
    return number(clock) + (share < 0.95 ? fmt::format(" ({:.0f} %)", 100 * share) : "");
  }
  static std::string joules_per_million(const ordered_json& row) {
    return number(1e6 * watts_of(row) / value(row, "rate"));
  }
  static bool same_network(const ordered_json& a, const ordered_json& b) {
    return std::ranges::all_of(std::array{"variant", "net", "format"}, [&](const char* field) {
      return text_of(a, field) == text_of(b, field);
    });
  }
  /// The fastest row of the part with the same game, network and format; nullptr: there is none.
  const ordered_json* best(const std::string& name, const ordered_json& like) const {
    const ordered_json* fastest = nullptr;
    for (const ordered_json* row : good(name)) {
      if (same_network(*row, like) &&
          (fastest == nullptr || value(*row, "rate") > value(*fastest, "rate")))
        fastest = row;
    }
    return fastest;
  }
  double best_rate(const std::string& name, const ordered_json& like) const {
    const ordered_json* const row = best(name, like);
    return row == nullptr ? NAN : value(*row, "rate");
  }
  /// The matrix rate that a format's convolutions are held against.
  double matrix_limit(const std::string& format) const { return limit("matrix " + format); }

  void heading(const char* title) { out_ << "\n## " << title << "\n\n"; }
  void table(const std::vector<std::string>& columns) {
    line(columns);
    std::vector<std::string> rule;
    for (std::size_t i = 0; i < columns.size(); ++i)
      rule.emplace_back(i == 0 ? "---" : "---:");
    line(rule);
  }
  void line(const std::vector<std::string>& cells) {
    out_ << '|';
    for (const std::string& cell : cells)
      out_ << ' ' << cell << " |";
    out_ << '\n';
  }

  void context() {
    table({"", ""});
    for (const ordered_json* row : part("context")) {
      std::string shown = string_of(*row, "value");
      for (std::size_t at = 0; (at = shown.find('|', at)) != std::string::npos; at += 2)
        shown.replace(at, 1, "\\|");
      line({text_of(*row, "what"), shown});
    }
  }

  void parts() {
    const auto rows = part("status");
    if (rows.empty()) return;
    heading("Parts");
    table({"part", "state", "seconds", "GPU in use, mean", "its memory, most (MiB)"});
    for (const ordered_json* row : rows)
      line({text_of(*row, "name"), string_of(*row, "state"), number(value(*row, "seconds")),
            percent(value(*row, "gpu_percent") / 100), number(value(*row, "gpu_mib"))});
  }

  void limits() {
    const auto rows = good("limits");
    if (rows.empty()) return;
    heading("Limits");
    std::string device;
    for (const ordered_json* row : part("context"))
      if (text_of(*row, "what") == "device") device = string_of(*row, "value");
    const auto* sheet = std::ranges::find_if(kDataSheets, [&](const DataSheet& d) {
      return device.find(d.device) != std::string::npos;
    });
    const bool known = sheet != std::end(kDataSheets);
    table({"", "measured", "data sheet", "share", "W", "MHz"});
    const auto show = [&](const std::string& what, const char* title, double unit,
                          const char* unit_name, double peak) {
      const double measured = limit(what) / unit;
      if (std::isnan(measured)) return;
      line({title, number(measured) + unit_name, std::isnan(peak) ? "–" : number(peak) + unit_name,
            percent(measured / peak), watts(*limit_row(what)), clock(*limit_row(what))});
    };
    show("matrix fp32", "matrix product, fp32", 1e12, " TFLOP/s", known ? sheet->fp32 : NAN);
    show("matrix tf32", "matrix product, tf32", 1e12, " TFLOP/s", known ? sheet->tf32 : NAN);
    show("matrix bf16", "matrix product, bf16", 1e12, " TFLOP/s", known ? sheet->bf16 : NAN);
    show("copy", "memory (read + written)", 1e9, " GB/s", known ? 1000 * sheet->memory : NAN);
    show("to device", "host to device, pinned", 1e9, " GB/s", NAN);
    show("from device", "device to host, pinned", 1e9, " GB/s", NAN);
    show("operation", "starting one small operation", 1e-6, " µs", NAN);
    out_ << "\nThe data sheet's rates are dense ones. MHz: the clock of the multiprocessors in the "
            "second in which a measurement took most power, here and below; its share of the "
            "highest if that is less than 95 %, as a row of another clock is not comparable.\n";
  }

  void tests() {
    const auto rows = part("tests");
    if (rows.empty()) return;
    heading("Tests on the device");
    table({"program", "passed", "failed", "skipped", "failures"});
    for (const ordered_json* row : rows)
      line({text_of(*row, "program"), number(value(*row, "passed")), number(value(*row, "failed")),
            number(value(*row, "skipped")), string_of(*row, "failures")});
  }

  void outputs() {
    const auto rows = good("outputs");
    if (rows.empty()) return;
    heading("Outputs compared with the CPU's in fp32");
    table({"game, network", "format", "policy max", "mean", "WDL max", "mean",
           "moves left max (plies)", "mean", "same best move", "positions"});
    for (const ordered_json* row : rows) {
      std::vector<std::string> cells = {text_of(*row, "variant") + " " + text_of(*row, "net"),
                                        text_of(*row, "format")};
      for (const char* what : {"policy", "wdl", "moves_left"})
        for (const char* which : {"max", "mean"})
          cells.push_back(number(row->contains(what) ? value((*row)[what], which) : NAN));
      cells.push_back(percent(value(*row, "same_best_move")));
      cells.push_back(number(value(*row, "positions")));
      line(cells);
    }
    out_ << "\nNetworks after " << number(value(*rows.front(), "steps"))
         << " training steps on the device, on positions of games.\n";
  }

  void inference() {
    const auto rows = good("inference");
    if (rows.empty()) return;
    heading("Evaluations without search");
    table({"game, network", "format", "threads", "batch", "positions/s", "TFLOP/s",
           "of matrix rate", "GB/s of memory, at least", "of copy rate", "GB/s from the host",
           "of its rate", "host's µs per batch: submitting", "waiting", "W", "MHz",
           "J per million"});
    for (const ordered_json* row : rows) {
      const double rate = value(*row, "rate");
      const double flops = rate * value(*row, "flops");
      const double bytes = rate * value(*row, "activation_bytes");
      const double sent = rate * value(*row, "to_device");
      line({text_of(*row, "variant") + " " + text_of(*row, "net"), text_of(*row, "format"),
            text_of(*row, "threads"), text_of(*row, "batch"), number(rate), number(flops / 1e12),
            percent(flops / matrix_limit(text_of(*row, "format"))), number(bytes / 1e9),
            percent(bytes / limit("copy")), number(sent / 1e9), percent(sent / limit("to device")),
            number(1e6 * value(*row, "submitting")), number(1e6 * value(*row, "waiting")),
            watts(*row), clock(*row), joules_per_million(*row)});
    }
    const ordered_json& first = *rows.front();
    out_ << fmt::format(
        "\nEach thread keeps two batches in flight; a thread that never waits is the limit itself. "
        "A "
        "position of {} {} takes {} MFLOP, at least "
        "{} "
        "kB of device memory in {} (every convolution's input and output once), {} kB from the "
        "host "
        "and {} B back.\n",
        text_of(first, "variant"), text_of(first, "net"), number(value(first, "flops") / 1e6),
        number(value(first, "activation_bytes") / 1e3), text_of(first, "format"),
        number(value(first, "to_device") / 1e3), number(value(first, "from_device")));
  }

  void selfplay() {
    const auto rows = good("selfplay");
    if (rows.empty()) return;
    heading("Self-play");
    table({"configuration", "network", "format", "threads", "games at once", "mean batch",
           "cores used", "evaluations/s", "evaluator alone/s", "share", "best without search/s",
           "share of it", "a network per second: evaluations/s", "of the rate",
           "ms per publication", "moves/s",

           "W", "MHz", "J per million"});
    for (const ordered_json* row : rows)
      line({text_of(*row, "config"), text_of(*row, "net"), text_of(*row, "format"),
            text_of(*row, "threads"), number(value(*row, "games_at_once")),
            number(value(*row, "batch")), number(value(*row, "cores")), number(value(*row, "rate")),
            number(value(*row, "alone")), percent(value(*row, "share")),
            number(best_rate("inference", *row)),
            percent(value(*row, "rate") / best_rate("inference", *row)),
            number(value(*row, "rate_publishing")),
            percent(value(*row, "rate_publishing") / value(*row, "rate")),
            number(1e3 * value(*row, "publication")), number(value(*row, "moves_rate")),
            watts(*row), clock(*row), joules_per_million(*row)});
    out_ << "\nThe batch is a thread's, of which the device's larger ones consist. The evaluator "
            "alone encodes and evaluates copies of self-play's batches, with as many threads and "
            "batches in flight. The best rate without search is that of the same network and "
            "format in any batch above, of other positions.\n";
  }

  void training() {
    const auto rows = good("training");
    if (rows.empty()) return;
    heading("Training");
    table({"game, network", "format", "batch", "samples/s", "TFLOP/s", "of matrix rate",
           "batches built/s (samples)", "W", "MHz", "J per million"});
    for (const ordered_json* row : rows) {
      const double flops = value(*row, "rate") * value(*row, "flops");
      line({text_of(*row, "variant") + " " + text_of(*row, "net"), text_of(*row, "format"),
            text_of(*row, "batch"), number(value(*row, "rate")), number(flops / 1e12),
            percent(flops / matrix_limit(text_of(*row, "format"))), number(value(*row, "building")),
            watts(*row), clock(*row), joules_per_million(*row)});
    }
    out_
        << "\nOne step on one batch again and again, the transfer to the device included; building "
           "batches from positions, on one thread, is not.\n";
  }

  /// From what the network's operations take to what self-play takes, per evaluation.
  void where_time_goes() {
    const auto rows = good("selfplay");
    if (std::ranges::none_of(rows, [&](auto* row) { return best("inference", *row) != nullptr; }))
      return;
    heading("Where the time of an evaluation goes");
    table({"", "µs"});
    for (const ordered_json* row : rows) {
      const ordered_json* const fastest = best("inference", *row);
      if (fastest == nullptr) continue;
      line({"**" + text_of(*row, "config") + ", " + text_of(*row, "format") + "**", ""});
      const auto show = [&](const char* what, double seconds) {
        if (std::isfinite(seconds)) line({what, number(1e6 * seconds)});
      };
      show("its operations at the measured matrix rate",
           value(*fastest, "flops") / matrix_limit(text_of(*row, "format")));
      for (const ordered_json* profiled : good("profile"))
        if (text_of(*profiled, "what") == "inference" && same_network(*profiled, *row))
          show("device busy", value(*profiled, "busy") / value((*profiled)["key"], "batch"));
      show("without search, at its best", 1 / value(*fastest, "rate"));
      show("self-play", 1 / value(*row, "rate"));
      show("self-play, a network per second", 1 / value(*row, "rate_publishing"));
      for (const ordered_json* trained : part("run"))
        if (string_of(*trained, "config") == text_of(*row, "config"))
          show("self-play beside the learner", 1 / rates_of_run(*trained).evaluations);
    }
  }

  void profile() {
    const auto rows = good("profile");
    if (rows.empty()) return;
    heading("What the device does, kernel by kernel");
    table({"", "format", "batch", "host's ms", "device busy, ms", "share", "kernels and copies"});
    for (const ordered_json* row : rows)
      line({text_of(*row, "what") + ", " + text_of(*row, "variant") + " " + text_of(*row, "net"),
            text_of(*row, "format"), text_of(*row, "batch"), number(1e3 * value(*row, "wall")),
            number(1e3 * value(*row, "busy")), percent(value(*row, "busy") / value(*row, "wall")),
            number(value(*row, "calls"))});
    out_ << "\nPer batch (one at a time) or training step, the host's time measured without the "
            "profiler. The longest kernels:\n";
    for (const ordered_json* row : rows) {
      const auto kernels = row->find("kernels");
      if (kernels == row->end() || !kernels->is_array()) continue;
      out_ << '\n';
      table({text_of(*row, "what") + ", " + text_of(*row, "variant") + " " + text_of(*row, "net") +
                 ", " + text_of(*row, "format"),
             "calls", "µs", "share"});
      constexpr std::size_t kShown = 12;
      for (std::size_t i = 0; i < std::min(kShown, kernels->size()); ++i) {
        const ordered_json& kernel = (*kernels)[i];
        if (!kernel.is_object()) continue;
        line({"`" + string_of(kernel, "name") + "`", number(value(kernel, "calls")),
              number(1e6 * value(kernel, "seconds")),
              percent(value(kernel, "seconds") / value(*row, "busy"))});
      }
    }
  }

  struct RunRates {
    double evaluations = NAN, samples = NAN;
  };
  /// Between the two lines of metrics of a row of "run".
  static RunRates rates_of_run(const ordered_json& row) {
    if (!row.contains("middle") || !row.contains("metrics")) return {};
    const ordered_json &from = row["middle"], &to = row["metrics"];
    const auto grown = [&](const char* field) { return value(to, field) - value(from, field); };
    return {grown("evaluations") / grown("seconds"),
            grown("steps") * value(row, "batch") / grown("seconds")};
  }

  void run() {
    const auto rows = part("run");
    if (rows.empty()) return;
    heading("A short training run, learner and actors on the same device");
    for (const ordered_json* row : rows) {
      if (row->contains("metrics")) {
        const ordered_json& m = (*row)["metrics"];
        const double seconds = value(m, "seconds"), joules = seconds * value(*row, "watts");
        const RunRates rates = rates_of_run(*row);
        out_ << fmt::format(
            "- `{}`: {} s, {} games, {} positions, {} steps; {} evaluations/s and {} samples/s in "
            "its second half, actors waited {} of the last interval; loss {}\n",
            string_of(*row, "config"), number(seconds), number(value(m, "games")),
            number(value(m, "positions")), number(value(m, "steps")), number(rates.evaluations),
            number(rates.samples), percent(value(m, "actors_paused")),
            m.contains("loss") ? number(value(m["loss"], "total")) : "–");
        if (std::isfinite(joules))
          out_ << fmt::format("- {} kJ, {} W on average, {} J per million evaluations\n",
                              number(joules / 1e3), number(value(*row, "watts")),
                              number(1e6 * joules / value(m, "evaluations")));
      }
      if (row->contains("tournament")) ratings((*row)["tournament"]);
    }
  }

  /// The table of that name in what `faultline tournament --json` prints, as text.
  void ratings(const ordered_json& tournament) {
    const auto list = [](const ordered_json& of, const char* field) {
      const auto found = of.find(field);
      return found != of.end() && found->is_array() ? *found : ordered_json::array();
    };
    for (const ordered_json& section : list(tournament, "sections")) {
      if (!section.is_object() || string_of(section, "title") != "Ratings") continue;
      out_ << "\nIts networks after so many seconds, against opponents that stay the same:\n\n";
      std::vector<std::string> titles;
      for (const ordered_json& column : list(section, "columns"))
        titles.push_back(string_of(column, "title"));
      table(titles);
      for (const ordered_json& row : list(section, "rows")) {
        std::vector<std::string> cells;
        for (const ordered_json& cell : row)
          cells.push_back(cell.is_object()   ? string_of(cell, "text")
                          : cell.is_string() ? cell.get<std::string>()
                                             : cell.dump());
        line(cells);
      }
    }
  }

  void errors() {
    std::ostringstream list;
    for (const ordered_json& row : rows_)
      if (row.contains("error"))
        list << "- `" << row["key"].dump() << "`: " << string_of(row, "error") << "\n";
    if (list.str().empty()) return;
    heading("What failed");
    out_ << list.str();
  }

  std::vector<ordered_json> rows_;
  std::map<std::string, std::size_t> index_;
  std::ostringstream out_;
};

}  // namespace

std::string device_report(const std::vector<ordered_json>& rows) {
  return Report(rows).text();
}

std::vector<ordered_json> read_rows(const std::string& text) {
  std::vector<ordered_json> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    ordered_json row = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (row.is_object() && row.contains("key") && row["key"].is_object())
      rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace faultline::bench
