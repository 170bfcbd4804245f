// Programs that run a given text somewhere in a structure: branches, loops, substitutions, functions, groups.
import type { Wrap, Wraps } from "./consumers.ts";
import { body } from "./quote.ts";
import { freshName } from "./random.ts";

const branches: Wrap = (text, random) => {
  const inner = body(text, random);
  return random.pick([
    `if true; then${inner}fi`,
    `if false; then :; else${inner}fi`,
    `if false; then :; elif :; then${inner}fi`,
    `if${inner}then :; fi`,
    `case x in x)${inner};; esac`.replace("; ;;", ";;"),
    `case $HOME in /home/*)${inner.trimEnd().replace(/;$/, "")}\n;; esac`,
    `case a in a) ;& b)\n${text}\n;; esac`,
    `case a in a) :;;& [a-z])\n${text}\n;; esac`,
    `true && {${inner}}`,
    `false || {${inner}}`,
    `true && true || false; {${inner}}`,
    `[[ -d / ]] && {${inner}}`,
    `[ -e /etc ] && {${inner}}`,
    `! {${inner}}`,
    `test -n x && (${inner})`,
    `[[ a == a && -n $(\n${text}\n) ]]`,
    `(( 1 )) && {${inner}}`,
  ]);
};

const loops: Wrap = (text, random) => {
  const inner = body(text, random);
  return random.pick([
    `for x in 1; do${inner}done`,
    `for x in a b; do${inner}break; done`,
    `for x; do :; done; for x in $(echo 1); do${inner}done`,
    `for ((i=0;i<1;i++)); do${inner}done`,
    `for ((i=0;i<1;i++)) {${inner}}`,
    `for x in 1; {${inner}}`,
    `while :; do${inner}break; done`,
    `while${inner}break; do :; done`,
    `until false; do${inner}break; done`,
    `until${inner}break; do :; done`,
    `select x in a b; do${inner}break; done <<< 1`,
    `while read -r x; do${inner}done <<< y`,
    `echo y | while read -r x; do${inner}done`,
    `set -- a; for x do${inner}done`,
    `set -- a; while (($#)); do${inner}shift; done`,
    `i=0; while [ $i -lt 1 ]; do${inner}i=$((i+1)); done`,
  ]);
};

const substitutions: Wrap = (text, random) => {
  const v = freshName(random);
  return random.pick([
    `${v}=$(\n${text}\n)`,
    `echo "$(\n${text}\n)"`,
    `echo $(echo $(\n${text}\n))`,
    `: \${${v}:-$(\n${text}\n)}`,
    `: "\${${v}:=$(\n${text}\n)}"`,
    `: \${HOME:+$(\n${text}\n)}`,
    `: \${HOME/x/$(\n${text}\n)}`,
    `: \${HOME%$(\n${text}\n)}`,
    `cat <(\n${text}\n)`,
    `ls > >(\n${text}\n)`,
    `ls 2> >(\n${text}\n)`,
    `diff <(\n${text}\n) <(ls)`,
    `while read -r x; do :; done < <(\n${text}\n)`,
    `${v}=($(\n${text}\n))`,
    `${v}=([1]=$(\n${text}\n))`,
    `local ${v}=$(\n${text}\n)`,
    `export ${v}=$(\n${text}\n)`,
    `${v}=1 ${v}2=$(\n${text}\n) ls`,
    `ls > $(\n${text}\n)`,
    `ls <<< $(\n${text}\n)`,
    `for x in $(\n${text}\n); do :; done`,
    `case $(\n${text}\n) in *) ;; esac`,
    `case x in $(\n${text}\n)) ;; esac`,
    `[[ -n $(\n${text}\n) ]]`,
    `[ "$(\n${text}\n)" = x ]`,
    `ls {a,$(\n${text}\n)}`,
    `echo ~/$(\n${text}\n)`,
    `printf '%s' "a $(\n${text}\n) b"`,
    `echo \`${text.replace(/[\\`$]/g, "\\$&")}\``,
    `echo "\`${text.replace(/[\\`$"]/g, "\\$&")}\`"`,
    `exec 3< <(\n${text}\n)`,
    `$(\n${text}\n)`,
    `"$(\n${text}\n)" || ls`,
    `ls | tee >(\n${text}\n)`,
    `mapfile -t a < <(\n${text}\n)`,
    `echo \${a[@]:-$(\n${text}\n)}`,
    `select x in $(\n${text}\n); do break; done <<< 1`,
    `alias x="$(\n${text}\n)"`,
    `return $(\n${text}\n)`,
    `exit $(\n${text}\n)`,
    `declare -a ${v}=( $(\n${text}\n) )`,
    `{ ls; } > "$(\n${text}\n)"`,
  ]);
};

const groups: Wrap = (text, random) => {
  const inner = body(text, random);
  const v = freshName(random);
  return random.pick([
    `(${inner})`,
    `{${inner}}`,
    `( ( (${inner}) ) )`,
    `{${inner}} &`,
    `(${inner}) & wait`,
    `{${inner}} & disown`,
    `{${inner}} | cat`,
    `ls | {${inner}}`,
    `ls |& (${inner})`,
    `time {${inner}}`,
    `! (${inner})`,
    `coproc {${inner}}`,
    `coproc N {${inner}}`,
    `{${inner}} 2>/dev/null`,
    `{${inner}} > /tmp/o 2>&1 < /dev/null`,
    `${v}() {${inner}}; ${v}`,
    `${v}() (${inner}); ${v}`,
    `function ${v} {${inner}}; ${v}`,
    `function ${v}() {${inner}}; ${v} | cat`,
    `${v}() {${inner}}; g() { ${v}; }; g`,
    `${v}() {${inner}}; x=${v}; $x`,
    `${v}() {${inner}}; x=$(${v})`,
    `${v}() { f() {${inner}}; f; }; ${v}`,
    `f() { f() {${inner}}; }; f; f`,
    `${v}() {${inner}}; eval ${v}`,
    `${v}() {${inner}}; time ${v} &`,
    `${v}() {${inner}}\nif ${v}; then :; fi`,
    `${v}() {${inner}}; command ${v}; ${v}`,
    `if :; then ${v}() {${inner}}; fi; ${v}`,
    `${v}() for x in 1; do${inner}done; ${v}`,
    `set -e\n${text}`,
    `set -euo pipefail\n${text}`,
    `shopt -s extglob nullglob\n${text}`,
    `# a comment\n${text} # another`.replace(/(E\d|EOT)\n # another$/, "$1\n"),
    `ls # rm\n${text}`,
    `echo start\n${text}\necho end`,
    `cd /tmp && cd /srv/app\n${text}`,
    `x=1 y=2\n${text}`,
    `ls; ls\n${text}\nexit 0`,
    `trap 'echo bye' EXIT\n${text}`,
    `exec 2>/dev/null\n${text}`,
    `\n\n  ${text}`,
    `\t${text}`,
    `umask 022; ulimit -c 0\n${text}`,
    `wait; jobs; ${text.startsWith("#") ? "\n" : ""}${text}`,
    `if ! command -v nothing >/dev/null; then${inner}fi`,
    `( set -x; cd /srv/app\n${text}\n)`,
  ]);
};

export const CONTROL_FLOW: Wraps = [
  ["branches", branches],
  ["loops", loops],
  ["substitutions", substitutions],
  ["groups", groups],
];
