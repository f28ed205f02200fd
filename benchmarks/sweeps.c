/* The sweeps of three-pile Nim with a pass from m stones on, written for this one game: what a ruleset's sweep is compared
   with, and used for nothing else. cc -O3 -march=native sweeps.c; ./a.out outcomes|grundy N m writes the values to stdout
   and the seconds to stderr. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* One layer's P-positions: place[x*n + y] is z, or -1; met: where a pass leads to a P-position, or -1. Piles are alike, so
   x <= y only. */
static void lines(int n, const int32_t *met, int32_t *place, uint64_t *used) {
  int words = (n + 63) / 64;
  memset(used, 0, (size_t)n * words * 8);
  for (int x = 0; x < n; x++) {
    uint64_t *a = used + (size_t)x * words;
    for (int y = x; y < n; y++) {
      uint64_t *b = used + (size_t)y * words;
      int32_t out = met[(size_t)x * n + y], found = n;
      for (int w = 0; w < words; w++) {
        uint64_t taken = a[w] | b[w];
        if (out >= 0 && (out >> 6) == w) taken |= 1ULL << (out & 63);
        if (~taken) {
          found = w * 64 + __builtin_ctzll(~taken);
          break;
        }
      }
      place[(size_t)x * n + y] = found < n ? found : -1;
      if (found < n) {
        a[found >> 6] |= 1ULL << (found & 63);
        b[found >> 6] |= 1ULL << (found & 63);
      }
    }
  }
  for (int x = 0; x < n; x++)
    for (int y = 0; y < x; y++) place[(size_t)x * n + y] = place[(size_t)y * n + x];
}

static void outcomes(int n, int m, int32_t *found) {
  size_t each = (size_t)n * n;
  int32_t *met = malloc(each * 4);
  uint64_t *used = malloc((size_t)n * ((n + 63) / 64) * 8);
  for (size_t i = 0; i < each; i++) met[i] = -1;
  lines(n, met, found, used);
  for (int x = 0; x < n; x++)
    for (int y = 0; y < n; y++) {
      int32_t z = found[(size_t)x * n + y];
      met[(size_t)x * n + y] = z >= 0 && x + y + z >= m && x + y + z > 0 ? z : -1;
    }
  lines(n, met, found + each, used);
}

#define WORDS 8 /* enough for N up to 255 */
static void grundy(int n, int m, int32_t *found) { /* found[(x*n + y)*n + z] of p = 0, then of p = 1 */
  size_t each = (size_t)n * n * n;
  uint64_t *across = malloc((size_t)n * n * WORDS * 8), *row = malloc((size_t)n * WORDS * 8);
  for (int p = 0; p < 2; p++) {
    int32_t *here = found + p * each;
    memset(across, 0, (size_t)n * n * WORDS * 8);
    for (int x = 0; x < n; x++) {
      memset(row, 0, (size_t)n * WORDS * 8);
      for (int y = 0; y < n; y++) {
        uint64_t line[WORDS] = {0};
        for (int z = 0; z < n; z++) {
          size_t cell = ((size_t)x * n + y) * n + z;
          uint64_t *a = across + ((size_t)y * n + z) * WORDS, *b = row + (size_t)z * WORDS;
          int out = p && x + y + z >= m && x + y + z > 0 ? found[cell] : -1, value = 0;
          for (int w = 0; w < WORDS; w++) {
            uint64_t taken = a[w] | b[w] | line[w];
            if (out >= 0 && (out >> 6) == w) taken |= 1ULL << (out & 63);
            if (~taken) {
              value = w * 64 + __builtin_ctzll(~taken);
              break;
            }
          }
          here[cell] = value;
          uint64_t mark = 1ULL << (value & 63);
          a[value >> 6] |= mark;
          b[value >> 6] |= mark;
          line[value >> 6] |= mark;
        }
      }
    }
  }
}

int main(int count, char **argument) {
  if (count != 4) return 2;
  int n = atoi(argument[2]) + 1, m = atoi(argument[3]), all = strcmp(argument[1], "outcomes") != 0;
  size_t cells = 2 * (size_t)n * n * (all ? n : 1);
  double start = now(); /* the sweep gets its memory while its clock runs, too */
  int32_t *found = malloc(cells * 4);
  if (all)
    grundy(n, m, found);
  else
    outcomes(n, m, found);
  fprintf(stderr, "%.6f\n", now() - start);
  return fwrite(found, 4, cells, stdout) == cells ? 0 : 1;
}
