# Makes Perl wait and read the time by the clock that jumps: Perl reads it when it starts (PERL5OPT). A small Perl has no Time::HiRes,
# and `sleep` without a number waits for ever. An assignment before this text: $JumpingClock::clock_file (in microseconds).
package JumpingClock;

our $clock_file;
my $real = eval { require Time::HiRes; \&Time::HiRes::time } || sub { CORE::time() };

sub seconds {
  local ($_, $!);
  open(my $clock, "<", $clock_file) or return $real->();
  return $real->() + (<$clock> // 0) / 1e6;
}

sub pass {
  local ($?, $!);
  system("sleep", @_ ? $_[0] : "infinity");
  return @_ ? $_[0] : 0;
}

no warnings;
*CORE::GLOBAL::sleep = \&pass;
*CORE::GLOBAL::time = sub { int seconds() };
*Time::HiRes::sleep = \&pass;
*Time::HiRes::time = \&seconds;
# The options of a command line come before this module: they may have imported the two.
*main::sleep = \&pass if defined &main::sleep;
*main::time = \&seconds if defined &main::time;

1;
