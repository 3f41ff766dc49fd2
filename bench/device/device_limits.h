// What the device can do at most, measured: matrix products, memory, transfers, and the time
// between operations. Includes no LibTorch headers.
#pragma once

#include <string>

namespace faultline::bench {

/// Number formats of matrix products and convolutions. Tf32: floats whose products are computed
/// with ten bits of mantissa, on GPUs that can.
enum class MatrixFormat { Fp32, Tf32, Bf16 };

/// Operations (multiplications and additions) per second of a large square product of random
/// matrices, the best of several; `device` as resolve_device gives it.
double matrix_rate(const std::string& device, MatrixFormat format);

/// Bytes per second of a large copy on the device, read and written bytes counted.
double copy_rate(const std::string& device);

/// Bytes per second from pinned host memory to the device, or back. Not for "cpu".
double transfer_rate(const std::string& device, bool to_device);

/// Seconds that the host needs to start one small operation.
double operation_seconds(const std::string& device);

}  // namespace faultline::bench
