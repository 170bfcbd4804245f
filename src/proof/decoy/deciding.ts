// The part of a check that reaches its exit code: what the last command asks, what can end the check before, and where the
// variables and files of these come from. A message, a comment or an unused assignment is no part of it.
import type { Command, CompoundList, Statement, SyntaxNode, TestExpression } from "unbash";
import { type CheckTree, plainWord, programName, visit, wordsOf } from "../syntax.ts";
import { asksMachine, type Definitions, isTalk } from "./machine.ts";

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
      if (!/^(test|\[)$/.test(name ?? "") && /^(-[a-zA-Z]*o|-O|--output)$/.test(word.text))
        files.push(words[at + 1]?.text ?? "");
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

function mayLeave(statement: Statement): boolean {
  let leaves = false;
  visit(statement, (node) => {
    // A loop without an end ends with the time limit.
    leaves ||= node.type === "While";
    leaves ||= node.type === "Command" && /^(exit|return|break|continue|exec)$/.test(programName(node) ?? "");
  });
  return leaves;
}

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
