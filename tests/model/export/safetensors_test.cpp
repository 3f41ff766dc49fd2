// safetensors by the published format, read back by two readers that share nothing with the writer,
// one of them in Python; 16-bit floats.
#include "model/export/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/float_bits.h"
#include "model/export/folded_tensors.h"
#include "tests/model/export/networks_to_export.h"
#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

/// The file taken apart by hand: nothing of model/export.
struct Parts {
  nlohmann::json header;
  std::string data;
};
Parts parts_of(const std::string& bytes) {
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(bytes.at(static_cast<std::size_t>(i)));
  return {nlohmann::json::parse(bytes.substr(8, length)), bytes.substr(8 + length)};
}

/// Element `i` of 16-bit data, by the definition of the formats.
double element(const std::string& data, std::size_t at, const std::string& type) {
  if (type == "F32") {
    float value = 0;
    std::memcpy(&value, data.data() + at, sizeof value);
    return static_cast<double>(value);
  }
  const int bits =
      static_cast<unsigned char>(data.at(at)) | static_cast<unsigned char>(data.at(at + 1)) << 8;
  const int mantissa_bits = type == "F16" ? 10 : 7, bias = type == "F16" ? 15 : 127;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const int exponent = (bits & 0x7fff) >> mantissa_bits;
  const double size =
      exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                    : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return (bits & 0x8000) != 0 ? -size : size;
}

TEST(Safetensors, HoldEveryTensorInEveryPrecision) {
  const ExportSource source = test::source_to_export("inferno");
  struct Case {
    ExportPrecision precision;
    const char* type;
    double error;  // relative
  };
  for (const Case& tried :
       {Case{ExportPrecision::Fp32, "F32", 0.0}, Case{ExportPrecision::Fp16, "F16", 0x1p-11},
        Case{ExportPrecision::Bf16, "BF16", 0x1p-8}}) {
    const ExportPrecision precision = tried.precision;
    const std::string type = tried.type;
    const double error = tried.error;
    const ExportOptions options{.precision = precision};
    const std::string bytes =
        write_safetensors(source.network, precision, export_metadata(source, options));
    const Parts parts = parts_of(bytes);
    EXPECT_EQ((bytes.size() - parts.data.size()) % 8, 0U) << "aligned";
    std::size_t tensors = 0, expected_begin = 0;
    for_each_tensor(source.network, [&](const std::string& name, const FloatTensor& tensor) {
      ++tensors;
      const nlohmann::json& entry = parts.header.at(name);
      EXPECT_EQ(entry.at("dtype"), type);
      EXPECT_EQ(entry.at("shape"), tensor.shape);
      const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
      const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
      EXPECT_EQ(begin, expected_begin) << "the format allows no holes";
      expected_begin = end;
      const std::size_t size = precision == ExportPrecision::Fp32 ? 4 : 2;
      ASSERT_EQ(end - begin, size * tensor.values.size());
      for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        const auto value = static_cast<double>(tensor.values[i]);
        ASSERT_NEAR(element(parts.data, begin + i * size, type), value,
                    std::max(error * std::fabs(value), error * 0x1p-13))
            << name;
      }
    });
    EXPECT_EQ(expected_begin, parts.data.size());
    EXPECT_EQ(parts.header.size(), tensors + 1);
    const nlohmann::json& metadata = parts.header.at("__metadata__");
    EXPECT_EQ(nlohmann::json::parse(metadata.at("encoding").get<std::string>()).at("variant"),
              "inferno");
    EXPECT_EQ(nlohmann::json::parse(metadata.at("network").get<std::string>()).at("steps"), 7);
  }
}

TEST(Safetensors, AreReadByPython) {
  const test::TemporaryFolder folder;
  const auto log = folder.path() / "log";
  if (test::run("python3 --version", log) != 0) {
    if (test::outsiders_are_required()) FAIL() << "python3 is required";
    GTEST_SKIP() << "python3 is not installed";
  }
  const ExportSource source = test::source_to_export("inferno");
  for (const ExportPrecision precision :
       {ExportPrecision::Fp32, ExportPrecision::Fp16, ExportPrecision::Bf16}) {
    const ExportOptions options{.precision = precision};
    const std::string file = folder.write(
        "net.safetensors",
        write_safetensors(source.network, precision, export_metadata(source, options)));
    ASSERT_EQ(test::run("python3 " +
                            test::in_quotes(FAULTLINE_SOURCE_DIR
                                            "/tests/model/export/read_safetensors.py") +
                            " " + test::in_quotes(file),
                        log),
              0)
        << test::read_text(log);
    // Each tensor's name, shape, and the sum of its values.
    const auto found = nlohmann::json::parse(test::read_text(log));
    std::size_t tensors = 0;
    for_each_tensor(source.network, [&](const std::string& name, const FloatTensor& tensor) {
      ++tensors;
      ASSERT_TRUE(found.contains(name)) << name;
      EXPECT_EQ(found[name]["shape"], tensor.shape) << name;
      double sum = 0;
      for (const float value : from_bytes(to_bytes(tensor.values, precision), precision))
        sum += static_cast<double>(value);
      EXPECT_NEAR(found[name]["sum"].get<double>(), sum, 1e-9 * (1 + std::fabs(sum))) << name;
    });
    EXPECT_EQ(found.size(), tensors);
  }
}

