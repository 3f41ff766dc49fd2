// Every family's encoder, for code that picks the family at run time (rules/families.h).
#pragma once

#include "model/encoding/all.h"  // made from rules/families/families.list
