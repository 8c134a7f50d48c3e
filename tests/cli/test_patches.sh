#!/bin/sh
# SPDX-License-Identifier: MIT
# `lope build --patches`: from the built-in set, byte-identical for any number of threads, clear about too little motion.
. "$(dirname "$0")/common.sh"
