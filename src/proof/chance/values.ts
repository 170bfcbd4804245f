// Where a value comes from: chance, a name that is new in every run, the moment, or a span of time.
import { type ArithmeticExpression, type Command, forEachChild, type SyntaxNode, type Word } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";

/** `span`: a difference of moments. Comparing it with a limit is an honest check; its parity is not. */
type SourceKind = "chance" | "name" | "moment" | "day" | "span";

/** `what` is spelled as the text has it. */
export type Source = { readonly kind: SourceKind; readonly what: string };

export type Sources = Map<string, Source>;

const RANK: Record<SourceKind, number> = { chance: 5, name: 4, moment: 3, day: 2, span: 1 };

export const stronger = (first: Source | null, second: Source | null): Source | null =>
  first === null || (second !== null && RANK[second.kind] > RANK[first.kind]) ? second : first;

const chance = (what: string): Source => ({ kind: "chance", what });

const OWN = new Map<string, Source>([
  ["RANDOM", chance("$RANDOM")],
  ["SRANDOM", chance("$SRANDOM")],
  ["$", { kind: "name", what: "$$" }],
  ["BASHPID", { kind: "name", what: "$BASHPID" }],
  ["EPOCHSECONDS", { kind: "moment", what: "$EPOCHSECONDS" }],
  ["EPOCHREALTIME", { kind: "moment", what: "$EPOCHREALTIME" }],
  ["SECONDS", { kind: "span", what: "$SECONDS" }],
]);

const lookUp = (name: string, sources: Sources): Source | null => OWN.get(name) ?? sources.get(name) ?? null;

/** Of everything in the node whose text becomes part of the value. */
export function sourceOf(node: SyntaxNode, sources: Sources): Source | null {
  switch (node.type) {
    case "SimpleExpansion":
      return lookUp(node.text.slice(1), sources);
    case "ParameterExpansion": {
      const index = node.index === undefined ? null : indexSource(node.index, sources);
      return node.prefix === "#" ? null : stronger(lookUp(node.parameter, sources), index);
    }
    case "ArithmeticExpansion":
      return node.expression === undefined ? null : arithmeticSource(node.expression, sources);
    case "Command":
      return commandSource(node, sources);
    case "Pipeline":
      return pipelineSource(node, sources);
    default:
      return childrenSource(node, sources);
  }
}

function childrenSource(node: SyntaxNode, sources: Sources): Source | null {
  let found: Source | null = null;
  forEachChild(node, (child) => {
    found = stronger(found, sourceOf(child, sources));
  });
  return found;
}

/** An index is arithmetic: `${list[RANDOM % 2]}`. */
function indexSource(index: Word, sources: Sources): Source | null {
  const names = index.text.matchAll(/[A-Za-z_]\w*|\$\$/g);
  const found = [...names].map(([name]) => lookUp(name === "$$" ? "$" : name, sources));
  return found.find((source) => source?.kind === "chance") ?? sourceOf({ ...index, text: "" }, new Map(sources));
}

type Pipeline = Extract<SyntaxNode, { type: "Pipeline" }>;

/** What goes in comes out, changed; a number of lines or a search does not carry it on. */
function pipelineSource({ commands }: Pipeline, sources: Sources): Source | null {
  let found: Source | null = null;
  for (const command of commands) {
    const name = command.type === "Command" ? programName(command) : null;
    if (name === "wc") found = null;
    found = stronger(found, sourceOf(command, sources));
  }
  return found;
}

const GENERATORS = /^(shuf|uuidgen|pwgen|rand|mcookie)$/;
const RANDOM_FILE = /^\/dev\/(u|a)?random$|^(if=)?\/dev\/u?random|\/proc\/sys\/kernel\/random\/uuid/;
const PRINTERS = /^(echo|printf|expr|bc|dc|let)$/;

