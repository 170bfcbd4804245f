// Decides whether two parsed texts are one program: a text, and the same without its line continuations.
import { forEachChild, type Script, type SyntaxNode } from "unbash";

const CONTINUATION = "\\\n";

/** What their own text says is also in their children, or is read without line continuations. */
const COMPOSED = new Set([
  "Assignment",
  "DoubleQuoted",
  "LocaleString",
  "CommandExpansion",
  "ProcessSubstitution",
  "HereDocBody",
]);

/** In them a literal is its value, in which there are no line continuations. */
const QUOTING = new Set(["DoubleQuoted", "LocaleString", "HereDocBody"]);

type Pair = { readonly node: SyntaxNode; readonly other: SyntaxNode; readonly isQuoted: boolean };

/** `plain` is parsed from the text without line continuations. In single quotes and quoted here-documents bash keeps them. */
export function isSameScript(script: Script, plain: Script): boolean {
  const pending: Pair[] = [{ node: script, other: plain, isQuoted: false }];
  // Without recursion, because the text may be nested as deeply as it likes.
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const { node, other } = pair;
    // The parts of a word follow from its text alone, and are read when they are asked for.
    if (node.type === "Word" && other.type === "Word" && node.text === other.text) continue;
    if (!isSameNode(pair)) return false;
    const [children, others] = [childrenOf(node), childrenOf(other)];
    if (children.length !== others.length) return false;
    const isQuoted = QUOTING.has(node.type);
    for (const [at, child] of children.entries()) pending.push({ node: child, other: others[at] ?? child, isQuoted });
  }
  return true;
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

function isSameNode({ node, other, isQuoted }: Pair): boolean {
  if (node.type !== other.type) return false;
  const isComposed = mayHoldContinuations(node, isQuoted);
  return Object.entries(node).every(([key, value]) => {
    const held: unknown = Reflect.get(other, key);
    if (typeof value === "string") {
      const mayHold = key === "value" ? node.type === "SingleQuoted" : isComposed;
      return value === held || (mayHold && value.replaceAll(CONTINUATION, "") === held);
    }
    if (typeof value === "number") return key !== "value" || value === held;
    return isListOfWords(value) ? value.join() === String(held) : isSet(value) === isSet(held);
  });
}

function mayHoldContinuations(node: SyntaxNode, isQuoted: boolean): boolean {
  if (node.type === "Literal") return isQuoted;
  // Brace expansion reads the text of every part.
  if (node.type === "Word") return node.parts?.every(({ type }) => type !== "BraceExpansion") === true;
  return node.type === "SingleQuoted" || COMPOSED.has(node.type);
}

/** Operators. */
const isListOfWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** Nodes are compared as children, so of what else there is only whether it is set counts. */
const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== null;
