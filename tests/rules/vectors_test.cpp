// Positions, moves and counts computed by an independent implementation of the rules.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "app/vector_check.h"
#include "tests/families.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

void expect_all_pass(const fs::path& file) {
  std::ifstream in(file);
  ASSERT_TRUE(in) << file;
  const VectorReport report = check_vectors(in, file.string());
  for (const VectorFailure& failure : report.failures)
    ADD_FAILURE() << file << ":" << failure.line << ": " << failure.difference;
  EXPECT_GT(report.passed + report.skipped_count(), 0U) << file << " is empty";
}

template <class P>
class FamilyVectors : public testing::Test {};
TYPED_TEST_SUITE(FamilyVectors, test::EveryFamily);

TYPED_TEST(FamilyVectors, AllPassAndNoneIsSkipped) {
  const std::string& family = TypeParam::info().name;
  const fs::path file = fs::path(FAULTLINE_SOURCE_DIR) / "tests/vectors" / (family + ".jsonl");
  expect_all_pass(file);
  std::ifstream in(file);
  const VectorReport report = check_vectors(in, file.string());
  EXPECT_EQ(report.skipped_count(), 0U) << family;
  EXPECT_GE(report.passed, test::FamilyTest<TypeParam>::kLeastVectors) << family;
}

// FAULTLINE_VECTORS names a folder with more such files.
TEST(Vectors, FromTheFolderInTheEnvironmentPass) {
  const char* folder = std::getenv("FAULTLINE_VECTORS");
  if (folder == nullptr) GTEST_SKIP() << "FAULTLINE_VECTORS is not set";
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") expect_all_pass(entry.path());
}

}  // namespace
}  // namespace faultline
