// The part of the starter's script (D-275) that is between the starter and a command: the parent of the command, and the process that
// becomes it. What it calls, and the numbers of the calls, are in the rest of the script.
import { GATE } from "./gate.ts";

/** What is a child of the starter here never returns. `$text` is null in what waits for an order. */
export const COMMAND_PARENTS = `
sub fault { note(shift, "F" . ($! + 0) . "\\n"); exit 127 }
sub plainly { $SIG{$_} = "DEFAULT" for qw(TERM INT HUP USR1) }
# The order that it was made for. Where it waits for one, it ends when none can follow.
sub ordered {
  my ($note, $text) = @_;
  if (!defined $text) {
    my $all = "";
    while (length $all < 4 || length $all < 4 + unpack "N", $all) { my $part = taken($note); exit 0 if $part eq ""; $all .= $part }
    $text = substr $all, 4;
  }
  my ($how, $has_gate, $directory, $count, @words) = split /\\0/, $text, -1;
  my @variables = splice @words, 0, $count;
  note($note, "P$$\\n") if $how eq "apart";
  return ($has_gate, $directory, \\@variables, \\@words);
}

# Also where nothing is at a gate, there is a socket for one.
sub become {
  my ($out, $err, $note, $gate, $text) = @_;
  my ($has_gate, $directory, $variables, $words) = ordered($note, $text);
  syscall($dup3, $out, 1, 0) == 1 && syscall($dup3, $err, 2, 0) == 2 or fault($note);
  !$has_gate || syscall($dup3, $gate, ${GATE}, 0) == ${GATE} or fault($note);
  chdir $directory or fault($note);
  syscall($execve, $words->[0], pack("p*", @$words, undef), pack("p*", @$variables, undef));
  fault($note);
}

# A command that kills its parent kills nothing that others need. The command itself says which group it leads, before it begins.
# When the starter ends (PR_SET_PDEATHSIG, SIGUSR1), the group is ended.
sub apart {
  my ($out, $err, $note, $gate, $text) = @_;
  my $child = 0;
  $SIG{USR1} = sub { kill 9, -$child, $child if $child; exit 0 if !$child };
  setpgrp 0, 0;
  syscall($prctl, 1, 10, 0, 0, 0);
  exit 0 if getppid != $starter;
  $child = forked(defined $text ? $vfork : 0);
  fault($note) if $child < 0;
  if (!$child) { plainly(); syscall($setsid); become(@_) }
  syscall($close, $_) for $out, $err, $note, $gate, $itself;
  waitpid $child, 0;
  plainly();
  kill $? & 127, $$ if $? & 127;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}

# Process 1 of its namespace: when it ends, the kernel ends all others. It ends with the starter (PR_SET_PDEATHSIG). All that is
# started here and left by its parent becomes its child.
sub init {
  my ($out, $err, $note, $gate, $text) = @_;
  syscall($prctl, 1, 9, 0, 0, 0) == 0 && syscall($prctl, 38, 1, 0, 0, 0) == 0 or fault($note);
  # The starter may have ended before that. Its sockets do not say so: another one that it has just made may still have them open.
  exit 0 if ready($itself);
  syscall($close, $itself);
  my ($none, $root, $proc, $at) = ("none", "/", "proc", "/proc");
  syscall($mount, $none, $root, $none, 0x84000, 0) == 0 && syscall($mount, $proc, $at, $proc, 14, 0) == 0 or fault($note);
  for my $covered (grep { syscall($faccessat, -100, $_, 2) == 0 } map { "/proc/$_" } qw(sys sysrq-trigger irq bus)) {
    for (0x1000, 0x102f) { syscall($mount, $covered, $covered, $none, $_, 0) == 0 or fault($note) }
  }
  # What ends the group ends this as well, as long as there is no command in it.
  $SIG{TERM} = sub { exit 0 };
  syscall($setsid);
  my $child = forked(defined $text ? $vfork : 0);
  fault($note) if $child < 0;
  if (!$child) { plainly(); become(@_) }
  $SIG{TERM} = sub { };
  syscall($close, $_) for $out, $err, $gate;
  while ((my $ended = wait) != $child) { fault($note) if $ended == -1 }
  my ($status, $others) = $?;
  1 while ($others = waitpid(-1, 1)) > 0;
  # No process is left here that could start another.
  if ($others == -1) { note($note, "L$status\\n") } else { note($note, "E$status\\n"); taken($note) }
  exit 0;
}
`;
