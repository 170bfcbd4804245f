#!/bin/bash
# Kills the process groups that are still noted when its input ends. A line of it is a sign and the number of a group: + begins one and -
# ends it. It confirms each + by a line, in their order.
groups=' '
while read -r sign id; do
  case $sign in
    +) groups+="$id " && echo ;;
    -) groups=${groups/ $id / } ;;
  esac
done
for id in $groups; do kill -KILL -- "-$id"; done
