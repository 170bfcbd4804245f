#!/bin/bash
# Makes a clock that jumps: bash functions for the shell of the check, whose options, positional parameters and BASH_REMATCH they keep.
# `__waits` comes before the alarm of a timeout: one that has just started its command does not know it yet, and would end as if it
# were the command. Assignments before this text: __clock_file (in microseconds), __fifo (nothing is ever in it: to wait on it needs
# no process), __programs (the directory of the real programs). A function before it, __processes, puts those of the check into __all.
__clock() {
  __now=0
  builtin read -r __now <"$__clock_file"
  __now=$((10#$__now))
} 2>/dev/null
__duration() {
  local __d=$1 __k=1 __i __f=
  case $__d in *s) __d=${__d%s} ;; *m) __k=60 __d=${__d%m} ;; *h) __k=3600 __d=${__d%h} ;; *d) __k=86400 __d=${__d%d} ;; esac
  __i=${__d%%.*}
  case $__d in *.*) __f=${__d#*.} ;; esac
  case $__i$__f in '' | *[!0-9]*) return 1 ;; esac
  ((${#__i} < 10)) || __i=999999999
  __f=${__f}000000
  __us=$((__us + (10#${__i:-0} * 1000000 + 10#${__f:0:6}) * __k))
}
__follow() {
  local __now
  __clock
  ((__now > 0)) || return 0
  ((__now == __seen)) || SECONDS=$((SECONDS + __now / 1000000 - __seen / 1000000)) __seen=$__now
  [[ -v EPOCHSECONDS ]] || return 0
  unset EPOCHSECONDS EPOCHREALTIME
  printf -v EPOCHSECONDS '%(%s)T' -1
  EPOCHSECONDS=$((EPOCHSECONDS + __now / 1000000))
  printf -v EPOCHREALTIME '%d.%06d' "$EPOCHSECONDS" "$((__now % 1000000))"
}
__others() {
  local - IFS=' ' __p=$BASHPID __up=' 1 ' __s __n=0 __all=()
  set +efu
  while ((__p > 1)) && __up+="$__p " && builtin read -r __s </proc/$__p/stat; do __s=${__s##*) } __s=${__s#* } __p=${__s%% *}; done
  __busy=0
  __processes
  for __p in "${__all[@]}"; do
    [[ $__up == *" ${__p#/proc/} "* ]] && continue
    builtin read -r __s <$__p/stat || continue
    __s=${__s##*) }
    [[ $__s == Z* ]] && continue
    __n=1
    [[ $__s == [RD]* ]] && __busy=1
  done
  return $((1 - __n))
} 2>/dev/null
__settle() {
  local __busy __calm=0 __limit=$(($1 < 1000000 ? $1 : 1000000))
  while ((__calm < 2 && __limit > 0)) && __others; do
    ((__calm = __busy ? 0 : __calm + 1, __limit -= 10000))
    builtin read -r -t 0.01 __p <>"$__fifo"
  done
} 2>/dev/null
__waits() {
  local __s __n
  for __n in {1..100}; do
    builtin read -r __s </proc/$1/stat && [[ ${__s##*) } == [RD]* ]] || return
    builtin read -r -t 0.01 __s <>"$__fifo"
  done
} 2>/dev/null
__jump() {
  local __now __p __t __to IFS=' ' __ring=
  __settle "$1"
  __clock
  __to=$((__now + $1))
  for __t in $_DEADLINES; do
    ((${__t#*:} <= __to)) && builtin kill -s 0 "${__t%:*}" && __to=${__t#*:} __ring=${__t%:*}
  done
  ((__to > __now)) || __to=$__now
  builtin printf '%020d\n' "$__to" 1<>"$__clock_file"
  [[ -z $__ring ]] && return
  __waits "$__ring"
  builtin kill -s ALRM "$__ring"
  $__exec "$__programs/sleep" infinity
} 2>/dev/null
sleep() {
  local - IFS=' ' __n __us=0 __ever=
  set +efux
  for __n; do
    case $__n in inf | infinity) __ever=1 __us=$((__us + 999999999000000)) ;;
    *) __duration "$__n" || { $__exec "$__programs/sleep" "$@"; return; } ;; esac
  done
  (($#)) || { $__exec "$__programs/sleep"; return; }
  __jump "$__us"
  [[ $__ever ]] && $__exec "$__programs/sleep" infinity
  __follow
}
read() {
  local -
  case " $* " in *' -'*t*) ;; *) builtin read "$@"; return ;; esac
  local __o __t= __fd=0 __us=0 __spent=0 __p __busy OPTIND=1 OPTARG OPTERR=0
  while getopts ersa:d:i:n:N:p:t:u: __o; do
    case $__o in t) __t=$OPTARG ;; u) __fd=$OPTARG ;; esac
  done
  if __duration "$__t" && ((__us > 0)); then
    set +eu
    until builtin read -t 0 -u "$__fd" || ((__spent >= __us)); do
      if ! __others; then
        builtin read "${@:1:OPTIND-1}" -t 0.001 "${@:OPTIND}"
        __o=$?
        __jump $((__us - __spent))
        __follow
        return "$__o"
      fi
      builtin read -r -t 0.01 __p <>"$__fifo"
      __spent=$((__spent + 10000))
    done
  fi
  builtin read "$@"
}
date() {
  local - IFS=' ' __now __base __n=0 __at= __a=()
  set +efux
  __clock
  if ((__now == 0)) || ! __base=$("$__programs/date" -u +%s.%6N); then $__exec "$__programs/date" "$@"; return; fi
  __base=$((${__base/./} + __now))
  while (($#)); do
    case $1 in
      -d | --date) __at=$2 __n=1; shift ;;
      --date=*) __at=${1#*=} __n=1 ;;
      -d*) __at=${1#-d} __n=1 ;;
      -u[d]) __a+=(-u) __at=$2 __n=1; shift ;;
      -r | -f | -s | --reference | --file | --set | --reference=* | --file=* | --set=*) __a+=("$@") __n=2; break ;;
      *) __a+=("$1") ;;
    esac
    shift
  done
  ((__n == 2)) && { $__exec "$__programs/date" "${__a[@]}"; return; }
  __now=@$((__base / 1000000)).$((__base % 1000000 + 1000000))
  __now=${__now/.1/.}
  ((__n == 0)) && { $__exec "$__programs/date" -d "$__now" "${__a[@]}"; return; }
  __now=$(TZ=UTC0 "$__programs/date" -d "$__now" '+%Y-%m-%d %H:%M:%S.%6N +0000')
  if "$__programs/date" -d "$__now $__at" >/dev/null 2>&1; then __at="$__now $__at"; fi
  $__exec "$__programs/date" -d "$__at" "${__a[@]}"
}
__exec=
__clock
__seen=$__now
__follow
