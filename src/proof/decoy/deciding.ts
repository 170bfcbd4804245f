// Finds the part of a check that reaches its exit code: what the last command asks, what can end the check before, and where the
// variables and files of these come from. Says whether it asks the machine, and whether it looks at its directory. A message, a
// comment or an unused assignment is no part of it.
import type { Command, CompoundList, Statement, SyntaxNode, TestExpression, Word } from "unbash";
import { type CheckTree, contains, plainWord, programName, shellText, treeOf, visit, wordsOf } from "../syntax.ts";

/** `parts`: what matters in them is everything. `commands`: those that ask the machine. */
export type Deciding = { readonly parts: readonly SyntaxNode[]; readonly commands: readonly Command[] };

type Sources = {
  readonly variables: Map<string, SyntaxNode[]>;
  /** Commands that write a file, by its spelling. */
  readonly files: Map<string, SyntaxNode[]>;
  readonly functions: Map<string, SyntaxNode>;
};

type Walk = {
  readonly sources: Sources;
  readonly parts: Set<SyntaxNode>;
  readonly commands: Set<Command>;
  readonly seen: Set<string>;
  readonly asks: (node: SyntaxNode) => boolean;
};

export function decidingOf(tree: CheckTree): Deciding {
  const sources = sourcesOf(tree);
  const definitions: Definitions = sources.variables;
  const asks = (node: SyntaxNode): boolean => asksMachine(node, definitions);
  const walk: Walk = { sources, parts: new Set(), commands: new Set(), seen: new Set(), asks };
  decideList(tree.commands, walk);
  return { parts: [...walk.parts], commands: [...walk.commands] };
}

function sourcesOf(tree: CheckTree): Sources {
  const sources: Sources = { variables: new Map(), files: new Map(), functions: new Map() };
  const put = (table: Map<string, SyntaxNode[]>, name: string, node: SyntaxNode): void => {
    table.set(name, [...(table.get(name) ?? []), node]);
  };
  visit(tree, (node) => {
    if (node.type === "Assignment") put(sources.variables, node.name, node.value);
    if (node.type === "For") for (const word of node.wordlist ?? []) put(sources.variables, node.name.value, word);
    for (const [condition, then] of conditionsIn(node))
      for (const name of assignedIn(then)) put(sources.variables, name, condition);
    if (node.type === "Function") sources.functions.set(node.name.value, node.body);
    if (node.type === "Statement") {
      for (const part of node.command.type === "AndOr" ? node.command.commands : [node.command])
        for (const file of writtenFiles(part)) put(sources.files, file, part);
      for (const name of readNames(node)) put(sources.variables, name, node.command);
    }
  });
  return sources;
}

/** What is set where a condition holds depends on the condition. */
function conditionsIn(node: SyntaxNode): (readonly [condition: SyntaxNode, then: SyntaxNode])[] {
  if (node.type === "While") return [[node.clause, node.body]];
  if (node.type === "Case") return node.items.map((item) => [node.word, item]);
  if (node.type === "AndOr") return node.commands.slice(1).flatMap((then, at) => pairOf(node.commands[at], then));
  if (node.type !== "If") return [];
  const lists = [node.clause, ...node.elif.map(({ clause }) => clause)];
  return lists.map((clause) => [clause, node]);
}

const pairOf = (condition: SyntaxNode | undefined, then: SyntaxNode): (readonly [SyntaxNode, SyntaxNode])[] =>
  condition === undefined ? [] : [[condition, then]];

function assignedIn(node: SyntaxNode): Set<string> {
  const names = new Set<string>();
  visit(node, (inner) => {
    if (inner.type === "Assignment") names.add(inner.name);
    if (
      inner.type === "ArithmeticUnary" &&
      /^(\+\+|--)$/.test(inner.operator) &&
      inner.operand.type === "ArithmeticWord"
    )
      names.add(inner.operand.value);
    if (inner.type === "ArithmeticBinary" && /^([-+*]?=)$/.test(inner.operator) && inner.left.type === "ArithmeticWord")
      names.add(inner.left.value);
  });
  return names;
}

const MAX_SPELLING = 200;

