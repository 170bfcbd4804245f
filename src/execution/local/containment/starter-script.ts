// What starts commands from a small process (D-275). A fork copies the page tables of its process, and to make a namespace by a program
// of its own takes longer than most commands run: perl is a tenth of a server, and calls the kernel itself. It decides nothing: each
// order names all that a command is started with.
import { existsSync } from "node:fs";
import { COMMAND_PARENTS } from "./command-parents.ts";
import { GATE } from "./gate.ts";
import type { Argv } from "./spawn-detached.ts";

const PERL = "/usr/bin/perl";
/** The name of the process: a command that ends what is called perl does not end it. */
export const STARTER = "orch-starter";

/** Of the calls that differ from machine to machine, in the order of the script. */
const CALLS: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [0, 1, 44, 3, 292, 53, 112, 56, 59, 272, 165, 157, 269],
  arm64: [63, 64, 206, 57, 24, 199, 157, 220, 221, 97, 40, 167, 48],
};

/** Null where this machine has none of it. `makes_user`: for an account other than root, which makes namespaces in one of its own. */
export function starterArgv(files: readonly number[], makes_user: boolean): Argv | null {
  const calls = CALLS[process.arch];
  if (calls === undefined || !existsSync(PERL)) return null;
  return [PERL, "-e", SCRIPT, "--", ...[...calls, makes_user ? 1 : 0, ...files].map(String)];
}

/**
 * Orders and reports are a letter, the number of the command, and bytes with their length before them. A command has a socket for what
 * it writes, one for its errors, one for notes to the starter and its order, and one for its gate. All that is opened here closes when
 * a command begins (CLOSE_ON_EXEC, 0x80000).
 */
