// How parts are called in subjects: "000012" is 000012.part, "000012tmp" the one that a dead actor
// had not finished.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace faultline {

inline bool is_part_word(std::string word) {
  if (word.ends_with("tmp")) word.resize(word.size() - 3);
  return !word.empty() && word.size() <= 12 &&
         word.find_first_not_of("0123456789") == std::string::npos;
}

inline std::string part_file_name(const std::string& word) {
  return word.ends_with("tmp") ? word.substr(0, word.size() - 3) + ".part.tmp" : word + ".part";
}

/// "" if the file is no part, or one that is written.
inline std::string part_word(const std::filesystem::path& file, bool with_unfinished) {
  const std::string name = file.filename().string();
  const std::string word = name.substr(0, name.find('.'));
  if (name == word + ".part") return word;
  return with_unfinished && name == word + ".part.tmp" ? word + "tmp" : "";
}

}  // namespace faultline