function writtenFiles(part: SyntaxNode): string[] {
  const files: string[] = [];
  visit(part, (node) => {
    if (node.type === "Redirect" && /^(>|>>|>\||&>)$/.test(node.operator)) files.push(node.target?.text ?? "");
    if (node.type !== "Command") return;
    const words = wordsOf(node);
    const name = programName(node);
    if (name === "test" || name === "[") return;
    for (const [at, word] of words.entries()) {
      if (/^(-[a-zA-Z]*o|-O|--output)$/.test(word.text)) files.push(words[at + 1]?.text ?? "");
      if (name === "tee" && !word.text.startsWith("-")) files.push(word.text);
    }
  });
  return files.filter((file) => file.length > 2 && file.length < MAX_SPELLING && file !== "/dev/null");
}

function readNames(statement: Statement): string[] {
  const names: string[] = [];
  visit(statement, (node) => {
    if (node.type === "Command" && /^(read|mapfile|readarray)$/.test(programName(node) ?? ""))
      names.push(...wordsOf(node).map((word) => plainWord(word) ?? ""));
  });
  return names.filter((name) => /^[A-Za-z_]\w*$/.test(name));
}

/** The status of a list is that of its last command, unless one before it ends the check. */
function decideList(statements: readonly Statement[], walk: Walk): void {
  const strict = statements.some(({ command }) => command.type === "Command" && isStrict(command));
  for (const [at, statement] of statements.entries()) {
    const { command } = statement;
    const isLast = at === statements.length - 1;
    if (isLast || strict || isMove(command) || mayLeave(statement)) decide(command, walk);
  }
}

const isStrict = (command: Command): boolean =>
  programName(command) === "set" && wordsOf(command).some(({ text }) => /^-[a-z]*e|^errexit$/.test(text));

const isMove = (node: SyntaxNode): boolean =>
  node.type === "AndOr"
    ? node.commands.some(isMove)
    : node.type === "Command" && /^(cd|pushd)$/.test(programName(node) ?? "");

/** A loop without an end ends with the time limit. */
const mayLeave = (statement: Statement): boolean =>
  contains(
    statement,
    (node) =>
      node.type === "While" ||
      (node.type === "Command" && /^(exit|return|break|continue|exec)$/.test(programName(node) ?? "")),
  );

function decide(node: SyntaxNode, walk: Walk): void {
  if (node.type === "Command") decideCommand(node, walk);
  else if (node.type === "Pipeline") decidePipeline(node, walk);
  else if (node.type === "AndOr") for (const command of node.commands) decide(command, walk);
  else if (node.type === "TestCommand") for (const one of operandsOfTest(node.expression)) useIfAsked(one, walk);
  else if (node.type === "ArithmeticCommand") useIfAsked(node, walk);
  else if (node.type === "Redirected") {
    for (const redirect of node.redirects) useInput(redirect, walk);
    decide(node.command, walk);
  } else {
    if (node.type === "Case") useIfAsked(node.word, walk);
    for (const list of listsOf(node)) decideList(list.commands, walk);
  }
}

/** `[[ -e /etc/hosts && $name == web ]]` asks the machine of the first only. */
function operandsOfTest(expression: TestExpression): readonly TestExpression[] {
  if (expression.type === "TestLogical") return expression.operands.flatMap(operandsOfTest);
  if (expression.type === "TestNot") return operandsOfTest(expression.operand);
  return expression.type === "TestGroup" ? operandsOfTest(expression.expression) : [expression];
}

/** The lists of which one or more give the status of a compound command. */
function listsOf(node: SyntaxNode): readonly CompoundList[] {
  switch (node.type) {
    case "CompoundList":
      return [node];
    case "If": {
      const lists = [node.clause, node.then, ...node.elif.flatMap((one) => [one.clause, one.then])];
      return node.else === undefined ? lists : [...lists, node.else];
    }
    case "While":
      return [node.clause, node.body];
    case "Case":
      return node.items.map(({ body }) => body);
    case "BraceGroup":
    case "Subshell":
    case "For":
    case "ArithmeticFor":
    case "Select":
      return [node.body];
    default:
      return [];
  }
}

