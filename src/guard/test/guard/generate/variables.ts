// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Ways to hide a part of a word in the state of the shell: variables of every kind, set before.
import { plain, single } from "./quote.ts";
import { type Choices, freshName, type Random } from "./random.ts";
import type { Hider } from "./words.ts";

type Names = { readonly v: string; readonly w: string };

const after =
  (make: (text: string, names: Names, random: Random) => readonly [string, string] | null): Hider =>
  (text, random) => {
    const made = make(text, { v: freshName(random), w: `${freshName(random)}x` }, random);
    return made === null ? null : { before: made[0], text: made[1] };
  };

const use = (name: string, random: Random): string =>
  random.pick([`$${name}`, `\${${name}}`, `"$${name}"`, `"\${${name}}"`]);

const assigned = after((text, { v }, random) => {
  const word = random.pick([plain(text), single(text)]);
  const statement = random.pick([
    `${v}=${word}`,
    `export ${v}=${word}`,
    `declare ${v}=${word}`,
    `typeset -x ${v}=${word}`,
    `readonly ${v}=${word}`,
    `declare -g "${v}=${text}"`,
    `printf -v ${v} %s ${word}`,
    `printf -v ${v} '%b' ${word}`,
    `read -r ${v} <<< ${word}`,
    `read ${v} < <(echo ${word})`,
    `IFS= read -r -d '' ${v} < <(printf '%s\\0' ${word})`,
    `IFS=: read -r _ ${v} <<< x:${word}`,
    `mapfile -t ${v} <<< ${word}`,
    `readarray -t ${v} < <(echo ${word})`,
    `for ${v} in ${word}; do :; done`,
    `eval ${v}=${word}`,
    `let ${v}=1; ${v}=${word}`,
    `: "\${${v}:=${text}}"`,
    `${v}=$(echo ${word})`,
    `getopts a: ${v}o -a${word}; ${v}=$OPTARG`,
    `: ${word}; ${v}=$_`,
    `[[ x${word} =~ x(.*) ]]; ${v}=\${BASH_REMATCH[1]}`,
    `${v}() { ${v}=${word}; }; ${v}`,
    `f() { local x=${word}; ${v}=$x; }; f`,
    `while read -r ${v}; do break; done <<< ${word}`,
    `case ${word} in *) ${v}=${word};; esac`,
    `if [ a = b ]; then ${v}=x; else ${v}=${word}; fi`,
    `{ ${v}=${word}; }`,
    `true && ${v}=${word}`,
    `unset ${v}; ${v}+=${word}`,
    `shopt -s lastpipe; echo ${word} | read -r ${v}`,
    `exec 3<<< ${word}; read -r -u 3 ${v}; exec 3<&-`,
    `coproc { echo ${word}; }; read -r ${v} <&"\${COPROC[0]}"`,
  ]);
  return [statement, use(v, random)];
});

const twoHalves = after((text, { v, w }, random) => {
  const at = Math.ceil(text.length / 2);
  const [first, last] = [plain(text.slice(0, at)), single(text.slice(at))];
  return random.pick<readonly [string, string]>([
    [`${v}=${first} ${w}=${last}`, `$${v}$${w}`],
    [`${v}=${first}; ${v}+=${last}`, `$${v}`],
    [`${v}=${first}; ${w}=$${v}${last}`, `"$${w}"`],
    [`${w}=${last}; ${v}=${first}\${${w}}`, `\${${v}}`],
    [`declare ${v}=${first}; declare ${w}="$${v}"${last}`, `$${w}`],
  ]);
});

const cut = after((text, { v }, random) =>
  random.pick<readonly [string, string]>([
    [`${v}=${single(`ab${text}cd`)}`, `\${${v}:2:${text.length}}`],
    [`${v}=${single(`ab${text}`)}`, `\${${v}:2}`],
    [`${v}=${single(`ab${text}`)}`, `\${${v}: -${text.length}}`],
    [`${v}=${single(`${text}@@x`)}`, `\${${v}%@*}`.replace("%@*", "%%@*")],
    [`${v}=${single(`a@${text}`)}`, `\${${v}#*@}`],
    [`${v}=${single(`@@${text}`)}`, `\${${v}##*@}`],
    [`${v}=${single(`@${text}`)}`, `\${${v}/@}`],
    [`${v}=${single(`@${text}@`)}`, `\${${v}//@/}`],
    [`${v}=${single(`QQ${text}`)}`, `\${${v}//Q}`],
    [`${v}=xyz`, `\${${v}/xyz/${plain(text)}}`],
    [`${v}=xyz`, `\${${v}/#x*/${plain(text)}}`],
    [`${v}=abc n=2`, `\${${v}/abc/${plain(text)}}`],
    [`${v}=${single(`ab${text}`)} n=2`, `\${${v}:n}`],
    [`${v}=${single(`ab${text}`)} n=1`, `\${${v}:n+1}`],
  ]),
);

