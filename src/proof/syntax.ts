// Reads the syntax tree of a check for the other files of this folder: words, the name of a command, plain text of a word, and
// where bash hands on text as it is spelled.
import { type Command, forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from "unbash";

export type CheckTree = ParsedScript;

/** Null where it is no valid bash, or nested too deeply. */
export function treeOf(text: string): CheckTree | null {
  try {
    const tree = parse(text);
    return isValid(tree) ? tree : null;
  } catch {
    return null;
  }
}

/** The script of a substitution has errors of its own. */
function isValid(node: SyntaxNode): boolean {
  if (node.type === "Script" && node.errors !== undefined) return false;
  let valid = true;
  forEachChild(node, (child) => {
    valid &&= isValid(child);
  });
  return valid;
}

/** Every node, outer ones first, those of substitutions too. */
export function visit(node: SyntaxNode, see: (node: SyntaxNode) => void): void {
  see(node);
  forEachChild(node, (child) => visit(child, see));
}

/** As `visit`, but only what has its place in the source: not what backquotes decode. */
export function visitInPlace(node: SyntaxNode, see: (node: SyntaxNode) => void): void {
  see(node);
  forEachChild(node, (child) => {
    if (child.type !== "Script" || child.source === undefined) visitInPlace(child, see);
  });
}

/** Whether the node is such a one, or a node within it. */
export function contains(node: SyntaxNode, isIt: (node: SyntaxNode) => boolean): boolean {
  let found = false;
  visit(node, (one) => {
    found ||= isIt(one);
  });
  return found;
}

/** The text of a word that has no expansion in it, null for any other. */
export function plainWord(word: Word | undefined): string | null {
  if (word === undefined) return null;
  if (word.parts === undefined) return word.value;
  let text = "";
  for (const part of word.parts) {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") text += part.value;
    else if (part.type === "Glob") text += part.text;
    else if (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal"))
      text += part.parts.map((child) => (child.type === "Literal" ? child.value : "")).join("");
    else return null;
  }
  return text;
}

/** The base name of the program, null where it is not written out. */
export function programName({ name }: Command): string | null {
  const text = plainWord(name);
  return text === null ? null : text.slice(text.lastIndexOf("/") + 1);
}

/** The text that `bash -c` is given, also by a launcher such as timeout. Null where it is not written out. */
export function shellText(command: Command): string | null {
  const words = [command.name, ...wordsOf(command)].map((word) => plainWord(word));
  const at = words.findIndex((word) => /(^|\/)(ba|da|z)?sh$/.test(word ?? ""));
  const flag = at < 0 ? -1 : words.findIndex((word, n) => n > at && /^-[a-z]*c$/.test(word ?? ""));
  return flag < 0 ? null : (words[flag + 1] ?? null);
}

export const wordsOf = ({ args }: Command): readonly Word[] => args.filter((arg) => arg.type === "Word");

/** The words of a text without its programs and the names of their options. */
export function dataWords(text: string): readonly string[] {
  const words: string[] = [];
  const programs = new Set<object | undefined>();
  const tree = treeOf(text);
  if (tree === null) return words;
  visit(tree, (node) => {
    if (node.type === "Command") programs.add(node.name);
    if (node.type === "HereDocBody") words.push(node.text);
    if (node.type === "Word" && !programs.has(node)) words.push(node.value.replace(/^-[\w-]*=?/, ""));
  });
  return words;
}

export type TextPlace = {
  readonly pos: number;
  readonly end: number;
  /** `document`: a here-document in which variables are expanded; `verbatim`: text in which they are not. */
  readonly kind: "plain" | "double" | "single" | "document" | "verbatim";
};

/**
 * Where bash hands on text of a command as it is spelled, and how that text is quoted: what puts a variable in its place needs to
 * know. Null where the command is no valid bash. What is in no place is a name, an operator or a comment.
 */
export function textPlaces(command: string): readonly TextPlace[] | null {
  const tree = treeOf(command);
  if (tree === null) return null;
  const places: TextPlace[] = [];
  const see = (node: SyntaxNode, within: TextPlace["kind"]): void => {
    const kind = kindOf(node, within);
    if (isText(node)) places.push({ pos: node.pos, end: node.end, kind });
    forEachChild(node, (child) => {
      // What backquotes decode has no place in the source.
      if (child.type !== "Script" || child.source === undefined) see(child, kind);
    });
  };
  see(tree, "plain");
  return places;
}

const isText = (node: SyntaxNode): boolean =>
  /^(Literal|SingleQuoted|AnsiCQuoted)$/.test(node.type) ||
  ((node.type === "Word" || node.type === "HereDocBody") && node.parts === undefined);

function kindOf(node: SyntaxNode, within: TextPlace["kind"]): TextPlace["kind"] {
  if (node.type === "DoubleQuoted" || node.type === "LocaleString") return "double";
  if (node.type === "SingleQuoted") return "single";
  if (node.type === "AnsiCQuoted") return "verbatim";
  if (node.type === "HereDoc") return node.delimiter?.quoted === false ? "document" : "verbatim";
  if (node.type === "HereDocDelimiter") return "verbatim";
  return /Expansion$|^ProcessSubstitution$/.test(node.type) ? "plain" : within;
}
