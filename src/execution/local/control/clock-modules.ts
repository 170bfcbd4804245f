// Modules that Python and Perl read when they start: they wait and read the time by the clock that jumps.
export const PERL_MODULE = "JumpingClock";

export const PYTHON = `import time

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
export const perlAt = (clock: string): string => `package ${PERL_MODULE};

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
