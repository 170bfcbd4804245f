// Text: programs that search, cut and reshape it. sed and awk can write and run programs from within their own languages.
import { has, hasLong, parseOptions } from "../shell/options.ts";
import {
  changes,
  type Effect,
  type Family,
  isLegible,
  mayBeOption,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
} from "./effect.ts";

const WRITES = "writes files";

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|[+~]\d+|\$|\/(?:[^\/\\\n]|\\.)*\/[IM]*)`;
const SED_FORM = String.raw`([^\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1`;
/** One command of a sed script, with its addresses, that neither writes a file nor runs a program. */
const SED_LOOKS = new RegExp(
  String.raw`[\s;]*(?:${ADDRESS}(?:\s*,\s*${ADDRESS})?\s*!?\s*)?(?:s${SED_FORM}[gpiIMm\d]*(?=[\s;}]|$)|y${SED_FORM.replaceAll("\\1", "\\2")}|[aic]\\?[^\n]*|[rR][^\n]*|[:btT][^;}\n]*|[qQlL]\s*\d*|[{}dDgGhHnNpPxzF=#])?`,
  "sy",
);
const SED_WRITES = new RegExp(String.raw`^[wW]|^s${SED_FORM}[gpiIMm\d]*w`, "s");

function sedScript(script: string): Effect {
  let at = 0;
  while (at < script.length) {
    SED_LOOKS.lastIndex = at;
    const length = SED_LOOKS.exec(script)?.[0].length ?? 0;
    if (length === 0) return SED_WRITES.test(script.slice(at)) ? changes(WRITES) : UNSURE;
    at += length;
  }
  return READS;
}

const sed: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "efl", long: ["expression", "file", "line-length"] });
  if (has(parsed, "i", "I") || hasLong(parsed, "in-place", 2)) return changes(WRITES);
  if (has(parsed, "f", "file") || parsed.operands.some(mayBeOption)) return UNSURE;
  const given = parsed.options.flatMap(({ name, value }) => (/^e(xpression)?$/.test(name) ? [value ?? ""] : []));
  const scripts = given.length > 0 ? given : parsed.operands.slice(0, 1);
  const effects = scripts.map((script) => (isLegible(script) ? sedScript(script) : UNSURE));
  return effects.find(({ is }) => is === "changes") ?? effects.find(({ is }) => is === "unknown") ?? READS;
};

/** Strings, regular expressions and comments of an awk program. */
const AWK_LITERAL = /"(?:[^"\\]|\\.)*"|(?<=(?:^|[({,;!~&|?:\n}])\s*)\/(?:[^/\\\n]|\\.)*\/|#.*/g;
const MAX_PARENTHESES = 8;
const INNERMOST = /\([^()]*\)/g;

/** Runs a program, pipes into one, or prints into a file. */
function awkProgram(program: string): Effect {
  if (!isLegible(program) || /\bsystem\s*\(|\|&?\s*getline|@(load|include)|\|&/.test(program)) return UNSURE;
  let bare = program.replace(/>+\s*"\/dev\/std(err|out)"/g, "").replace(AWK_LITERAL, '""');
  for (let depth = 0; depth < MAX_PARENTHESES; depth += 1) bare = bare.replace(INNERMOST, " ");
  if (/\bprintf?\b[^;}\n]*>/.test(bare)) return changes(WRITES);
  return /\bprintf?\b[^;}\n|]*\|(?!\|)/.test(bare) ? UNSURE : READS;
}

const awk: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "Fvfeilo", long: ["field-separator", "assign", "source"] }, false);
  if (parsed.options.some(({ name, value }) => name === "i" && value === "inplace")) return changes(WRITES);
  if (has(parsed, "f", "file", "i", "include", "l", "load", "E", "exec")) return UNSURE;
  if (has(parsed, "o", "pretty-print", "dump-variables", "d")) return changes(WRITES);
  const given = parsed.options.find(({ name }) => name === "e" || name === "source")?.value;
  return awkProgram(given ?? parsed.operands[0] ?? "");
};

export const TEXT: Family = [
  [
    `grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep zdiff zcmp ack cut paste tr fold fmt expand unexpand column
    join rev look numfmt base64 base32 jq gojq fx envsubst expr bc factor seq yes pr tsort wc ts pv locale cal
    ncal tput uuidgen jo`,
    reads,
  ],
  ["rg ag", options({ unsure: "pre", valued: "e f g t A B C m" })],
  ["sed gsed", sed],
  ["awk gawk mawk nawk", awk],
  ["sort gsort", options({ why: WRITES, changes: "o output", unsure: "compress-program", valued: "k S t T o key" })],
  ["shuf", options({ why: WRITES, changes: "o output", valued: "n i o head-count" })],
  ["uniq", options({ why: WRITES, operands: 1, valued: "f s w" })],
  ["iconv", options({ why: WRITES, changes: "o output", valued: "f t o" })],
  ["yq", options({ why: WRITES, changes: "i inplace in-place split-exp", valued: "o p I output-format input-format" })],
  ["xmllint", options({ why: WRITES, changes: "o output", valued: "o xpath schema" })],
  ["xmlstarlet", ([, verb = "", ...args]) => (/^(sel|el|val)$/.test(verb) && !args.includes("-L") ? READS : UNSURE)],
];
