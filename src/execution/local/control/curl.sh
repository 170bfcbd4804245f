#!/bin/bash
# Runs curl, which waits by itself between retries. Where nothing can answer later, the first attempt is as good as the last: only the
# clock jumps over the others. Its parameters are those of curl.
__others && exec -a curl "$__programs/curl" "$@"
us=0 __us=1000000 n=0 a=()
while (($#)); do
  case $1 in
    --retry) n=${2//[!0-9]/} ; shift ;;
    --retry-delay) __us=0; __duration "$2"; shift ;;
    --retry-max-time) shift ;;
    --retry-connrefused | --retry-all-errors) ;;
    *) a+=("$1") ;;
  esac
  shift
done
"$__programs/curl" "${a[@]}"
code=$?
((code == 0)) || __jump $((${n:-0} * __us))
exit "$code"
