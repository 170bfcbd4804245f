// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Random programs from a grammar: harmless and dangerous words mixed in every construct, variables that meet again.
import { single } from "./quote.ts";
import type { Choices, Random } from "./random.ts";
import { COMMANDS, FRAGMENTS, FUNCTIONS, NAMES } from "./vocabulary.ts";

type Rule = (random: Random, depth: number) => string;
type Rules = Choices<Rule>;

const name: Rule = (random) => random.pick(NAMES);

const EXPANSIONS: Rules = [
  (random) => `$${name(random, 0)}`,
  (random) => `"$${name(random, 0)}"`,
  (random) => `\${${name(random, 0)}}`,
  (random, depth) => `\${${name(random, 0)}${random.pick([":-", "-", ":+", "+", ":="])}${part(random, depth - 1)}}`,
  (random) =>
    `\${${name(random, 0)}${random.pick(["#", "##", "%", "%%"])}${random.pick(["*", "*/", "/*", "r", "?", "x"])}}`,
  (random) => `\${${name(random, 0)}:${random.int(3)}:${1 + random.int(3)}}`,
  (random) => `\${${name(random, 0)}:${random.int(3)}}`,
  (random) => `\${${name(random, 0)}/${random.pick(["x", "r", "/", "t*"])}/${random.pick(["", "m", "/", "etc"])}}`,
  (random) => `\${${name(random, 0)}${random.pick(["^^", ",,", "^", "@L", "@U", "@E"])}}`,
  (random) => `\${!${name(random, 0)}}`,
  (random) => `"\${${name(random, 0)}[${random.pick(["@", "*", "0", "1", "-1"])}]}"`,
  (random) => `\${${name(random, 0)}[@]:${random.int(2)}}`,
  (random) => `\${#${name(random, 0)}}`,
  () => '"$@"',
  () => "$*",
  (random) => `$${1 + random.int(2)}`,
  () => "$HOME",
  () => "$PWD",
  () => "$OLDPWD",
  () => "$_",
  () => "$?",
  () => "~",
  (random, depth) => `$(${statement(random, depth - 1)})`,
  (random, depth) => `"$(${statement(random, depth - 1)})"`,
  (random) => `$(echo ${fragment(random, 0)})`,
  (random) => `$(printf '%s%s' ${fragment(random, 0)} ${fragment(random, 0)})`,
  (random) => `$((${random.int(3)} + ${name(random, 0)}))`,
  (random, depth) => `{${part(random, depth - 1)},${part(random, depth - 1)}}`,
  (random) => `$'\\x${(97 + random.int(26)).toString(16)}'`,
  (random, depth) => `<(${statement(random, depth - 1)})`,
];

const fragment: Rule = (random) => random.pick(FRAGMENTS);

const part: Rule = (random, depth) => {
  if (depth > 0 && random.chance(0.3)) return random.pick(EXPANSIONS)(random, depth);
  const text = fragment(random, depth);
  return random.chance(0.15) ? single(text) : text;
};

const word: Rule = (random, depth) =>
  Array.from({ length: random.chance(0.7) ? 1 : 2 }, () => part(random, depth)).join("");

const words = (random: Random, depth: number, most: number): string =>
  Array.from({ length: random.int(most + 1) }, () => word(random, depth)).join(" ");

const simple: Rule = (random, depth) => {
  const program = random.chance(0.85) ? random.pick(COMMANDS) : word(random, depth);
  const assigned = random.chance(0.06) ? `${name(random, 0)}=${word(random, depth)} ` : "";
  const redirected = random.chance(0.1)
    ? random.pick([" > x.sh", " >> x.sh", " < x.sh", " 2>/dev/null", " <<< /", " > /tmp/o"])
    : "";
  return `${assigned}${program} ${words(random, depth, 3)}${redirected}`;
};

const ASSIGNMENTS: Rules = [
  (random, depth) => `${name(random, 0)}=${word(random, depth)}`,
  (random, depth) => `${name(random, 0)}=${single(`${random.pick(COMMANDS)} ${fragment(random, depth)}`)}`,
  (random, depth) => `${name(random, 0)}+=${word(random, depth)}`,
  (random, depth) => `${name(random, 0)}=(${words(random, depth, 4)})`,
  (random, depth) => `${name(random, 0)}+=(${words(random, depth, 2)})`,
  (random, depth) => `${name(random, 0)}[${random.int(3)}]=${word(random, depth)}`,
  (random, depth) =>
    `${random.pick(["declare", "export", "readonly", "declare -l", "declare -n", "typeset -u", "declare -i", "local"])} ${name(random, 0)}=${word(random, depth)}`,
  (random, depth) => `printf -v ${name(random, 0)} %s ${word(random, depth)}`,
  (random, depth) =>
    `read -r ${name(random, 0)} ${name(random, 0)} <<< "${fragment(random, depth)} ${fragment(random, depth)}"`,
  (random, depth) => `mapfile -t ${name(random, 0)} < <(${statement(random, depth - 1)})`,
  (random, depth) => `set -- ${words(random, depth, 3)}`,
  (random) => `IFS=${random.pick(["/", ",", "r", "' '", "''", "$' \\t\\n'"])}`,
  (random) => `unset ${name(random, 0)}`,
  () => "shift",
  (random) =>
    `cd ${random.pick(["/", "/etc", "..", "../..", "-", "src", "/tmp", "~", "$a", '"$b"', "", "/usr/lib", "~-"])}`,
  (random) => `pushd ${random.pick(["/", "/etc", "src", "$c"])}`,
  () => "popd",
  (random, depth) => `alias ${random.pick(["ls", "x", "cat"])}=${single(simple(random, depth))}`,
  (random) =>
    random.pick([
      "shopt -s expand_aliases",
      "shopt -s nullglob",
      "shopt -s dotglob",
      "set -e",
      "set -u",
      "set -f",
      "set -x",
      "set +f",
      "shopt -s extglob",
      "shopt -s lastpipe",
      "set -a",
      "set -k",
      "set -T",
    ]),
];

