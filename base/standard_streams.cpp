// Closed standard streams become /dev/null.
#include "base/standard_streams.h"

#include <cerrno>
#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace faultline {

void open_standard_streams() {
  // A new file has the lowest free number, which is the stream's, as those below it are open.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF && ::open("/dev/null", O_RDWR) != stream)
      return;  // nothing else could be done
}

}  // namespace faultline