const letters = after((text, { v }, random) => {
  if (/[A-Z]/.test(text) || !/[a-z]/.test(text)) return null;
  const upper = single(text.toUpperCase());
  return random.pick<readonly [string, string]>([
    [`${v}=${upper}`, `\${${v},,}`],
    [`${v}=${upper}`, `\${${v}@L}`],
    [`${v}=${upper}`, `\${${v}~~}`],
    [`${v}=${upper}`, `"\${${v},,[A-Z]}"`],
    [`declare -l ${v}=${upper}`, `$${v}`],
    [`typeset -l ${v}; ${v}=${upper}`, `$${v}`],
    [`${v}=${single(text.toLowerCase())}; ${v}=\${${v}^^}`, `\${${v},,}`],
  ]);
});

const indirect = after((text, { v, w }, random) => {
  const word = plain(text);
  return random.pick<readonly [string, string]>([
    [`${v}=${word}; ${w}=${v}`, `\${!${w}}`],
    [`${v}=${word}; declare -n ${w}=${v}`, `$${w}`],
    [`declare -n ${w}=${v}; ${w}=${word}`, `$${v}`],
    [`local -n ${w}=${v} 2>/dev/null; typeset -n ${w}=${v}; ${v}=${word}`, `"\${${w}}"`],
    [`${v}=${word}`, `$(eval echo \\$${v})`],
    [`${v}=${word}; eval "${w}=\\$${v}"`, `$${w}`],
    [`${v}=(${word}); ${w}='${v}[0]'`, `\${!${w}}`],
    [`export ${v}=${word}`, `$(printenv ${v})`],
    [`export ${v}=${word}`, `$(bash -c 'echo $${v}')`],
    [`f() { local -n r=$1; r=${word}; }; f ${v}`, `$${v}`],
    [`${v}=${single(text.replace(/./g, (char) => `\\x${char.charCodeAt(0).toString(16)}`))}`, `\${${v}@E}`],
    [`${v}=${word}`, `\${${v}@P}`],
    [`${v}='$(echo ${word})'`, `\${${v}@P}`],
  ]);
});

const listed = after((text, { v }, random) => {
  const word = plain(text);
  return random.pick<readonly [string, string]>([
    [`${v}=(x ${word})`, `\${${v}[1]}`],
    [`${v}=(x ${word})`, `\${${v}[-1]}`],
    [`${v}=(x ${word})`, `\${${v}[@]:1}`],
    [`${v}=(x ${word} y)`, `\${${v}[@]:1:1}`],
    [`${v}=(${word})`, `$${v}`],
    [`${v}=([3]=${word})`, `\${${v}[3]}`],
    [`${v}=(${word}) n=0`, `\${${v}[n]}`],
    [`${v}=(x ${word})`, `\${${v}[\${#${v}[@]}-1]}`],
    [`${v}[2]=${word}`, `\${${v}[2]}`],
    [`${v}[1+1]=${word}`, `\${${v}[2]}`],
    [`${v}=(a); ${v}+=(${word})`, `\${${v}[1]}`],
    [`declare -A ${v}=([k]=${word})`, `\${${v}[k]}`],
    [`declare -A ${v}; ${v}[a b]=${word}`, `\${${v}['a b']}`],
    [`declare -A ${v}=([${word}]=1)`, `\${!${v}[@]}`],
    [`declare -a ${v}=(${word})`, `\${${v}[*]}`],
    [`read -ra ${v} <<< "x ${word}"`, `\${${v}[1]}`],
    [`IFS=, read -ra ${v} <<< "x,${word}"`, `\${${v}[1]}`],
    [`set -- ${word}`, "$1"],
    [`set -- x ${word}`, "$2"],
    [`set -- x ${word}`, "${@:2}"],
    [`set -- x ${word}`, "${!#}"],
    [`set -- x ${word}; shift`, '"$@"'],
    [`set x ${word}`, "${*: -1}"],
    [`mapfile -t ${v} < <(printf '%s\\n' x ${word})`, `\${${v}[1]}`],
    [`mapfile -s 1 -t ${v} <<< $'x\\n'${word}`, `$${v}`],
  ]);
});

const identifier = after((text, { v }, random) => {
  if (!/^[a-z]{2,}$/.test(text)) return null;
  return random.pick<readonly [string, string]>([
    [`${text}=1`, `\${!${text}*}`],
    [`${text}=1`, `"\${!${text}@}"`],
    [`${text}() { ${v}=$FUNCNAME; }; ${text}; unset -f ${text}`, `$${v}`],
    [`${text}() { echo "$FUNCNAME"; }; ${v}=$(${text}); unset -f ${text}`, `$${v}`],
  ]);
});

export const VARIABLES: Choices<readonly [string, Hider]> = [
  ["assigned", assigned],
  ["assigned", assigned],
  ["two halves", twoHalves],
  ["cut out", cut],
  ["letters", letters],
  ["indirect", indirect],
  ["listed", listed],
  ["identifier", identifier],
];