const SCRIPT = `
$0 = "${STARTER}";
# Perl ignores it, and a command would too.
$SIG{FPE} = "DEFAULT";
# It ends with its runner, which may still want to end commands in order. A program that is begun has no handlers.
$SIG{$_} = sub { } for qw(TERM INT HUP);
my ($read, $write, $sendto, $close, $dup3, $socketpair, $setsid, $clone, $execve, $unshare, $mount, $prctl, $faccessat) = map { $_ + 0 } splice @ARGV, 0, 13;
my ($pidfd_open, $sigchld, $vfork, $newpid_newns, $orders) = (434, 17, 0x4000, 0x20020000, ${GATE});
my ($makes_user, @files) = map { $_ + 0 } @ARGV;
my $starter = $$;
my ($itself, $buffer, $in, $watched, $wanted, %at, %running, %files, %waiting) = (-1, "\\0" x 65536, "", "");

# False where not all of it is sent. Without '$flags' only because what it is sent to has ended (MSG_NOSIGNAL).
sub sent {
  my ($fd, $all, $flags) = @_;
  while (length $all) {
    my $size = syscall($sendto, $fd, $all, length $all, 0x4000 | ($flags // 0), 0, 0);
    next if $size < 0 && $! == 4;
    return if $size <= 0;
    substr($all, 0, $size) = "";
  }
  1;
}
sub report { sent($orders, pack "a N N/a*", @_) or finish() }
# A parent that stays ends its command when this process has ended.
sub finish {
  kill 9, $_->{group} ? -$_->{group} : $_->{pid} for grep { defined $_->{group} } values %running;
  unmade($_, $waiting{$_}) for keys %waiting;
  exit 0;
}
sub watching { my ($fd, $do) = @_; $at{$fd} = $do; vec($watched, $fd, 1) = 1 }
sub leave { my $fd = shift; delete $at{$fd} or return; vec($watched, $fd, 1) = 0; syscall($close, $fd + 0) }
sub ready { my ($fd, $one) = (shift, ""); vec($one, $fd, 1) = 1; select($one, undef, undef, 0) > 0 }
sub taken {
  my ($fd, $size) = shift;
  do { $size = syscall($read, $fd, $buffer, 65536) } while $size < 0 && $! == 4;
  $size > 0 ? substr $buffer, 0, $size : "";
}
sub note { my ($fd, $text) = @_; syscall($write, $fd, $text, length $text) }
sub forked { syscall($clone, shift() | $sigchld, 0, 0, 0, 0) }
# The keys are text, which a system call would take for an address.
sub alone { syscall($close, $_ + 0) for $orders, keys %at, map { @{$_->{files}} } values %waiting }
${COMMAND_PARENTS}
# Keeps the error.
sub closing { my ($error, @opened) = ($! + 0, @_); syscall($close, $_) for @opened; $! = $error; return }
# The parent of a command, and the process that becomes it: for an order, or to wait for one.
sub made {
  my ($how, $text) = @_;
  my (@ours, @theirs);
  for (0 .. 3) {
    my $pair = "\\0" x 8;
    syscall($socketpair, 1, 0x80001, 0, $pair) == 0 or return closing(@ours, @theirs);
    ($ours[$_], $theirs[$_]) = unpack "i i", $pair;
  }
  my $pid = forked($how eq "init" ? $newpid_newns : 0);
  return closing(@ours, @theirs) if $pid < 0;
  if (!$pid) {
    alone();
    syscall($close, $_) for @ours;
    $how eq "init" ? init(@theirs, $text) : apart(@theirs, $text);
  }
  syscall($close, $_) for @theirs;
  push @ours, syscall($pidfd_open, $pid, 0);
  return { pid => $pid, files => \\@ours };
}
# Also one that is stopped. It is waited for here: process 1 of a container may wait for none.
sub unmade {
  my ($how, $one) = @_;
  closing(@{$one->{files}});
  kill $_, $one->{pid} for $how eq "init" ? 9 : 10, 18;
  waitpid $one->{pid}, 0;
}
# To make it takes as long as many a command runs, so one of a kind waits for an order that comes over its socket for notes. Only what
# can be seen to end is given one.
sub keep_ready {
  my $how = shift;
  my $one = $waiting{$how} // made($how) // return;
  if ($one->{files}[4] < 0) { unmade($how, $one) } else { $waiting{$how} = $one }
}
sub taken_ready {
  my $one = delete $waiting{shift()} // return;
  return $one if waitpid($one->{pid}, 1) == 0;
  closing(@{$one->{files}});
}
sub start {
  my ($id, $text) = @_;
  my ($how, $has_gate) = split /\\0/, $text, 3;
  my $one = taken_ready($how);
  # What has not all of an order does not begin it. A large one is not waited for (MSG_DONTWAIT): the process may be stopped.
  if ($one && !sent($one->{files}[2], pack("N/a*", $text), 0x40)) { unmade($how, $one); undef $one }
  $one //= made($how, $text) // return report("N", $id, $! + 0);
  my ($out, $err, $note, $gate, $end) = @{$one->{files}};
  report("S", $id, $one->{pid});
  if (!$has_gate) { syscall($close, $gate); $gate = 0 }
  follow($id, $how, $one->{pid}, $out, $err, $note, $gate, $end);
}

sub follow {
  my ($id, $how, $pid, $out, $err, $note, $gate, $end) = @_;
  my $running = $running{$id} = { how => $how, pid => $pid, group => $how eq "init" ? 0 : undef, gate => $gate };
  my $read_note = sub {
    my $said = taken($note);
    leave($note) if $said eq "";
    for (split /\\n/, $said) {
      $running->{group} = substr $_, 1 if /^P/;
      # Its parent has ended before it could be known: nothing else would end it.
      kill 9, -$running->{group} if /^P/ && !$running{$id};
      report(substr($_, 0, 1), $id, substr $_, 1);
    }
  };
  watching($note, $read_note);
  $files{$id} = { $out => 1, $err => 1 };
  for ([1, $out], [2, $err]) {
    my ($what, $fd) = @$_;
    watching($fd, sub {
      my $bytes = taken($fd);
      report($what, $id, $bytes);
      return if $bytes ne "";
      leave($fd);
      delete $files{$id}{$fd};
      delete $files{$id} if !%{$files{$id}};
    });
  }
  $wanted = $how if !$gate;
  watching($gate, sub {
    my $passed = taken($gate);
    report("G", $id, $passed);
    return if $passed ne "";
    leave($gate);
    delete $running->{gate};
  }) if $gate;
  # It is ended, and what follows says so.
  if ($end < 0) { kill $how eq "init" ? 9 : 10, $pid; waitpid $pid, 0; delete $running{$id}; return report("X", $id, $?) }
  watching($end, sub {
    leave($end);
    waitpid $pid, 0;
    my $status = $?;
    $read_note->() while ($at{$note} // 0) == $read_note && ready($note);
    delete $running{$id};
    report("X", $id, $status);
  });
}

sub obey {
  my ($what, $id, $text) = @_;
  my $running = $running{$id};
  if ($what eq "S") { start($id, $text) }
  elsif ($what eq "R") { leave($_) for keys %{delete $files{$id} // {}} }
  elsif (!$running) {}
  elsif ($what eq "O" && $running->{gate}) { sent($running->{gate}, "."); $wanted = $running->{how} }
  elsif ($what eq "K") { kill 9, $running->{pid} }
}

my $last = pop @files;
syscall($close, $_) for @files;
syscall($dup3, $last, $last + 1, 0x80000) > 0 or exit 125;
syscall($close, $last);
if ($last + 1 != $orders) { syscall($dup3, $last + 1, $orders, 0x80000) > 0 or exit 125; syscall($close, $last + 1) }
if ($makes_user) {
  my ($user, $group) = ($> + 0, (split " ", $))[0]);
  syscall($unshare, 0x10000000) == 0 or exit 125;
  for (["setgroups", "deny"], ["uid_map", "$user $user 1"], ["gid_map", "$group $group 1"]) {
    open(my $file, ">", "/proc/self/$_->[0]") or exit 125;
    syswrite($file, $_->[1]) or exit 125;
  }
  # No command has rights over it (PR_CAPBSET_DROP).
  for my $right (0 .. 63) { syscall($prctl, 24, $right, 0, 0, 0) }
}
# No command of the same account can take or change what is open here (PR_SET_DUMPABLE).
syscall($prctl, 4, 0, 0, 0, 0) == 0 or exit 125;
$itself = syscall($pidfd_open, $$ + 0, 0);
exit 125 if $itself < 0;
watching($orders, sub {
  my $part = taken($orders);
  finish() if $part eq "";
  $in .= $part;
  while (length $in >= 9) {
    my ($what, $id, $size) = unpack "a N N", $in;
    last if length $in < 9 + $size;
    my $text = substr $in, 9, $size;
    substr($in, 0, 9 + $size) = "";
    obey($what, $id, $text);
  }
});
report("H", 0, "");
while (1) {
  # One that waits is made when nothing else is to be done.
  my $count = select(my $ready = $watched, undef, undef, $wanted && keys %running < 2 ? 0 : undef);
  next if $count < 0;
  if ($count == 0) { keep_ready($wanted); undef $wanted; next }
  my @found = map { [$_, $at{$_}] } grep { vec($ready, $_, 1) } keys %at;
  # The number of one that is closed here may be that of a new one.
  for (@found) { my ($fd, $do) = @$_; $do->() if ($at{$fd} // 0) == $do }
}
`;
