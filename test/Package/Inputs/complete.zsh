# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.zsh <folder of completions> <line> <pattern>: what the terminal shows
# when TAB is pressed after the line, up to what the pattern stands for.
zmodload zsh/zpty || exit 1
zpty shell zsh -f -i
# What the shell wrote until the pattern was seen, or for twenty seconds.
show() {
  local all= part
  integer i
  for ((i = 0; i < 400; ++i)); do
    while zpty -rt shell part; do all+=$part; done
    [[ $all == *${~1}* ]] && break
    sleep 0.05
  done
  print -r -- "$all"
}
zpty -w shell "PS1='> '; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep; bindkey '^I' complete-word; stty cols 200; echo set''up"
show setup > /dev/null
zpty -wn shell "$2"$'\t'
show "$3"
zpty -d shell
