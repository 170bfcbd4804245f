// The simple commands of a text whose words are written out, wherever they stand in it: no more than the parser is needed to
// see them.
import { type Command, parse, type Word } from "unbash";

const MAX_WORDS = 64;
const MAX_LENGTH = 2_048;

/** None of a text that the parser cannot take in. */
export function literalCommands(source: string): readonly Command[] {
  try {
    return [...commandsIn(parse(source))].filter(isLiteral);
  } catch {
    return [];
  }
}

/** Without recursion, because the text may be nested as deeply as it likes. */
function* commandsIn(root: object): Generator<Command> {
  const pending: object[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isCommand(node)) yield node;
    for (const child of Object.values(node)) if (typeof child === "object" && child !== null) pending.push(child);
  }
}

const isCommand = (node: object): node is Command => "type" in node && node.type === "Command";

function isLiteral({ pos, end, name, args, redirects }: Command): boolean {
  if (end - pos > MAX_LENGTH || args.length > MAX_WORDS || (name === undefined && redirects.length === 0)) return false;
  return [name, ...args, ...redirects.map(targetOf)].every(
    (part) => part === undefined || part.type !== "Word" || isPlain(part),
  );
}

const targetOf = (redirect: Command["redirects"][number]): Word | undefined =>
  "target" in redirect ? redirect.target : undefined;

const PLAIN = new Set(["Literal", "SingleQuoted", "DoubleQuoted", "SimpleExpansion", "Glob"]);

const isPlain = ({ parts = [] }: Word): boolean => parts.every(({ type }) => PLAIN.has(type));
