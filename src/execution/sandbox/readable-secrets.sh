#!/bin/bash
# Prints the places that it can read, and nothing of what is in them. Its parameters are variables: PLACES, one a line, and SERVER, the
# process whose environment and root it tries too.
while IFS= read -r place; do
  for file in "$place" "$place"/*; do
    for at in "$file" "/proc/$SERVER/root$file"; do
      if [ -f "$at" ] && [ -s "$at" ] && head -c 1 -- "$at" > /dev/null 2>&1; then echo "$file"; break; fi
    done
  done
done <<< "$PLACES"
if tr '\0' '\n' 2> /dev/null < "/proc/$SERVER/environ" | grep -qE '^(ORCH_|MCP_|FLOWENGINE_|DATABASE_URL=)'; then
  echo "the environment of the server"
fi
exit 0
