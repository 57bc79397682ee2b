#!/bin/sh
# tide.sh LOW HIGH HOURS   the height of the tide, by the rule of twelfths
awk -v low="$1" -v high="$2" -v hours="$3" 'BEGIN {
  split("0 1 3 6 9 11 12", twelfths, " ")
  if (hours !~ /^[0-6]$/) { print "HOURS is 0 to 6" > "/dev/stderr"; exit 1 }
  printf "%.2f m\n", low + (high - low) * twelfths[hours + 1] / 12
}'
