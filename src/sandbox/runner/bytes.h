// Big-endian numbers in byte buffers.
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

static inline uint32_t get_number(const uint8_t *at, int bytes) {
  uint32_t value = 0;
  for (int index = 0; index < bytes; index++) value = value << 8 | at[index];
  return value;
}

static inline void put_number(uint8_t *at, int bytes, uint64_t value) {
  for (int index = bytes - 1; index >= 0; index--, value >>= 8) at[index] = (uint8_t)value;
}

#endif
