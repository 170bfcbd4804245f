// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Ways to write the whole simple command, while its words are still apart.
import type { Piece, Word } from "./operations.ts";
import { plain } from "./quote.ts";
import { type Choices, freshName, type Random } from "./random.ts";
import { VARIABLES } from "./variables.ts";
import { type Hider, WORDS } from "./words.ts";

/** `before`: statements that must have run. */
export type Draft = { readonly before: readonly string[]; readonly words: readonly Word[] };
export type Rewrite = (draft: Draft, random: Random) => Draft | null;

const textOf = (word: Word): string => word.map(({ literal, text }) => (literal ? plain(text) : text)).join("");

const lineOf = ({ words }: Draft): string => words.map(textOf).join(" ");

/** Statements and the command, as one text. */
export function programOf(draft: Draft, random: Random): string {
  const parts = [...draft.before, lineOf(draft)];
  const joint = parts.some((part) => part.includes("\n") || part.includes("#"))
    ? "\n"
    : random.pick(["; ", "\n", "; ", " && "]);
  return parts.join(joint);
}

const raw = (text: string): Word => [{ literal: false, text }];

/** Hides a part of one word. */
const hidden =
  (hide: Hider): Rewrite =>
  ({ before, words }, random) => {
    const places = words.flatMap((word, at) => word.flatMap((piece, n) => (piece.literal ? [[at, n] as const] : [])));
    const place = places[random.int(places.length)];
    if (place === undefined) return null;
    const piece = words[place[0]]?.[place[1]];
    if (piece === undefined) return null;
    const [start, end] = random.chance(0.5) ? [0, piece.text.length] : sliceOf(piece.text, random);
    const made = hide(piece.text.slice(start, end), random);
    if (made === null) return null;
    const pieces: Piece[] = [
      { literal: true, text: piece.text.slice(0, start) },
      { literal: false, text: made.text },
      { literal: true, text: piece.text.slice(end) },
    ].filter(({ text }) => text !== "");
    const changed = words.map((word, at) => (at === place[0] ? word.toSpliced(place[1], 1, ...pieces) : word));
    return { before: made.before === "" ? before : [...before, made.before], words: changed };
  };

function sliceOf(text: string, random: Random): [number, number] {
  const start = random.int(text.length);
  return [start, start + 1 + random.int(text.length - start)];
}

const whole =
  (
    make: (line: string, words: readonly string[], name: string, random: Random) => readonly [string, string] | null,
  ): Rewrite =>
  (draft, random) => {
    const words = draft.words.map(textOf);
    const made = make(words.join(" "), words, freshName(random), random);
    if (made === null) return null;
    return { before: made[0] === "" ? draft.before : [...draft.before, made[0]], words: [raw(made[1])] };
  };

const simple = (words: readonly string[]): boolean => words.every((word) => /^[\w./:=@-]+$/.test(word));

