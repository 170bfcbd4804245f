// Whether a command looks at the directory in which it runs: a repository, a compose file, a file by its relative path.
import type { Command, SyntaxNode, Word } from "unbash";
import { type CheckTree, plainWord, programName, shellText, treeOf, visit, wordsOf } from "../syntax.ts";
import { decidingOf } from "./deciding.ts";
import { isFileTest, operandsOf } from "./machine.ts";

const PROJECT =
  /^(make|npm|yarn|pnpm|cargo|terraform|tofu|go|pytest|mvn|gradle|bundle|composer|docker-compose|podman-compose)$/;
const READS_FILES =
  /^(cat|head|tail|grep|egrep|fgrep|sed|[gmn]?awk|jq|yq|wc|stat|cmp|diff|md5sum|sha\d*sum|file|readlink|realpath|ls|find|du|source|\.|bash|sh|python[\d.]*|perl|ruby|node|sqlite3|tar|nginx|openssl)$/;
const PATTERN_FIRST = /^([ef]?grep|sed|[gmn]?awk|jq|yq)$/;

/** Code of another language that opens a file by a relative path. */
const OPENS_HERE =
  /\b(open|Path|exists|isfile|isdir|getsize|stat|read_text|readFile(Sync)?|existsSync|File\.\w+)\(\s*["'][\w.]/;

/** A change to another directory comes before everything else that the check does. */
export function readsDirectory(tree: CheckTree, commands: readonly Command[], parts: readonly SyntaxNode[]): boolean {
  return !leaves(tree) && (commands.some((command) => readsHere(command)) || parts.some(testsHere));
}

function leaves(tree: CheckTree): boolean {
  let moved = false;
  visit(tree, (node) => {
    moved ||= isMove(node);
  });
  return moved;
}

/** `[[ -f relative ]]`. */
function testsHere(part: SyntaxNode): boolean {
  let found = false;
  visit(part, (node) => {
    found ||= node.type === "TestUnary" && isFileTest(node.operator) && isHere(plainWord(node.operand));
  });
  return found;
}

function isMove(node: SyntaxNode): boolean {
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
  const operands = operandsOf(texts, name).slice(PATTERN_FIRST.test(name) ? 1 : 0);
  if (operands.length === 0) return /^(ls|find|du)$/.test(name);
  return operands.some(isHere);
}

const isFilePair = (texts: readonly string[], at: number): boolean =>
  /^-(nt|ot|ef)$/.test(texts[at] ?? "") && (isHere(texts[at - 1] ?? null) || isHere(texts[at + 1] ?? null));

function textReadsHere(text: string, depth: number): boolean {
  const tree = treeOf(text);
  if (tree === null || leaves(tree)) return false;
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
