// What starts commands from a small process (D-275). A fork copies the page tables of its process, and to make a namespace by a program
// of its own takes longer than most commands run: perl is a tenth of a server, and calls the kernel itself. It decides nothing: each
// order names all that a command is started with.
import { existsSync } from "node:fs";
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
 * it writes, one for its errors, one for notes to the starter, and where it waits at a gate, one for that. All that is opened here closes
 * when a command begins (CLOSE_ON_EXEC, 0x80000). What is a child here never returns.
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
my ($buffer, $in, $watched, %at, %running, %files) = ("\\0" x 65536, "", "");

sub report {
  my $all = pack "a N N/a*", @_;
  while (length $all) {
    my $sent = syscall($sendto, $orders, $all, length $all, 0x4000, 0, 0);
    next if $sent < 0 && $! == 4;
    finish() if $sent <= 0;
    substr($all, 0, $sent) = "";
  }
}
# A parent that stays ends its command when this process has ended.
sub finish { kill 9, $_->{group} ? -$_->{group} : $_->{pid} for grep { defined $_->{group} } values %running; exit 0 }
sub watching { my ($fd, $do) = @_; $at{$fd} = $do; vec($watched, $fd, 1) = 1 }
sub leave { my $fd = shift; delete $at{$fd} or return; vec($watched, $fd, 1) = 0; syscall($close, $fd + 0) }
sub ready { my ($fd, $one) = (shift, ""); vec($one, $fd, 1) = 1; select($one, undef, undef, 0) > 0 }
sub taken {
  my ($fd, $size) = shift;
  do { $size = syscall($read, $fd, $buffer, 65536) } while $size < 0 && $! == 4;
  $size > 0 ? substr $buffer, 0, $size : "";
}
sub note { my ($fd, $text) = @_; syscall($write, $fd, $text, length $text) }
sub fault { note(shift, "F" . ($! + 0) . "\\n"); exit 127 }
sub forked { syscall($clone, shift() | $sigchld, 0, 0, 0, 0) }
sub plainly { $SIG{$_} = "DEFAULT" for qw(TERM INT HUP USR1) }
# The keys are text, which a system call would take for an address.
sub alone { syscall($close, $_ + 0) for $orders, keys %at }

sub become {
  my ($out, $err, $note, $gate, $directory, $variables, $words) = @_;
  syscall($dup3, $out, 1, 0) == 1 && syscall($dup3, $err, 2, 0) == 2 or fault($note);
  !$gate || syscall($dup3, $gate, ${GATE}, 0) == ${GATE} or fault($note);
  chdir $directory or fault($note);
  syscall($execve, $words->[0], pack("p*", @$words, undef), pack("p*", @$variables, undef));
  fault($note);
}

# A command that kills its parent kills nothing that others need. The command itself says which group it leads, before it begins.
# When the starter ends (PR_SET_PDEATHSIG, SIGUSR1), the group is ended.
sub apart {
  my ($out, $err, $note, $gate) = @_;
  my $child = 0;
  $SIG{USR1} = sub { kill 9, -$child if $child; exit 0 if !$child };
  setpgrp 0, 0;
  syscall($prctl, 1, 10, 0, 0, 0);
  exit 0 if getppid != $starter;
  $child = forked($vfork);
  fault($note) if $child < 0;
  if (!$child) { plainly(); syscall($setsid); note($note, "P$$\\n"); become(@_) }
  syscall($close, $_) for $out, $err, $note, $gate || ();
  waitpid $child, 0;
  plainly();
  kill $? & 127, $$ if $? & 127;
  exit $? >> 8;
}

# Process 1 of its namespace: when it ends, the kernel ends all others. It ends with the starter (PR_SET_PDEATHSIG). All that is
# started here and left by its parent becomes its child.
sub init {
  my ($out, $err, $note, $gate) = @_;
  syscall($prctl, 1, 9, 0, 0, 0) == 0 && syscall($prctl, 38, 1, 0, 0, 0) == 0 or fault($note);
  exit 0 if ready($note);
  my ($none, $root, $proc, $at) = ("none", "/", "proc", "/proc");
  syscall($mount, $none, $root, $none, 0x84000, 0) == 0 && syscall($mount, $proc, $at, $proc, 14, 0) == 0 or fault($note);
  for my $covered (grep { syscall($faccessat, -100, $_, 2) == 0 } map { "/proc/$_" } qw(sys sysrq-trigger irq bus)) {
    for (0x1000, 0x102f) { syscall($mount, $covered, $covered, $none, $_, 0) == 0 or fault($note) }
  }
  # What ends the group ends this as well, as long as there is no command in it.
  $SIG{TERM} = sub { exit 0 };
  syscall($setsid);
  my $child = forked($vfork);
  fault($note) if $child < 0;
  if (!$child) { plainly(); become(@_) }
  $SIG{TERM} = sub { };
  syscall($close, $_) for $out, $err, $gate || ();
  while ((my $ended = wait) != $child) { fault($note) if $ended == -1 }
  my ($status, $others) = $?;
  1 while ($others = waitpid(-1, 1)) > 0;
  # No process is left here that could start another.
  if ($others == -1) { note($note, "L$status\\n") } else { note($note, "E$status\\n"); taken($note) }
  exit 0;
}

sub refuse { my ($id, @opened) = @_; report("N", $id, $! + 0); syscall($close, $_) for @opened }
sub start {
  my ($id, $how, $has_gate, $directory, $count, @words) = @_;
  my @variables = splice @words, 0, $count;
  my (@ours, @theirs);
  for (0 .. 2 + $has_gate) {
    my $pair = "\\0" x 8;
    syscall($socketpair, 1, 0x80001, 0, $pair) == 0 or return refuse($id, @ours, @theirs);
    ($ours[$_], $theirs[$_]) = unpack "i i", $pair;
  }
  my $pid = forked($how eq "init" ? $newpid_newns : 0);
  return refuse($id, @ours, @theirs) if $pid < 0;
  if (!$pid) {
    my @given = (@theirs[0 .. 3], $directory, \\@variables, \\@words);
    alone();
    syscall($close, $_) for @ours;
    $how eq "init" ? init(@given) : apart(@given);
  }
  syscall($close, $_) for @theirs;
  report("S", $id, $pid);
  follow($id, $how, $pid, @ours);
}

sub follow {
  my ($id, $how, $pid, $out, $err, $note, $gate) = @_;
  my $running = $running{$id} = { pid => $pid, group => $how eq "init" ? 0 : undef, gate => $gate };
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
  watching($gate, sub {
    my $passed = taken($gate);
    report("G", $id, $passed);
    return if $passed ne "";
    leave($gate);
    delete $running->{gate};
  }) if $gate;
  my $end = syscall($pidfd_open, $pid, 0);
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
  if ($what eq "S") { start($id, split /\\0/, $text, -1) }
  elsif ($what eq "R") { leave($_) for keys %{delete $files{$id} // {}} }
  elsif (!$running) {}
  elsif ($what eq "O" && $running->{gate}) { syscall($sendto, $running->{gate}, my $go = ".", 1, 0x4000, 0, 0) }
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
my $probe = syscall($pidfd_open, $$ + 0, 0);
exit 125 if $probe < 0;
syscall($close, $probe);
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
  next if select(my $ready = $watched, undef, undef, undef) < 0;
  my @found = map { [$_, $at{$_}] } grep { vec($ready, $_, 1) } keys %at;
  # The number of one that is closed here may be that of a new one.
  for (@found) { my ($fd, $do) = @$_; $do->() if ($at{$fd} // 0) == $do }
}
`;