const SHAPES: readonly (readonly [string, Rewrite])[] = [
  ["braced words", whole((_line, words) => (simple(words) ? ["", `{${words.join(",")}}`] : null))],
  [
    "IFS between",
    whole((_line, words, _v, random) =>
      simple(words) ? ["", words.join(random.pick(["${IFS}", "$IFS", "${IFS%??}", "${IFS:0:1}"]).padEnd(4))] : null,
    ),
  ],
  [
    "in a variable",
    whole((line, words, v, random) =>
      simple(words) ? [`${v}='${line}'`, random.pick([`$${v}`, `\${${v}}`, `\${${v}[0]}`, `\${${v}[@]}`])] : null,
    ),
  ],
  ["IFS changed", whole((_line, words, v) => (simple(words) ? [`IFS=, ${v}='${words.join(",")}'`, `$${v}`] : null))],
  [
    "IFS a letter",
    whole((_line, words, v) =>
      simple(words) && !words.join("").includes("Q") ? [`IFS=Q; ${v}=${words.join("Q")}`, `$${v}`] : null,
    ),
  ],
  [
    "array",
    whole((line, _words, v, random) => [
      `${v}=(${line})`,
      random.pick([`"\${${v}[@]}"`, `\${${v}[@]}`, `\${${v}[*]}`, `"\${${v}[@]:0}"`]),
    ]),
  ],
  [
    "array by element",
    whole((_line, words, v) => [words.map((word, n) => `${v}[${n}]=${word}`).join(" "), `"\${${v}[@]}"`]),
  ],
  [
    "array grown",
    whole((_line, words, v) => [[`${v}=()`, ...words.map((word) => `${v}+=(${word})`)].join("; "), `"\${${v}[@]}"`]),
  ],
  [
    "set --",
    whole((line, _words, _v, random) => [
      `set -- ${line}`,
      random.pick(['"$@"', "$@", "$*", '"${@:1}"', '$1 "${@:2}"']),
    ]),
  ],
  [
    "function with words",
    whole((line, words, v, random) =>
      random.pick<readonly [string, string]>([
        [`${v}() { "$@"; }`, `${v} ${line}`],
        [`${v}() { $*; }`, `${v} ${line}`],
        [`${v}() { ${words[0]} "$@"; }`, `${v} ${words.slice(1).join(" ")}`],
        [`function ${v} { "$1" "\${@:2}"; }`, `${v} ${line}`],
        [`${v}() { shift; "$@"; }`, `${v} x ${line}`],
        [`${v}() { local c=$1; shift; command $c "$@"; }`, `${v} ${line}`],
        [`${v}() if :; then "$@"; fi`, `${v} ${line}`],
        [`${v}() ( "$@" )`, `${v} ${line}`],
      ]),
    ),
  ],
  [
    "loop over words",
    whole((line, _words, v) => [`${v}=(); for x in ${line}; do ${v}+=("$x"); done`, `"\${${v}[@]}"`]),
  ],
  [
    "words of a substitution",
    whole((_line, words, _v, random) =>
      simple(words)
        ? [
            "",
            random.pick([
              `$(echo ${words.join(" ")})`,
              `$(printf '%s ' ${words.join(" ")})`,
              `\`echo ${words.join(" ")}\``,
            ]),
          ]
        : null,
    ),
  ],
  [
    "alias",
    whole((_line, words, v, random) =>
      random.pick<readonly [string, string]>([
        [
          `shopt -s expand_aliases\nalias ${v}='${words[0]?.replaceAll("'", "'\\''")}'\n`,
          `${v} ${words.slice(1).join(" ")}`,
        ],
        [`shopt -s expand_aliases\nalias ${v}='${words.join(" ").replaceAll("'", "'\\''")}'\n`, v],
        [`shopt -s expand_aliases\nalias ${v}='nice ' ${v}b=${words[0]}\n`, `${v} ${v}b ${words.slice(1).join(" ")}`],
        [
          `shopt -s expand_aliases\nBASH_ALIASES[${v}]='${words[0]?.replaceAll("'", "'\\''")}'\n`,
          `${v} ${words.slice(1).join(" ")}`,
        ],
      ]),
    ),
  ],
  [
    "hash -p",
    whole((_line, words, v) =>
      /^\w+$/.test(words[0] ?? "") ? [`hash -p /usr/bin/${words[0]} ${v}`, `${v} ${words.slice(1).join(" ")}`] : null,
    ),
  ],
  [
    "program by a pattern",
    whole((_line, words, _v, random) =>
      /^\w{2,}$/.test(words[0] ?? "")
        ? [
            "",
            [
              `/${random.pick(["bin", "usr/bin", "*/bin", "usr/*in"])}/${(words[0] ?? "").slice(0, -1)}${random.pick(["?", "[a-z]", "*", "[!x]"])}`,
              ...words.slice(1),
            ].join(" "),
          ]
        : null,
    ),
  ],
  [
    "program by its path",
    whole((_line, words, v, random) =>
      /^\w+$/.test(words[0] ?? "")
        ? random.pick<readonly [string, string]>([
            ["", `/bin/${words.join(" ")}`],
            ["", `/usr/../usr/bin//${words.join(" ")}`],
            ["", `../../usr/bin/${words.join(" ")}`],
            ["", `$(command -v ${words[0]}) ${words.slice(1).join(" ")}`],
            ["", `$(type -P ${words[0]}) ${words.slice(1).join(" ")}`],
            ["", `~/../../bin/${words.join(" ")}`],
            [`pushd /usr/bin`, `./${words.join(" ")}`],
            [`PATH=/usr/bin:$PATH`, words.join(" ")],
            [`cp /bin/${words[0]} ${v}`, `./${v} ${words.slice(1).join(" ")}`],
          ])
        : null,
    ),
  ],
  ["moved first", whole((line, words, _v, random) => relative(line, words, random))],
];

/** The operand relative to a directory that is entered first. */
function relative(_line: string, words: readonly string[], random: Random): readonly [string, string] | null {
  const at = words.findLastIndex((word) => /^\/[\w/]*$/.test(word) && word !== words[0]);
  const path = words[at];
  if (path === undefined) return null;
  const parent = path === "/" ? "/" : path.replace(/\/[^/]*\/*$/, "") || "/";
  const name = path === "/" ? random.pick([".", "./", "../"]) : path.replace(/\/+$/, "").replace(/^.*\//, "");
  const enter = random.pick(["cd", "cd -P", "cd --", "pushd", "builtin cd", "command cd", "cd -L"]);
  const steps = random.pick([
    `${enter} ${parent}`,
    `cd /tmp; ${enter} ${parent}`,
    `CDPATH=/ && ${enter} ${parent}`,
    `cd ${parent}; pushd /tmp; popd`,
    `cd ${parent}; cd /tmp; cd -`,
  ]);
  const operand = random.pick([name, `./${name}`, `"$PWD"/${name}`, `$(pwd)/${name}`, `~+/${name}`, `\${PWD}/${name}`]);
  return [steps, words.with(at, operand).join(" ")];
}

export const REWRITES: Choices<readonly [string, Rewrite]> = [
  ["quotes", hidden(WORDS[0][1])],
  ...WORDS.map(([name, hide]) => [name, hidden(hide)] as const),
  ...VARIABLES.map(([name, hide]) => [name, hidden(hide)] as const),
  ...VARIABLES.map(([name, hide]) => [name, hidden(hide)] as const),
  ...SHAPES,
];
