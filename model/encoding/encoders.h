// Encoders, for code that picks the family at run time (rules/families.h).
#pragma once

#include "model/encoding/encoding.h"
#include "rules/families/all.h"
