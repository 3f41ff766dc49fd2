// Every family's encoder, for code that picks the family at run time (rules/families.h).
#pragma once

#include "model/encoding/chess.h"
#include "model/encoding/earthquake.h"
#include "model/encoding/escher.h"
#include "model/encoding/gardner.h"
#include "model/encoding/inferno.h"
#include "model/encoding/shifting.h"
#include "model/encoding/slanted.h"
