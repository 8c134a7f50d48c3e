# SPDX-License-Identifier: MIT
# Flags shared by every target of the project; not inherited by those who use the installed libraries.
add_library(lope_flags INTERFACE)
target_compile_options(lope_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef
  # Same bits from every compiler: no fused multiply-add behind our back. errno and traps are never used.
  -ffp-contract=off -fno-math-errno -fno-trapping-math)
target_compile_definitions(lope_flags INTERFACE _XOPEN_SOURCE=700 _DEFAULT_SOURCE)
if(LOPE_WERROR)
  target_compile_options(lope_flags INTERFACE -Werror)
endif()
if(LOPE_SANITIZE)
  target_compile_options(lope_flags INTERFACE -fsanitize=${LOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(lope_flags INTERFACE -fsanitize=${LOPE_SANITIZE})
endif()
if(LOPE_FUZZ)
  # Coverage of the libraries, not only of the fuzz targets, is what leads the fuzzer on.
  target_compile_options(lope_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(lope_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