TEST(Safetensors, ReadBackToTheSameValues) {
  const ExportSource source = test::source_to_export("gardner");
  const SafetensorsFile file = read_safetensors(
      write_safetensors(source.network, ExportPrecision::Fp32, {{"a", "b"}}), "file");
  EXPECT_EQ(file.metadata, (ExportMetadata{{"a", "b"}}));
  for_each_tensor(source.network, [&](const std::string& name, const FloatTensor& tensor) {
    ASSERT_TRUE(file.tensors.contains(name)) << name;
    EXPECT_EQ(file.tensors.at(name).values, tensor.values) << name;
    EXPECT_EQ(file.tensors.at(name).shape, tensor.shape) << name;
  });
}

/// A file with this header.
std::string with_header(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

TEST(Safetensors, RefuseWhatIsMalformed) {
  const std::string good = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_EQ(read_safetensors(with_header(good, std::string(8, '\0')), "f").tensors.size(), 1U);
  for (const std::string& bad :
       {std::string(), std::string("short"), with_header(good, "").substr(0, 20),
        with_header("[]", ""), with_header("{", ""), with_header(std::string(100, '['), ""),
        with_header(good, std::string(7, '\0')),
        with_header(R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,8]}})",
                    std::string(8, '\0')),
        with_header(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
                    std::string(8, '\0')),
        with_header(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
                    std::string(8, '\0')),
        with_header(R"({"a":{"dtype":"F32","shape":[-1,-2],"data_offsets":[0,8]}})",
                    std::string(8, '\0')),
        with_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
                    std::string(8, '\0')),
        with_header(R"({"a":{"dtype":"F32","shape":[2]}})", std::string(8, '\0')),
        with_header(R"({"__metadata__":{"a":1}})", "")})
    EXPECT_THROW(read_safetensors(bad, "f"), ExportError) << bad;
}

TEST(FloatBits, RoundToTheNearestEven) {
  EXPECT_EQ(fp16_bits(1.0F), 0x3c00);
  EXPECT_EQ(fp16_bits(-2.0F), 0xc000);
  EXPECT_EQ(fp16_bits(65504.0F), 0x7bff);
  EXPECT_EQ(fp16_bits(65519.0F), 0x7bff);
  EXPECT_EQ(fp16_bits(65520.0F), 0x7c00);
  EXPECT_EQ(fp16_bits(1.0F + 0x1p-11F), 0x3c00) << "a tie, to even";
  EXPECT_EQ(fp16_bits(1.0F + 3 * 0x1p-11F), 0x3c02) << "a tie, to even";
  EXPECT_EQ(fp16_bits(0x1p-24F), 0x0001);
  EXPECT_EQ(fp16_bits(0x1p-25F), 0x0000) << "a tie, to even";
  EXPECT_EQ(fp16_bits(0x1.ffep-15F), 0x0400) << "rounds up to the smallest normal one";
  EXPECT_EQ(bf16_bits(1.0F), 0x3f80);
  EXPECT_EQ(bf16_bits(1.0F + 0x1p-8F), 0x3f80) << "a tie, to even";
  EXPECT_EQ(bf16_bits(1.0F + 3 * 0x1p-8F), 0x3f82) << "a tie, to even";
  EXPECT_TRUE(std::isnan(from_bf16_bits(bf16_bits(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(from_fp16_bits(fp16_bits(std::numeric_limits<float>::quiet_NaN()))));
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    ASSERT_EQ(fp16_bits(from_fp16_bits(static_cast<std::uint16_t>(bits))), bits);
    ASSERT_EQ(bf16_bits(from_bf16_bits(static_cast<std::uint16_t>(bits))), bits);
  }
}

}  // namespace
}  // namespace faultline
