// Checkpoint files on disk.
#include "model/checkpoint_file.h"

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/json_fields.h"

namespace faultline {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the file's floats are stored as they lie");

constexpr std::string_view kMagic = "FAULTNET";
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kPrefix = kMagic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags, 0644)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool good() const { return fd_ >= 0; }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync() const { return ::fsync(fd_) == 0; }

 private:
  int fd_;
};

[[noreturn]] void fail_writing(const std::filesystem::path& path, int error) {
  throw CheckpointError(path, "cannot be written: " + std::generic_category().message(error));
}

void write_synced(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  const auto fail = [&] {
    const int error = errno;
    ::unlink(temporary.c_str());  // it may have filled the disk
    fail_writing(path, error);
  };
  {
    const Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (!file.good() || !file.write(bytes) || !file.sync()) fail();
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail();
  // The rename itself must survive a power cut too.
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const Descriptor directory(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!directory.good() || !directory.sync()) fail_writing(path, errno);
}

}  // namespace

void CheckpointFile::write(const std::filesystem::path& path) const {
  nlohmann::json full = header;
  full["arrays"] = nlohmann::json::array();
  std::size_t floats = 0;
  for (const auto& [name, values] : arrays) {
    full["arrays"].push_back({{"name", name}, {"count", values.size()}});
    floats += values.size();
  }
  const std::string text = full.dump();
  std::string bytes;
  bytes.reserve(kPrefix + text.size() + floats * sizeof(float) + sizeof(std::uint64_t));
  bytes += kMagic;
  append(bytes, kFormat);
  append(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
  for (const auto& [name, values] : arrays)
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  append(bytes, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
  write_synced(path, bytes);
}

CheckpointFile CheckpointFile::read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CheckpointError(path, "cannot be read: " + std::generic_category().message(errno));
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.size() < kPrefix || !std::string_view(bytes).starts_with(kMagic))
    throw CheckpointError(path, "is not a checkpoint (it does not begin with FAULTNET)");
  const auto format = number_at<std::uint32_t>(bytes, kMagic.size());
  if (format != kFormat)
    throw CheckpointError(path, "has format version " + std::to_string(format) + "; expected " +
                                    std::to_string(kFormat));
  CheckpointFile file;
  const std::size_t end = bytes.size() - sizeof file.hash;
  file.hash = number_at<std::uint64_t>(bytes, end);
  if (XXH3_64bits(bytes.data(), end) != file.hash)
    throw CheckpointError(path, "is damaged or cut off: its content hash does not fit");

  // From here on the bytes are those that were written; what fails is a writer's fault.
  const auto header_bytes = number_at<std::uint64_t>(bytes, kMagic.size() + sizeof format);
  if (header_bytes > end - kPrefix)
    throw CheckpointError(path, "its header is longer than the file");
  try {
    file.header = nlohmann::json::parse(bytes.begin() + kPrefix,
                                        bytes.begin() + kPrefix + static_cast<long>(header_bytes));
    std::size_t offset = kPrefix + header_bytes;
    for (const auto& array : json_field<nlohmann::json>(file.header, "arrays", "header")) {
      const auto count = json_field<std::size_t>(array, "count", "array");
      if (count > (end - offset) / sizeof(float))
        throw std::runtime_error("its arrays are longer than the file");
      auto& values = file.arrays[json_field<std::string>(array, "name", "array")];
      values.resize(count);
      std::memcpy(values.data(), bytes.data() + offset, count * sizeof(float));
      offset += count * sizeof(float);
    }
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
  return file;
}

const std::vector<float>& CheckpointFile::array(const std::filesystem::path& path,
                                                const std::string& name, std::size_t count) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw CheckpointError(path, "array '" + name + "' is missing");
  if (found->second.size() != count)
    throw CheckpointError(path, "array '" + name + "' has " + std::to_string(found->second.size()) +
                                    " floats; its network needs " + std::to_string(count));
  return found->second;
}

std::uint64_t weights_hash(const std::vector<float>& parameters,
                           const std::vector<float>& statistics) {
  const std::uint64_t seed = XXH3_64bits(parameters.data(), parameters.size() * sizeof(float));
  return XXH3_64bits_withSeed(statistics.data(), statistics.size() * sizeof(float), seed);
}

CheckpointInfo info_of(const CheckpointFile& file, const std::filesystem::path& path) {
  try {
    CheckpointInfo info;
    info.encoding =
        encoding_from_json(json_field<nlohmann::json>(file.header, "encoding", "header"));
    info.net = net_config_from_json(json_field<nlohmann::json>(file.header, "net", "header"));
    check(info.net);
    info.steps = json_field<std::int64_t>(file.header, "steps", "header");
    const auto parameters = file.arrays.find("weights/parameters");
    if (parameters != file.arrays.end())
      info.parameters = static_cast<std::int64_t>(parameters->second.size());
    info.has_ema = file.arrays.contains("ema/parameters");
    info.hash = file.hash;
    const std::string part = info.has_ema ? "ema" : "weights";
    const auto playing = file.arrays.find(part + "/parameters");
    const auto statistics = file.arrays.find(part + "/statistics");
    if (playing != file.arrays.end() && statistics != file.arrays.end())
      info.weights_hash = weights_hash(playing->second, statistics->second);
    return info;
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
}

}  // namespace faultline