function decideCommand(command: Command, walk: Walk): void {
  const name = programName(command);
  const body = name === null ? undefined : walk.sources.functions.get(name);
  if (name !== null && body !== undefined && !walk.seen.has(`${name}()`)) {
    walk.seen.add(`${name}()`);
    decide(body, walk);
  }
  if (body !== undefined) for (const word of wordsOf(command)) use(word, walk);
  else if (name === "exit" || name === "return") for (const word of wordsOf(command)) useIfAsked(word, walk);
  else if (command.name === undefined) for (const part of command.prefix) useIfAsked(part, walk);
  else if (!isTalk(name)) useIfAsked(command, walk);
}

/** `echo web | nc ...`: what is written decides where something asks the machine with it. */
function decidePipeline(pipeline: Extract<SyntaxNode, { type: "Pipeline" }>, walk: Walk): void {
  const { commands } = pipeline;
  if (commands.length === 1) for (const command of commands) decide(command, walk);
  else if (commands.some((command) => walk.asks(command))) for (const command of commands) use(command, walk);
}

const useIfAsked = (node: SyntaxNode, walk: Walk): void => {
  if (walk.asks(node)) use(node, walk);
};

function useInput(node: SyntaxNode, walk: Walk): void {
  if (node.type === "HereString" || node.type === "HereDoc" || (node.type === "Redirect" && node.operator === "<"))
    use(node, walk);
}

/** All of the node, and what its variables, files and functions come from. */
function use(node: SyntaxNode, walk: Walk): void {
  if (walk.parts.has(node)) return;
  walk.parts.add(node);
  visit(node, (inner) => {
    if (inner.type === "Command") walk.commands.add(inner);
    // The text of a here-document is outside of its command.
    if (inner.type === "HereDocBody") walk.parts.add(inner);
    if (inner.type === "SimpleExpansion") useNamed(walk.sources.variables, inner.text.slice(1), walk);
    if (inner.type === "ParameterExpansion") useNamed(walk.sources.variables, inner.parameter, walk);
    if (inner.type === "ArithmeticWord") useNamed(walk.sources.variables, inner.value, walk);
    if (inner.type === "Word") useNamed(walk.sources.files, inner.text, walk);
    if (inner.type === "Command") {
      const body = walk.sources.functions.get(programName(inner) ?? "");
      if (body !== undefined) use(body, walk);
    }
  });
}

function useNamed(table: Map<string, SyntaxNode[]>, name: string, walk: Walk): void {
  const nodes = table.get(name);
  const key = `${table === walk.sources.files ? "file" : "variable"} ${name}`;
  if (nodes === undefined || walk.seen.has(key)) return;
  walk.seen.add(key);
  for (const one of nodes) use(one, walk);
}

const PROJECT =
  /^(make|npm|yarn|pnpm|cargo|terraform|tofu|go|pytest|mvn|gradle|bundle|composer|docker-compose|podman-compose)$/;
const READS_FILES =
  /^(cat|head|tail|grep|egrep|fgrep|sed|[gmn]?awk|jq|yq|wc|stat|cmp|diff|md5sum|sha\d*sum|file|readlink|realpath|ls|find|du|source|\.|bash|sh|python[\d.]*|perl|ruby|node|sqlite3|tar|nginx|openssl)$/;
const READS_AFTER_FIRST = /^([ef]?grep|sed|[gmn]?awk|jq|yq)$/;

