/* Which sources a library was made of: setup.py passes a hash of them, and the package compares (stamp.py). */

#include "native.h"

EXPORT const char *native_stamp(void) { return STAMP; }
