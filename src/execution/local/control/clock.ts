// Makes a clock that jumps instead of passing, for checks that wait, in bash, Python and Perl. `sleep` and `read -t` move a
// shared clock, which `date`, SECONDS and EPOCHSECONDS follow; a jump over the deadline of a `timeout` ends that timeout as its
// own timer would.

/** Where the clock of a run has its files, and what is done there in bash. The paths are plain. */
export type ClockPlace = {
  /** In microseconds. */
  readonly clock: string;
  /** What bash reads before each script. */
  readonly prelude: string;
  /** A fifo in which nothing ever is: to wait on it needs no process. */
  readonly fifo: string;
  /** The directory of the real programs. */
  readonly programs: string;
  /** The directory of what Python reads when it starts. */
  readonly python: string;
  /** The directory of a module that Perl reads when it starts. */
  readonly perl: string;
  /** Read before the functions. */
  readonly begin: string;
  /** Puts the processes of the check into `__all`. */
  readonly processes: string;
};

export type JumpingClock = {
  /** What bash reads before each script. */
  readonly prelude: string;
  /** Programs by their names: what is not bash, or names a program by its path, runs these. */
  readonly timers: Readonly<Record<string, string>>;
  /** Without another process, curl has only one attempt: the others would fail in the same way. */
  readonly retryingCurl: string;
  /** `sitecustomize.py`: the clock of Python is that of the programs. */
  readonly python: string;
  /** The text of the module. */
  readonly perl: string;
};

export const CLOCK_START = `${"0".repeat(20)}\n`;

/**
 * Functions run in the shell of the check: they keep its options, positional parameters and BASH_REMATCH. `__waits` comes before
 * the alarm of a timeout: one that has just started its command does not know it yet, and would end as if it were the command.
 */
const functionsAt = ({
  clock,
  prelude,
  fifo,
  programs,
  begin,
  processes,
  python,
  perl,
}: ClockPlace): string => `export BASH_ENV=${prelude} PYTHONPATH=${python} PYTHONDONTWRITEBYTECODE=1
export PERL5LIB=${perl} PERL5OPT=-M${PERL_MODULE}
${begin}
__clock() {
  __now=0
  builtin read -r __now <${clock}
  __now=$((10#$__now))
} 2>/dev/null
__duration() {
  local __d=$1 __k=1 __i __f=
  case $__d in *s) __d=\${__d%s} ;; *m) __k=60 __d=\${__d%m} ;; *h) __k=3600 __d=\${__d%h} ;; *d) __k=86400 __d=\${__d%d} ;; esac
  __i=\${__d%%.*}
  case $__d in *.*) __f=\${__d#*.} ;; esac
  case $__i$__f in '' | *[!0-9]*) return 1 ;; esac
  ((\${#__i} < 10)) || __i=999999999
  __f=\${__f}000000
  __us=$((__us + (10#\${__i:-0} * 1000000 + 10#\${__f:0:6}) * __k))
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
  while ((__p > 1)) && __up+="$__p " && builtin read -r __s </proc/$__p/stat; do __s=\${__s##*) } __s=\${__s#* } __p=\${__s%% *}; done
  __busy=0
  ${processes}
  for __p in "\${__all[@]}"; do
    [[ $__up == *" \${__p#/proc/} "* ]] && continue
    builtin read -r __s <$__p/stat || continue
    __s=\${__s##*) }
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
    builtin read -r -t 0.01 __p <>${fifo}
  done
} 2>/dev/null
__waits() {
  local __s __n
  for __n in {1..100}; do
    builtin read -r __s </proc/$1/stat && [[ \${__s##*) } == [RD]* ]] || return
    builtin read -r -t 0.01 __s <>${fifo}
  done
} 2>/dev/null
__jump() {
  local __now __p __t __to IFS=' ' __ring=
  __settle "$1"
  __clock
  __to=$((__now + $1))
  for __t in $_DEADLINES; do
    ((\${__t#*:} <= __to)) && builtin kill -s 0 "\${__t%:*}" && __to=\${__t#*:} __ring=\${__t%:*}
  done
  ((__to > __now)) || __to=$__now
  builtin printf '%020d\\n' "$__to" 1<>${clock}
  [[ -z $__ring ]] && return
  __waits "$__ring"
  builtin kill -s ALRM "$__ring"
  $__exec ${programs}/sleep infinity
} 2>/dev/null
sleep() {
  local - IFS=' ' __n __us=0 __ever=
  set +efux
  for __n; do
    case $__n in inf | infinity) __ever=1 __us=$((__us + 999999999000000)) ;;
    *) __duration "$__n" || { $__exec ${programs}/sleep "$@"; return; } ;; esac
  done
  (($#)) || { $__exec ${programs}/sleep; return; }
  __jump "$__us"
  [[ $__ever ]] && $__exec ${programs}/sleep infinity
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
        builtin read "\${@:1:OPTIND-1}" -t 0.001 "\${@:OPTIND}"
        __o=$?
        __jump $((__us - __spent))
        __follow
        return "$__o"
      fi
      builtin read -r -t 0.01 __p <>${fifo}
      __spent=$((__spent + 10000))
    done
  fi
  builtin read "$@"
}
date() {
  local - IFS=' ' __now __base __n=0 __at= __a=()
  set +efux
  __clock
  if ((__now == 0)) || ! __base=$(${programs}/date -u +%s.%6N); then $__exec ${programs}/date "$@"; return; fi
  __base=$((\${__base/./} + __now))
  while (($#)); do
    case $1 in
      -d | --date) __at=$2 __n=1; shift ;;
      --date=*) __at=\${1#*=} __n=1 ;;
      -d*) __at=\${1#-d} __n=1 ;;
      -u[d]) __a+=(-u) __at=$2 __n=1; shift ;;
      -r | -f | -s | --reference | --file | --set | --reference=* | --file=* | --set=*) __a+=("$@") __n=2; break ;;
      *) __a+=("$1") ;;
    esac
    shift
  done
  ((__n == 2)) && { $__exec ${programs}/date "\${__a[@]}"; return; }
  __now=@$((__base / 1000000)).$((__base % 1000000 + 1000000))
  __now=\${__now/.1/.}
  ((__n == 0)) && { $__exec ${programs}/date -d "$__now" "\${__a[@]}"; return; }
  __now=$(TZ=UTC0 ${programs}/date -d "$__now" '+%Y-%m-%d %H:%M:%S.%6N +0000')
  if ${programs}/date -d "$__now $__at" >/dev/null 2>&1; then __at="$__now $__at"; fi
  $__exec ${programs}/date -d "$__at" "\${__a[@]}"
}
__exec=
__clock
__seen=$__now
__follow
`;

