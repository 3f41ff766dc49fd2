// The kernels' entry points; compiled to kernels.ptx by scripts/gpu-kernels.
#include "model/inference/gpu/norm_kernels.h"

namespace faultline::gpu {

/// All phases with barriers between them. Phases are numbered 0 to Kernel::kPhases.
template <class Kernel, int phase = 0>
FAULTLINE_KERNEL void run_phases(const typename Kernel::Arguments& arguments,
                                 typename Kernel::Shared& shared, int block, int thread) {
  Kernel::template run<phase>(arguments, shared, block, thread);
  if constexpr (phase < Kernel::kPhases) {
    __syncthreads();
    run_phases<Kernel, phase + 1>(arguments, shared, block, thread);
  }
}

#define FAULTLINE_ENTRY(name, Kernel)                                              \
  extern "C" __attribute__((global, launch_bounds(Kernel::kThreads, Kernel::kBlocks))) void name(Kernel::Arguments arguments) {      \
    __attribute__((shared)) static Kernel::Shared shared;                                 \
    run_phases<Kernel>(arguments, shared, __nvvm_read_ptx_sreg_ctaid_x(),          \
                       __nvvm_read_ptx_sreg_tid_x());                              \
  }

FAULTLINE_ENTRY(squeeze_excite, SqueezeExciteKernel)
FAULTLINE_ENTRY(place_planes, PlacePlanesKernel)
FAULTLINE_ENTRY(policy_logits, PolicyKernel)
FAULTLINE_ENTRY(value_input, ValueInputKernel)
FAULTLINE_ENTRY(board_sums, BoardSumsKernel<false>)
FAULTLINE_ENTRY(slope_sums, BoardSumsKernel<true>)
FAULTLINE_ENTRY(norm_forward, NormForwardKernel)
FAULTLINE_ENTRY(norm_backward, NormBackwardKernel)
FAULTLINE_ENTRY(norm_apply, NormApplyKernel)
FAULTLINE_ENTRY(norm_slopes, NormSlopesKernel)

}  // namespace faultline::gpu
