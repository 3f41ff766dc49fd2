// Every family's encoder, for code that picks the family at run time (rules/families.h).
#pragma once

#include "model/encoder_chess.h"
#include "model/encoder_earthquake.h"
#include "model/encoder_escher.h"
#include "model/encoder_gardner.h"
#include "model/encoder_inferno.h"
#include "model/encoder_shifting.h"
#include "model/encoder_slanted.h"
