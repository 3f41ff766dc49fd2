// The three standard streams, which a program may be started without.
#pragma once

namespace faultline {

/// Opens /dev/null in place of each standard stream that is closed. The first thing in every
/// main(): without it, the first file that is opened takes the number of a closed stream, and
/// receives what is printed.
void open_standard_streams();

}  // namespace faultline
