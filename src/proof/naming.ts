// Says whether a check names its target: in a part that asks the machine, or by looking at the directory in which it runs. A message, a
// comment or a comparison of the name with a text is no such part.
import type { Command, SyntaxNode, Word } from "unbash";
import { type CheckTree, contains, plainWord, programName, shellText, treeOf, visit, wordsOf } from "./syntax.ts";

/** Where variables get their values. */
type Definitions = ReadonlyMap<string, readonly SyntaxNode[]>;

/** `isNamed`: whether a range of the text has a name of the target that counts. */
export function asksForTarget(tree: CheckTree, isNamed: (node: SyntaxNode) => boolean): boolean {
  const definitions = definitionsIn(tree);
  return contains(
    tree,
    (node) =>
      PARTS.test(node.type) &&
      reaches(node, definitions, (inner) => isNamed(inner)) &&
      reaches(node, definitions, asksMachine) &&
      !(node.type === "Command" && isTalk(programName(node))),
  );
}

const PARTS = /^(Command|Pipeline|TestUnary|TestBinary|ArithmeticCommand|Redirected)$/;

function definitionsIn(tree: CheckTree): Definitions {
  const definitions = new Map<string, SyntaxNode[]>();
  const put = (name: string, node: SyntaxNode): void => {
    definitions.set(name, [...(definitions.get(name) ?? []), node]);
  };
  visit(tree, (node) => {
    if (node.type === "Assignment") put(node.name, node.value);
    if (node.type === "For") for (const word of node.wordlist ?? []) put(node.name.value, word);
    if (node.type !== "Statement") return;
    visit(node, (inner) => {
      if (inner.type === "Command" && /^(read|mapfile|readarray)$/.test(programName(inner) ?? ""))
        for (const word of wordsOf(inner)) put(plainWord(word) ?? "", node.command);
    });
  });
  return definitions;
}

/** Whether the node, or what its variables come from, has such a node within it. */
function reaches(
  node: SyntaxNode,
  definitions: Definitions,
  isIt: (node: SyntaxNode) => boolean,
  seen = new Set<string>(),
): boolean {
  const variable = (name: string): boolean => {
    if (seen.has(name)) return false;
    seen.add(name);
    return (definitions.get(name) ?? []).some((value) => reaches(value, definitions, isIt, seen));
  };
  return contains(node, (inner) => {
    if (isIt(inner)) return true;
    if (inner.type === "SimpleExpansion") return variable(inner.text.slice(1));
    if (inner.type === "ParameterExpansion") return variable(inner.parameter);
    return inner.type === "ArithmeticWord" && variable(inner.value);
  });
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
export const readsDirectory = (tree: CheckTree, depth = 0): boolean =>
  !contains(tree, leavesDirectory) &&
  contains(tree, (node) =>
    node.type === "Command"
      ? readsHere(node, depth)
      : // `[[ -f relative ]]`.
        node.type === "TestUnary" && isFileTest(node.operator) && isHere(plainWord(node.operand)),
  );

function leavesDirectory(node: SyntaxNode): boolean {
  if (node.type !== "Command" || !/^(cd|pushd)$/.test(programName(node) ?? "")) return false;
  const [to] = wordsOf(node).filter(({ text }) => !text.startsWith("-"));
  const text = plainWord(to);
  return text === null || /^[/~]/.test(text);
}

const MAX_DEPTH = 4;

function readsHere(command: Command, depth: number): boolean {
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
  return tree !== null && readsDirectory(tree, depth);
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

/** Whether the node itself asks the machine, or only computes with what the contract and the text give it. */
function asksMachine(node: SyntaxNode): boolean {
  if (node.type === "Command") return commandAsks(node);
  if (node.type === "TestUnary") return isFileTest(node.operator);
  return node.type === "TestBinary" && /^-(nt|ot|ef)$/.test(node.operator);
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