const block: Rule = (random, depth) =>
  Array.from({ length: 1 + random.int(2) }, () => statement(random, depth - 1)).join("\n");

const COMPOUNDS: Rules = [
  (random, depth) =>
    `if ${simple(random, depth - 1)}; then\n${block(random, depth)}\nelse\n${block(random, depth)}\nfi`,
  (random, depth) =>
    `if ${random.pick(["true", "false", '[ -n "$a" ]', "[[ $b == r* ]]", "[[ -d /etc ]]", "[ -z $c ]"])}; then\n${block(random, depth)}\nfi`,
  (random, depth) => `for ${name(random, 0)} in ${words(random, depth, 3)}; do\n${block(random, depth)}\ndone`,
  (random, depth) =>
    `case ${word(random, depth)} in ${fragment(random, depth)}) ${statement(random, depth - 1)}\n;; *) ${statement(random, depth - 1)}\n${random.pick([";;", ";&", ";;&"])} esac`,
  (random, depth) => `while ${simple(random, depth - 1)}; do\n${block(random, depth)}\nbreak\ndone`,
  (random, depth) => `while read -r ${name(random, 0)}; do\n${block(random, depth)}\ndone <<< ${word(random, depth)}`,
  (random, depth) => `{\n${block(random, depth)}\n}`,
  (random, depth) => `(\n${block(random, depth)}\n)`,
  (random, depth) => `${statement(random, depth - 1)} | ${simple(random, depth - 1)}`,
  (random, depth) =>
    `echo ${words(random, depth, 3)} | ${random.pick(["bash", "cat", "xargs rm -rf", "xargs echo", "tr a-z A-Z", "sed s/x/r/", "rev | bash", "while read -r a; do $a; done"])}`,
  (random, depth) => `${simple(random, depth)} && ${statement(random, depth - 1)}`,
  (random, depth) => `${simple(random, depth)} || ${statement(random, depth - 1)}`,
  (random, depth) => `! ${simple(random, depth)}`,
  (random, depth) => `${simple(random, depth)} &`,
  (random, depth) => `eval ${word(random, depth)} ${words(random, depth, 2)}`,
  (random, depth) => `bash -c ${single(block(random, depth))} ${words(random, depth, 2)}`,
  (random, depth) => `bash <<${random.pick(["E", "'E'"])}\n${block(random, depth)}\nE\n`,
  (random, depth) =>
    `cat <<E > x.sh\n${block(random, depth)}\nE\n${random.pick(["bash x.sh", ". ./x.sh", "cat x.sh"])}`,
  (random, depth) => `trap ${single(statement(random, depth - 1))} ${random.pick(["EXIT", "ERR", "DEBUG"])}`,
  (random, depth) => `source <(echo ${words(random, depth, 3)})`,
  (random, depth) =>
    `[[ ${word(random, depth)} ${random.pick(["==", "=~", "-eq", "!=", "<"])} ${word(random, depth)} ]]`,
  (random, depth) =>
    `(( ${name(random, 0)} ${random.pick(["+= 1", "== 0", "< 3"])} )); ${statement(random, depth - 1)}`,
  (random, depth) => `time ${statement(random, depth - 1)}`,
];

const statement: Rule = (random, depth) => {
  if (depth <= 0) return simple(random, 0);
  if (random.chance(0.35)) return random.pick(ASSIGNMENTS)(random, depth);
  return random.chance(0.4) ? random.pick(COMPOUNDS)(random, depth) : simple(random, depth);
};

/** A function is defined before it is called and calls none, so that nothing calls itself. */
export function program(random: Random): string {
  const lines: string[] = [];
  const defined: string[] = [];
  const count = 2 + random.int(6);
  for (let n = 0; n < count; n += 1) {
    const free = FUNCTIONS[defined.length];
    if (free !== undefined && random.chance(0.12)) {
      lines.push(`${free}() {\n${block(random, 2)}\n}`);
      defined.push(free);
    } else if (defined.length > 0 && random.chance(0.3)) {
      lines.push(`${defined[random.int(defined.length)]} ${words(random, 1, 2)}`);
    } else lines.push(statement(random, 3));
  }
  return lines.join("\n");
}
