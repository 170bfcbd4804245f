#!/bin/bash
# Turns exit code 1 into 2 if an earlier command of the pipeline failed: `curl -s URL | grep -q done` also exits with 1 when curl got no
# answer. 141 is not a failure: the reader stopped first. The command of a step comes after this text; there are no parameters.
trap 'orch_ended=("$?" "${PIPESTATUS[@]}")
if ((orch_ended[0] == 1)); then
  for orch_status in "${orch_ended[@]:1:${#orch_ended[@]}-2}"; do
    if ((orch_status > 1 && orch_status != 141)); then
      echo "orch: an earlier command of the pipeline failed with exit code $orch_status" >&2
      exit 2
    fi
  done
fi' EXIT
