// SPDX-License-Identifier: MIT
// Hot loops are compiled several times, for narrow and wide vector units, and the widest that the machine has is
// chosen at load time. Lanes never mix and nothing is fused, so every version gives the same bits.
#ifndef LOPE_SRC_BASE_WIDE_H
#define LOPE_SRC_BASE_WIDE_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define LOPE_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LOPE_WIDE
#endif

#if defined(__GNUC__)
#define LOPE_INLINE static inline __attribute__((always_inline))
#else
#define LOPE_INLINE static inline
#endif

#endif