function commandSource(command: Command, sources: Sources): Source | null {
  const name = programName(command) ?? "";
  const words = wordsOf(command);
  const texts = words.map((word) => plainWord(word) ?? "");
  const reads = command.redirects.flatMap((one) =>
    one.type === "HereDoc" ? [] : one.target === undefined ? [] : [one],
  );
  const files = reads.flatMap((one) => (one.type === "HereString" ? [] : [plainWord(one.target) ?? ""]));
  const fed = reads.reduce<Source | null>(
    (found, one) =>
      one.type === "HereString" && one.target !== undefined ? stronger(found, sourceOf(one.target, sources)) : found,
    null,
  );
  if (GENERATORS.test(name)) return chance(name);
  if (name === "openssl" && texts[0] === "rand") return chance("openssl rand");
  if (name === "sort" && texts.some((text) => /^(-[a-z]*R|--random-sort)/.test(text))) return chance("sort -R");
  if (name === "jot" && texts.includes("-r")) return chance("jot -r");
  if ([...texts, ...files].some((text) => RANDOM_FILE.test(text))) return chance("/dev/urandom");
  if (name === "mktemp") return { kind: "name", what: "the name of mktemp" };
  if (name === "date") return dateSource(texts);
  if (name === "uptime" || [...texts, ...files].includes("/proc/uptime")) return { kind: "span", what: "the uptime" };
  const code = randomCode(name, texts);
  if (code !== null) return code;
  if (!PRINTERS.test(name)) return fed;
  const given = words.reduce<Source | null>((found, word) => stronger(found, sourceOf(word, sources)), fed);
  return given !== null && name !== "echo" && name !== "printf" && texts.includes("%") ? parity(given) : given;
}

/** A date of a file or of a given day is no moment. */
function dateSource(texts: readonly string[]): Source | null {
  if (texts.some((text) => /^(-[a-zA-Z]*[rdf]|--(reference|date|file))/.test(text) && !/now/.test(text))) return null;
  const format = texts.find((text) => text.startsWith("+")) ?? "";
  // The year decides nothing from one run to the next.
  if (/^\+["']?%Y["']?$/.test(format)) return null;
  const what = format === "" ? "date" : `date ${format}`;
  if (/%-?N/.test(format) && !/%s/.test(format)) return chance(what);
  return { kind: format === "" || /%-?[sSMHIklTRXcrpP]/.test(format) ? "moment" : "day", what };
}

const RANDOM_CODE =
  /\bs?rand\s*\(|\brandom\.|Math\.random|secrets\.|uuid[14]|os\.urandom|\brandom\(|\bgetpid\b|getrandom|\brand\b\s*[<>*%]/;
const CODE = /^(g|m|n)?awk$|^(python|perl|ruby|node|php|lua)[\d.]*$|^(deno|bun|jq)$/;
const PARITY_CODE =
  /(time\(\)|time\.time\(\)\)?|Date\.now\(\)|\bnow\b( *\| *floor)?|systime\(\)|Time\.now\.to_i)\s*\)?\s*(%|&)/;

/** Code of another language that draws a number, or looks whether the moment is odd. */
export function randomCode(name: string, texts: readonly string[]): Source | null {
  if (!CODE.test(name)) return null;
  if (texts.some((text) => RANDOM_CODE.test(text))) return chance(`a random number of ${name}`);
  return texts.some((text) => PARITY_CODE.test(text)) ? chance(`the moment, divided in ${name}`) : null;
}

const parity = (source: Source): Source =>
  source.kind === "chance" ? source : chance(`the remainder of ${source.what}`);

const IS_NAME = /^(?:\$\{?)?([A-Za-z_]\w*|\$)\}?$/;

/** A remainder of a moment is chance; a moment less something that the machine has is a span. */
export function arithmeticSource(expression: ArithmeticExpression, sources: Sources): Source | null {
  if (expression.type === "ArithmeticWord") {
    const [, name] = IS_NAME.exec(expression.value) ?? [];
    const parts = expression.parts ?? [];
    const held = name === undefined ? null : lookUp(name, sources);
    return parts.reduce<Source | null>((found, part) => stronger(found, sourceOf(part, sources)), held);
  }
  if (expression.type === "ArithmeticCommandExpansion") return childrenSource(expression, sources);
  if (expression.type !== "ArithmeticBinary") {
    let found: Source | null = null;
    forEachChild(expression, (child) => {
      if (child.type.startsWith("Arithmetic"))
        found = stronger(found, arithmeticSource(child as ArithmeticExpression, sources));
    });
    return found;
  }
  const left = arithmeticSource(expression.left, sources);
  const right = arithmeticSource(expression.right, sources);
  if (left !== null && /^(%|&)=?$/.test(expression.operator)) return parity(left);
  const all = stronger(left, right);
  if (all?.kind === "name") return chance(all.what);
  const isSpan = expression.operator === "-" && !isNumber(expression.left) && !isNumber(expression.right);
  return all !== null && isSpan && all.kind !== "chance" ? { kind: "span", what: all.what } : all;
}

const isNumber = (expression: ArithmeticExpression): boolean =>
  expression.type === "ArithmeticWord" && /^\d+$/.test(expression.value);