/** Code of another language that opens a file by a relative path. */
const OPENS_HERE =
  /\b(open|Path|exists|isfile|isdir|getsize|stat|read_text|readFile(Sync)?|existsSync|File\.\w+)\(\s*["'][\w.]/;

/**
 * Whether a part looks at the directory in which it runs: a repository, a compose file, a file by its relative path. A change to
 * another directory comes before everything else that the check does.
 */
export function readsDirectory(tree: CheckTree, commands: readonly Command[], parts: readonly SyntaxNode[]): boolean {
  return !contains(tree, leavesDirectory) && (commands.some((command) => readsHere(command)) || parts.some(testsHere));
}

/** `[[ -f relative ]]`. */
const testsHere = (part: SyntaxNode): boolean =>
  contains(part, (node) => node.type === "TestUnary" && isFileTest(node.operator) && isHere(plainWord(node.operand)));

function leavesDirectory(node: SyntaxNode): boolean {
  if (node.type !== "Command" || !/^(cd|pushd)$/.test(programName(node) ?? "")) return false;
  const [to] = wordsOf(node).filter(({ text }) => !text.startsWith("-"));
  const text = plainWord(to);
  return text === null || /^[/~]/.test(text);
}

const MAX_DEPTH = 4;

function readsHere(command: Command, depth = 0): boolean {
  const text = shellText(command);
  if (text !== null) return depth < MAX_DEPTH && textReadsHere(text, depth + 1);
  if (command.redirects.some((one) => one.type === "Redirect" && one.operator === "<" && isHere(plainWord(one.target))))
    return true;
  const [path, ...texts] = launched([command.name, ...wordsOf(command)]);
  if (path === undefined) return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (path.startsWith("./") || texts.some((text) => /^\.\.?\//.test(text))) return true;
  const isVersion = texts.some((text) => /^(--?version|-V|--help|help|version)$/.test(text));
  if (name === "git") return !isVersion && gitReads(texts);
  if (name === "docker" || name === "podman") return texts[0] === "compose" && !isVersion && isOfDirectory(texts);
  if (PROJECT.test(name)) return !isVersion && isOfDirectory(texts);
  if (/^(ba|da|z)?sh$/.test(name)) return isHere(texts.find((word) => !word.startsWith("-")) ?? null);
  if (name === "test" || name === "[")
    return texts.some((text, at) => (isFileTest(text) && isHere(texts[at + 1] ?? null)) || isFilePair(texts, at));
  if (!READS_FILES.test(name)) return false;
  if (texts.some((text) => OPENS_HERE.test(text))) return true;
  const operands = operandsOf(texts, name).slice(READS_AFTER_FIRST.test(name) ? 1 : 0);
  if (operands.length === 0) return /^(ls|find|du)$/.test(name);
  return operands.some(isHere);
}

const isFilePair = (texts: readonly string[], at: number): boolean =>
  /^-(nt|ot|ef)$/.test(texts[at] ?? "") && (isHere(texts[at - 1] ?? null) || isHere(texts[at + 1] ?? null));

function textReadsHere(text: string, depth: number): boolean {
  const tree = treeOf(text);
  if (tree === null || contains(tree, leavesDirectory)) return false;
  const { commands, parts } = decidingOf(tree);
  return commands.some((command) => readsHere(command, depth)) || parts.some(testsHere);
}

const LAUNCHERS = /^(sudo|timeout|env|nice|nohup|time|command|exec|stdbuf|ionice|setsid|xargs)$/;

/** A program and its words, without what launches it. */
function launched(words: readonly (Word | undefined)[]): readonly string[] {
  const texts = words.map((word) => plainWord(word) ?? word?.text ?? "");
  if (words[0] === undefined || plainWord(words[0]) === null) return [];
  if (!LAUNCHERS.test(texts[0] ?? "")) return texts;
  const next = words.findIndex((_, at) => at > 0 && !/^-|^\d|=/.test(texts[at] ?? ""));
  return next < 0 ? [] : launched(words.slice(next));
}

function gitReads(texts: readonly string[]): boolean {
  if (texts.some((text, at) => /^(-C|--git-dir|--work-tree)$/.test(text) && /^[/$"~]/.test(texts[at + 1] ?? "")))
    return false;
  if (texts.some((text) => /^--(git-dir|work-tree)=/.test(text))) return false;
  return !(texts.includes("ls-remote") && texts.some((text) => /:\/\/|@/.test(text))) && !texts.includes("--global");
}

const isOfDirectory = (texts: readonly string[]): boolean =>
  !texts.some(
    (text, at) =>
      /^(-f|--file|--project-directory|-C|--prefix|--directory)$/.test(text) && /^[/$"~]/.test(texts[at + 1] ?? ""),
  );

/** A relative path: no option, no address, no number. */
const isHere = (text: string | null): boolean =>
  text !== null && /^[A-Za-z_.*][\w.@+*?,:-]*(\/[\w.@+*?,:-]*)*$/.test(text);

/** Where variables get their values. */
type Definitions = ReadonlyMap<string, readonly SyntaxNode[]>;

/** They print or say what they are given. */
const TALKS =
  /^(echo|printf|:|true|false|sleep|exit|return|break|continue|set|export|local|declare|readonly|typeset|unset|shift|trap|let|read|logger)$/;
/** They compute with their input. */
const FILTERS =
  /^([ef]?grep|sed|[gmn]?awk|tr|cut|wc|sort|uniq|head|tail|cat|tac|rev|nl|fold|paste|column|md5sum|sha\d*sum|cksum|base64|od|xxd|hexdump|jq|yq|bc|dc|expr|tee|cmp|diff|seq|basename|dirname)$/;
/** The first operand is a pattern or a program, not a file. */
const PATTERN_FIRST = /^([ef]?grep|sed|[gmn]?awk|tr|jq|yq|expr|seq|basename|dirname)$/;
/** Every word is text. */
const NO_FILES = /^(tr|expr|seq|basename|dirname)$/;

const isTalk = (name: string | null): boolean => name !== null && TALKS.test(name);

/** Whether a part asks the machine at all, or only computes with what the contract and the text give it. */
function asksMachine(node: SyntaxNode, definitions: Definitions, seen: Set<string> = new Set()): boolean {
  return contains(node, (inner) => {
    if (inner.type === "Command") return commandAsks(inner);
    if (inner.type === "TestUnary") return isFileTest(inner.operator);
    if (inner.type === "TestBinary") return /^-(nt|ot|ef)$/.test(inner.operator);
    if (inner.type === "SimpleExpansion") return variableAsks(inner.text.slice(1), definitions, seen);
    if (inner.type === "ParameterExpansion") return variableAsks(inner.parameter, definitions, seen);
    return inner.type === "ArithmeticWord" && variableAsks(inner.value, definitions, seen);
  });
}

function variableAsks(name: string, definitions: Definitions, seen: Set<string>): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return (definitions.get(name) ?? []).some((value) => asksMachine(value, definitions, seen));
}

const isFileTest = (operator: string): boolean => /^-[a-zA-Z]$/.test(operator) && !/^-[nzvoR]$/.test(operator);

function commandAsks(command: Command): boolean {
  const files = command.redirects.some((one) => one.type === "Redirect" && one.operator === "<" && !isNull(one.target));
  if (files) return true;
  if (command.name === undefined) return false;
  const name = programName(command);
  if (name === null) return true;
  if (TALKS.test(name)) return false;
  const texts = wordsOf(command).map((word) => plainWord(word) ?? word.text);
  if (name === "test" || name === "[")
    return texts.some((text, at) => (isFileTest(text) && at < texts.length - 1) || /^-(nt|ot|ef)$/.test(text));
  if (!FILTERS.test(name)) return true;
  if (NO_FILES.test(name)) return false;
  const operands = operandsOf(texts, name);
  return operands.length > (PATTERN_FIRST.test(name) ? 1 : 0) || texts.some((text) => /^-[a-zA-Z]*[rRf]/.test(text));
}

const isNull = (target: Parameters<typeof plainWord>[0]): boolean => plainWord(target) === "/dev/null";

/** Options with a value of their own, by program. */
const VALUED: readonly (readonly [RegExp, RegExp])[] = [
  [/grep$/, /^-[efmABCd]$/],
  [/^sed$/, /^-[ef]$/],
  [/awk$/, /^-[vFf]$/],
  [/^(head|tail)$/, /^-[nc]$/],
  [/^(cut|sort|paste)$/, /^-[dcbfktSo]$/],
  [/^(fold|od|xxd)$/, /^-[wANtljscg]$/],
];

/** Words that are no option and no value of one. `grep -e x` has no pattern besides: its first operand is `-e`. */
function operandsOf(texts: readonly string[], name: string): readonly string[] {
  const valued = VALUED.find(([program]) => program.test(name))?.[1];
  const operands: string[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (/^-[ef]$/.test(text) && /grep$|^sed$|awk$/.test(name) && operands[0] !== "-e") operands.unshift("-e");
    if (name === "jq" && /^--(arg|argjson)$/.test(text)) at += 2;
    else if (valued?.test(text) === true) at += 1;
    else if (!text.startsWith("-")) operands.push(text);
  }
  return operands;
}
