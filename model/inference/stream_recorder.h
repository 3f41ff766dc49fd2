// Recording of what is submitted to a stream of a GPU, to submit it again in one piece: CUDA
// graphs, where LibTorch is a 2.x with CUDA and the CUDA headers are there when this program is
// built. What small networks' batches cost the host is then paid once per shape.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

namespace faultline {

/// Operations on fixed memory, to be submitted again and again.
class RecordedOperations {
 public:
  virtual ~RecordedOperations() = default;
  RecordedOperations(const RecordedOperations&) = delete;
  RecordedOperations& operator=(const RecordedOperations&) = delete;

  /// Submits them to the current stream, which must be the recorder's.
  virtual void replay() = 0;

 protected:
  RecordedOperations() = default;
};

/// A stream of its own, and memory that its recordings share, so that they must not run at the same
/// time: replay them on this stream only, and use each result on it before the next replay.
class StreamRecorder {
 public:
  virtual ~StreamRecorder() = default;
  StreamRecorder(const StreamRecorder&) = delete;
  StreamRecorder& operator=(const StreamRecorder&) = delete;

  virtual c10::Stream stream() const = 0;

  /// Calls `submit`, which must submit to the current stream, the recorder's, and wait for nothing.
  /// Nothing is computed yet. It should have run on this thread and stream before: what LibTorch
  /// prepares at the first time cannot be recorded. Throws c10::Error if it cannot be recorded.
  virtual std::unique_ptr<RecordedOperations> record(const std::function<void()>& submit) = 0;

 protected:
  StreamRecorder() = default;
};

/// One that nobody uses, new if there is none. Destroy its recordings before the last reference to
/// it, which gives stream and memory back for the next. nullptr on a CPU, in a program without such
/// recording, and once recording was stopped.
std::shared_ptr<StreamRecorder> take_stream_recorder(at::Device device);

/// Makes sure that from now on nothing is recorded or replayed in this process. Says why on the
/// standard error, once.
void stop_recording(const char* why);
bool recording_stopped();

/// Whether this program was built with recording.
bool has_stream_recording();

/// How many recordings have been replayed in this process.
std::uint64_t replay_count();

}  // namespace faultline
