// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash spells its variables that way
// Holds scripts to be launched: those that look at their own shell, and generated ones. They change nothing outside of their directory.
import fc from "fast-check";

export const LOOKS_AT_ITSELF = [
  'echo "$0 $- $# $SHLVL $LINENO [$_] [$*] $BASHOPTS $SHELLOPTS [${BASH_SOURCE[*]}] $?"',
  'echo "$BASH_EXECUTION_STRING"; echo ${!BASH*} ${!O*}; declare -a BASH_ARGC',
  "set -o; shopt; trap -p; alias; hash; jobs; umask; ulimit -a; declare -F; export -p; dirs; caller",
  "env -0 | sort -z | tr '\\0' '|'",
  "ls /proc/$$/fd; readlink /proc/$$/fd/0",
  "grep -E '^(SigBlk|SigIgn|SigCgt|Cap|NoNew|Seccomp)' /proc/self/status",
  "echo $SECONDS; echo ${REPLY-none}",
  "sh -c 'read -r _ _ _ parent _ < /proc/self/stat; [ $parent = $PPID ] && [ $PPID = '$PPID' ] && echo replaced'",
  "trap 'echo \"$LINENO $BASH_COMMAND\"' ERR; false",
  "set -x; echo one\necho two",
  "set -v; echo one\necho two",
  "cat <<A; echo\nbody $HOME\nA\necho $LINENO",
  "if then",
  "echo 'no end",
  "echo $(",
  "; true",
  "# only words",
  "\n\necho $LINENO",
  "! true",
  "time -p true 2> /dev/null",
  "f() { echo $FUNCNAME $LINENO; }; f",
  "exec 3>&1; echo there >&3",
  "echo no >&3",
  "read -r x <&3",
  "kill -9 $$",
  "cd / && sh -c 'kill -9 $$'",
  "false || sh -c 'kill -TERM $$'",
  "true\ntrue && true 2>&1 && sh -c 'kill -9 $$'",
  "exit 125",
  "echo $unset",
  "printf 'no line end'",
  "nosuch",
] as const;

const WORDS = [
  'true ~ false ~ echo a ~ x=1 ~ echo $x ~ echo "${y:-z}" ~ (exit 3) ~ { echo b; } ~ f() { return 4; } ~ f',
  "trap 'echo t' EXIT ~ trap 'echo e' ERR ~ set +e ~ set -x ~ set +u ~ shopt -s nullglob ~ exec 3>&- ~ echo *",
  "exit 5 ~ echo o >&2 ~ cd / ~ pwd ~ cat <<< in ~ wait ~ echo $? ~ echo $LINENO ~ [[ a == b ]] ~ a=(1 2)",
  'echo "${a[@]}" ~ ((0)) ~ let 1 ~ local q ~ readonly r=1 ~ r=2 ~ unset x ~ case x in x) echo c;; esac ~ )',
  "for i in 1 2; do echo $i; done ~ while false; do :; done ~ if true; then echo i; fi ~ ! true ~ type f ~ # c",
].flatMap((line) => line.split(" ~ "));
const JOINS = ["; ", " && ", " || ", "\n", " & wait; "] as const;
export const script = fc
  .tuple(
    fc.constantFrom(...WORDS),
    fc.array(fc.tuple(fc.constantFrom(...JOINS), fc.constantFrom(...WORDS)), { maxLength: 6 }),
  )
  .map(([first, rest]) => first + rest.flat().join(""))
  // The trace of a shell and that of what it left in the background are written at once, in any order.
  .filter((text) => !(text.includes("set -x") && text.includes("& wait")));
