// Finds what of chance, or of the moment of the run, decides how a check ends. Such a check proves nothing, however often
// it is run. Waiting until a deadline, and the age of a file, are not chance.
import { type ArithmeticExpression, type Command, forEachChild, parse, type SyntaxNode, type Word } from "unbash";
import { type CheckTree, plainWord, programName, shellText, treeOf, visit, wordsOf } from "./syntax.ts";

/** What a value goes through before it decides: variables that are set from variables. */
const PASSES = 3;
const MAX_DEPTH = 4;

/** Completes "... decides how this check ends". Null: nothing of chance was found. Never throws. */
export function chanceIn(text: string): string | null {
  const tree = treeOf(text);
  return tree === null ? null : chanceOf(tree, new Map(), 0);
}

function chanceOf(tree: CheckTree, known: Sources, depth: number): string | null {
  const sources: Sources = new Map(known);
  for (let pass = 0; pass < PASSES; pass += 1) visit(tree, (node) => learn(node, sources));
  let found: string | null = null;
  visit(tree, (node) => {
    found ??= decidedBy(node, sources) ?? innerText(node, sources, depth);
  });
  return found;
}

/** `bash -c 'text'`. */
function innerText(node: SyntaxNode, sources: Sources, depth: number): string | null {
  if (node.type !== "Command" || depth >= MAX_DEPTH) return null;
  const text = shellText(node);
  return text === null ? null : chanceOf(parse(text), sources, depth + 1);
}

/** What assignments, loops and `read` put into variables. */
function learn(node: SyntaxNode, sources: Sources): void {
  const put = (name: string, source: Source | null): void => {
    const all = stronger(sources.get(name) ?? null, source);
    if (all !== null) sources.set(name, all);
  };
  if (node.type === "Assignment") put(node.name, sourceOf(node.value, sources));
  if (node.type === "For") for (const word of node.wordlist ?? []) put(node.name.value, sourceOf(word, sources));
  if (node.type === "Pipeline") learnRead(node, sources, put);
  if (node.type === "Command" && programName(node) === "read") {
    const fed = node.redirects.map((one) => sourceOf(one, sources)).reduce(stronger, null);
    for (const word of wordsOf(node)) put(plainWord(word) ?? "", fed);
  }
  if (node.type === "ArithmeticBinary" && node.operator === "=" && node.left.type === "ArithmeticWord")
    put(node.left.value, arithmeticSource(node.right, sources));
  if (node.type === "Command" && programName(node) === "let")
    for (const text of wordsOf(node).map((word) => plainWord(word) ?? "")) {
      const [, name = ""] = /^([A-Za-z_]\w*)=/.exec(text) ?? [];
      if (/\bS?RANDOM\b/.test(text)) put(name, { kind: "chance", what: "$RANDOM" });
    }
}

type Put = (name: string, source: Source | null) => void;

function learnRead(node: Extract<SyntaxNode, { type: "Pipeline" }>, sources: Sources, put: Put): void {
  let fed: Source | null = null;
  for (const command of node.commands) {
    const given = fed;
    if (given !== null)
      visit(command, (inner) => {
        if (inner.type === "Command" && programName(inner) === "read")
          for (const word of wordsOf(inner)) put(plainWord(word) ?? "", given);
      });
    fed = stronger(fed, sourceOf(command, sources));
  }
}

function decidedBy(node: SyntaxNode, sources: Sources): string | null {
  switch (node.type) {
    case "TestBinary":
      return compared(side(node.left, sources), node.operator, side(node.right, sources));
    case "TestUnary":
      return fileTest(node.operator, node.operand, sources);
    case "ArithmeticCommand":
      return node.expression === undefined ? null : calculated(node.expression, sources);
    case "ArithmeticFor":
      return node.test === undefined ? null : calculated(node.test, sources);
    case "Case":
      return matched(sourceOf(node.word, sources));
    case "Pipeline":
      return fedTo(node, sources);
    case "Command":
      return command(node, sources);
    default:
      return null;
  }
}

