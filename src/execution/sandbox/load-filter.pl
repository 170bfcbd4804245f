# Loads a filter of system calls and becomes the command after it, which can gain no rights. Its parameters: the number of the call
# prctl, the program of the filter in hexadecimal digits, then the words of the command.
my ($prctl, $filter) = splice(@ARGV, 0, 2);
$filter = pack("H*", $filter);
syscall($prctl + 0, 22, 2, pack("Sx6P", length($filter) / 8, $filter)) == 0 or die "its system calls cannot be filtered: $!\n";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