const program = (prelude: string, text: string): string => `#!/bin/bash -p\n. ${prelude}\n__exec=exec\n${text}\n`;

const timeoutAt = (programs: string): string => `for ((i = 1; i <= $#; i++)); do
  case \${!i} in -k | -s | --kill-after | --signal) ((i++)) ;; --) ((i++)); break ;; -*) ;; *) break ;; esac
done
__us=0
if ((i <= $#)) && __duration "\${!i}" && ((__us > 0)); then
  __clock
  export _DEADLINES="\${_DEADLINES:+$_DEADLINES }$$:$((__now + __us))"
fi
exec -a timeout ${programs}/timeout "$@"`;

/** curl waits by itself between retries. Where nothing can answer later, the first attempt is as good as the last. */
const curlAt = (programs: string): string => `__others && exec -a curl ${programs}/curl "$@"
us=0 __us=1000000 n=0 a=()
while (($#)); do
  case $1 in
    --retry) n=\${2//[!0-9]/} ; shift ;;
    --retry-delay) __us=0; __duration "$2"; shift ;;
    --retry-max-time) shift ;;
    --retry-connrefused | --retry-all-errors) ;;
    *) a+=("$1") ;;
  esac
  shift
done
${programs}/curl "\${a[@]}"
code=$?
((code == 0)) || __jump $((\${n:-0} * __us))
exit "$code"`;

export function jumpingClock(place: ClockPlace): JumpingClock {
  const { prelude, programs } = place;
  return {
    prelude: functionsAt(place),
    timers: {
      sleep: program(prelude, 'sleep "$@"'),
      date: program(prelude, 'date "$@"'),
      timeout: program(prelude, timeoutAt(programs)),
    },
    retryingCurl: program(prelude, curlAt(programs)),
    python: PYTHON,
    perl: perlAt(place.clock),
  };
}

/** Modules that Python and Perl read when they start: they wait and read the time by the clock that jumps. */
export const PERL_MODULE = "JumpingClock";

const PYTHON = `import time

def _run(*words):
    import subprocess
    return subprocess.run(words, stdout=subprocess.PIPE).stdout

def _sleep(seconds):
    _run("sleep", "%.6f" % seconds)

def _time():
    return float(_run("date", "+%s.%N"))

time.sleep, time.time, time.monotonic = _sleep, _time, _time
`;

/** `sleep` without a number waits for ever. A small Perl has no Time::HiRes. */
const perlAt = (clock: string): string => `package ${PERL_MODULE};

my $real = eval { require Time::HiRes; \\&Time::HiRes::time } || sub { CORE::time() };

sub seconds {
  local ($_, $!);
  open(my $clock, "<", "${clock}") or return $real->();
  return $real->() + (<$clock> // 0) / 1e6;
}

sub pass {
  local ($?, $!);
  system("sleep", @_ ? $_[0] : "infinity");
  return @_ ? $_[0] : 0;
}

no warnings;
*CORE::GLOBAL::sleep = \\&pass;
*CORE::GLOBAL::time = sub { int seconds() };
*Time::HiRes::sleep = \\&pass;
*Time::HiRes::time = \\&seconds;
# The options of a command line come before this module: they may have imported the two.
*main::sleep = \\&pass if defined &main::sleep;
*main::time = \\&seconds if defined &main::time;

1;
`;
