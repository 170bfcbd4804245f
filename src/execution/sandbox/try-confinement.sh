#!/bin/bash
# Tries, in a directory with a key, a hidden file and an open one, what a confined command must not be able to do, and says what it could.
# It has no parameters.
cat directory/key file open || true
[ -w / ] && echo 'and / is writable'
: > written || echo 'and the directory of a task is not writable'
while read -r name _; do
  case $name in Inter-*|face|lo:*) ;; *) echo "and the network of the machine is there"; break ;; esac
done < /proc/net/dev
