// The version of the library; the header has it in numbers.
#include "library/faultline.h"

#define FAULTLINE_TEXT_OF(number) #number
#define FAULTLINE_TEXT(number) FAULTLINE_TEXT_OF(number)

const char* faultline_version(void) {
  return FAULTLINE_TEXT(FAULTLINE_VERSION_MAJOR) "." FAULTLINE_TEXT(
      FAULTLINE_VERSION_MINOR) "." FAULTLINE_TEXT(FAULTLINE_VERSION_PATCH);
}
