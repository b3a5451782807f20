# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.bash <completion file> <words>...: what pressing TAB after the last
# word offers, one a line. `=` is a word of its own, as bash splits it.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_clang_raise
printf '%s\n' "${COMPREPLY[@]}"
