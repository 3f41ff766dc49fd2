// Recording with CUDA graphs; without FAULTLINE_CUDA_GRAPHS there are no recorders.
#include "model/inference/stream_recorder.h"

#include <atomic>

#include <c10/util/Exception.h>

#ifdef FAULTLINE_CUDA_GRAPHS
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>
#endif

namespace faultline {
namespace {

std::atomic<bool> stopped = false;

#ifdef FAULTLINE_CUDA_GRAPHS

class CudaRecording final : public RecordedOperations {
 public:
  void replay() override { graph.replay(); }
  at::cuda::CUDAGraph graph;
};

/// A new stream. LibTorch's own are 32 that take turns; what another thread submits to a stream
/// while it records would be recorded, too.
std::optional<c10::Stream> new_stream(c10::DeviceIndex device) {
  // The CUDA library that LibTorch loaded: this program is linked with none.
  using Create = cudaError_t(cudaStream_t*, unsigned);
  auto* const create = reinterpret_cast<Create*>(dlsym(RTLD_DEFAULT, "cudaStreamCreateWithFlags"));
  cudaStream_t stream = nullptr;
  if (create == nullptr || create(&stream, cudaStreamNonBlocking) != cudaSuccess)
    return std::nullopt;
  return c10::cuda::getStreamFromExternal(stream, device).unwrap();
}

class CudaRecorder final : public StreamRecorder {
 public:
  explicit CudaRecorder(c10::Stream stream)
      : stream_(stream), memory_(at::cuda::graph_pool_handle()) {
    // LibTorch forgets the shared memory with the last recording in it.
    const c10::StreamGuard on_stream(stream_);
    first_ = record([&] { first_result_ = at::zeros({1}, at::TensorOptions(stream_.device())); });
  }

  c10::Stream stream() const override { return stream_; }

  std::unique_ptr<RecordedOperations> record(const std::function<void()>& submit) override {
    auto recording = std::make_unique<CudaRecording>();
    static std::mutex one_at_a_time;  // they share the state of the device's random numbers
    const std::scoped_lock lock(one_at_a_time);
    recording->graph.capture_begin(memory_, cudaStreamCaptureModeThreadLocal);
    try {
      submit();
    } catch (...) {
      try {
        recording->graph.capture_end();
      } catch (const c10::Error&) {  // the first error says more
      }
      throw;
    }
    recording->graph.capture_end();
    return recording;
  }

 private:
  c10::Stream stream_;
  at::cuda::MempoolId_t memory_;
  std::unique_ptr<RecordedOperations> first_;
  at::Tensor first_result_;
};

/// Those that nobody uses. Never destroyed: at the program's end CUDA is gone before it.
struct Unused {
  std::mutex mutex;
  std::vector<std::unique_ptr<CudaRecorder>> recorders;
};
Unused& unused() {
  static auto* const all = new Unused;
  return *all;
}

std::unique_ptr<CudaRecorder> unused_recorder(at::Device device) {
  {
    const std::scoped_lock lock(unused().mutex);
    auto& all = unused().recorders;
    for (auto& recorder : all)
      if (recorder->stream().device() == device) {
        std::swap(recorder, all.back());
        auto taken = std::move(all.back());
        all.pop_back();
        return taken;
      }
  }
  const auto stream = new_stream(device.index());
  return stream ? std::make_unique<CudaRecorder>(*stream) : nullptr;
}

#endif

}  // namespace

std::shared_ptr<StreamRecorder> take_stream_recorder(at::Device device) {
  if (!device.is_cuda() || stopped) return nullptr;
#ifdef FAULTLINE_CUDA_GRAPHS
  try {
    auto recorder = unused_recorder(device);
    if (recorder == nullptr) return nullptr;
    return {recorder.release(), [](CudaRecorder* done) {
              std::unique_ptr<CudaRecorder> owned(done);
              const std::scoped_lock lock(unused().mutex);
              unused().recorders.push_back(std::move(owned));
            }};
  } catch (const c10::Error& e) {
    stop_recording(e.what_without_backtrace());
  }
#endif
  return nullptr;
}

void stop_recording(const char* why) {
  if (!stopped.exchange(true))
    TORCH_WARN("faultline: batches are submitted to the GPU operation by operation: ", why);
}

bool recording_stopped() {
  return stopped;
}

bool has_stream_recording() {
#ifdef FAULTLINE_CUDA_GRAPHS
  return true;
#else
  return false;
#endif
}

}  // namespace faultline