type Side = { readonly source: Source | null; readonly isLiteral: boolean };

const side = (word: Word, sources: Sources): Side => ({
  source: sourceOf(word, sources),
  isLiteral: plainWord(word) !== null,
});

const EQUAL = /^(=|==|!=|=~|-eq|-ne)$/;

/** A moment is compared honestly with another moment, or with what the machine has, by order. */
function compared(left: Side, operator: string, right: Side): string | null {
  const source = stronger(left.source, right.source);
  if (source === null || source.kind === "span") return null;
  if (source.kind === "chance" || source.kind === "name") return source.what;
  const isAlone = left.isLiteral || right.isLiteral;
  return isAlone || (source.kind === "moment" && EQUAL.test(operator)) ? moment(source) : null;
}

const moment = ({ what }: Source): string => `the moment of the run (\`${what}\`)`;

function matched(source: Source | null): string | null {
  if (source === null || source.kind === "span") return null;
  return source.kind === "chance" || source.kind === "name" ? source.what : moment(source);
}

const TEMPORARY = /^["']?(\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|\$\{?TMPDIR)/;

function fileTest(operator: string, operand: Word, sources: Sources): string | null {
  if (operator === "-n" || operator === "-z" || TEMPORARY.test(operand.text)) return null;
  const source = sourceOf(operand, sources);
  return source?.kind === "chance" && !isTemporaryName(operand) ? source.what : null;
}

/** A variable that holds a name for a temporary file. */
const isTemporaryName = (word: Word): boolean => /te?mp|file/i.test(word.text);

const ORDER = /^(==|!=|<|>|<=|>=)$/;

function calculated(expression: ArithmeticExpression, sources: Sources): string | null {
  if (expression.type === "ArithmeticGroup") return calculated(expression.expression, sources);
  if (expression.type === "ArithmeticUnary") return calculated(expression.operand, sources);
  if (expression.type === "ArithmeticBinary" && /^(&&|\|\||,)$/.test(expression.operator))
    return calculated(expression.left, sources) ?? calculated(expression.right, sources);
  if (expression.type === "ArithmeticBinary" && ORDER.test(expression.operator))
    return compared(operand(expression.left, sources), expression.operator, operand(expression.right, sources));
  const source = arithmeticSource(expression, sources);
  return source?.kind === "chance" ? source.what : null;
}

const operand = (expression: ArithmeticExpression, sources: Sources): Side => ({
  source: arithmeticSource(expression, sources),
  isLiteral: expression.type === "ArithmeticWord" && /^\d+$/.test(expression.value),
});

const SEARCHES = /^([efz]?grep|rg|cmp|diff|read)$/;
const CALCULATES = /^([gmn]?awk|bc|jq|expr|xargs|sed|(python|perl|ruby|node)[\d.]*)$/;

/** What is searched, or calculated with, at the end of a pipeline. */
function fedTo({ commands }: Extract<SyntaxNode, { type: "Pipeline" }>, sources: Sources): string | null {
  let fed: Source | null = null;
  for (const one of commands) {
    const name = one.type === "Command" ? (programName(one) ?? "") : "";
    const found = judged(fed, name, one.type === "Command" ? wordsOf(one) : []);
    if (found !== null) return found;
    fed = name === "wc" ? null : stronger(fed, sourceOf(one, sources));
  }
  return null;
}

function judged(fed: Source | null, name: string, words: readonly Word[]): string | null {
  if (fed === null) return null;
  if (SEARCHES.test(name)) return matched(fed);
  if (!CALCULATES.test(name)) return null;
  return fed.kind === "chance" || /[)\w ]%\s*[\d(]/.test(words.map(({ text }) => text).join(" ")) ? fed.what : null;
}

/** Where a word of chance changes nothing of how the check ends. */
const CARELESS =
  /^(sleep|echo|printf|touch|mkdir|mktemp|rm|logger|cp|mv|tee|export|local|declare|readonly|trap|read|set|:|true|cat|shuf)$/;

function command(node: Command, sources: Sources): string | null {
  const name = programName(node);
  const words = wordsOf(node);
  if (name === null) return node.name === undefined ? null : chosen(sourceOf(node.name, sources));
  if (name === "test" || name === "[") return tested(words, sources);
  if (name === "exit" || name === "return")
    return words.map((word) => matched(sourceOf(word, sources))).find((found) => found !== null) ?? null;
  if (name === "expr" || name === "let") return chosen(sourceOf(node, sources)) ?? letText(name, words);
  const code = randomCode(
    name,
    words.map((word) => plainWord(word) ?? word.text),
  );
  if (code !== null) return code.what;
  const fed = node.redirects.flatMap((one) => (one.type === "HereString" ? [sourceOf(one, sources)] : []));
  const judgedInput = fed.map((source) => judged(source, name, words));
  return judgedInput.find((found) => found !== null) ?? (CARELESS.test(name) ? null : givenTo(words, sources));
}

const letText = (name: string, words: readonly Word[]): string | null =>
  name === "let" && words.some(({ text }) => /\bS?RANDOM\b/.test(text)) ? "$RANDOM" : null;

const chosen = (source: Source | null): string | null => (source?.kind === "chance" ? source.what : null);

/** A parameter against caches, or the name of a temporary file, decides nothing. */
function givenTo(words: readonly Word[], sources: Sources): string | null {
  for (const word of words) {
    const found = chosen(sourceOf(word, sources));
    const isCareless = TEMPORARY.test(word.text) || isTemporaryName(word) || /[?&]\w*=?["']?\$/.test(word.text);
    if (found !== null && !isCareless) return found;
  }
  return null;
}

const OPERATOR = /^(=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge)$/;

/** `test a = b -a ...`: each comparison in it. */
function tested(words: readonly Word[], sources: Sources): string | null {
  for (const [at, word] of words.entries()) {
    const [left, right] = [words[at - 1], words[at + 1]];
    const text = plainWord(word) ?? "";
    if (OPERATOR.test(text) && left !== undefined && right !== undefined) {
      const found = compared(side(left, sources), text, side(right, sources));
      if (found !== null) return found;
    }
    if (/^-[a-zA-Z]$/.test(text) && right !== undefined) {
      const found = fileTest(text, right, sources);
      if (found !== null) return found;
    }
  }
  return null;
}

/** `span`: a difference of moments. Comparing it with a limit is an honest check; its parity is not. */
type SourceKind = "chance" | "name" | "moment" | "day" | "span";

/** `what` is spelled as the text has it. */
type Source = { readonly kind: SourceKind; readonly what: string };

type Sources = Map<string, Source>;

const RANK: Record<SourceKind, number> = { chance: 5, name: 4, moment: 3, day: 2, span: 1 };

const stronger = (first: Source | null, second: Source | null): Source | null =>
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
function sourceOf(node: SyntaxNode, sources: Sources): Source | null {
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
function randomCode(name: string, texts: readonly string[]): Source | null {
  if (!CODE.test(name)) return null;
  if (texts.some((text) => RANDOM_CODE.test(text))) return chance(`a random number of ${name}`);
  return texts.some((text) => PARITY_CODE.test(text)) ? chance(`the moment, divided in ${name}`) : null;
}

const parity = (source: Source): Source =>
  source.kind === "chance" ? source : chance(`the remainder of ${source.what}`);

const IS_NAME = /^(?:\$\{?)?([A-Za-z_]\w*|\$)\}?$/;

/** A remainder of a moment is chance; a moment less something that the machine has is a span. */
function arithmeticSource(expression: ArithmeticExpression, sources: Sources): Source | null {
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
