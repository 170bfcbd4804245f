// The file that gives targets their labels (ORCH_TARGET_LABELS), read once at start: a YAML list of rules, of which the first that
// matches a target counts (D-322). Every fault names the line, the field and what to write.
import { readFile } from "node:fs/promises";
import { isAlias, isNode, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { Labels, type TargetLabels } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { parseInput } from "../schema/parse-input.ts";

const VARIABLE = "ORCH_TARGET_LABELS";
const MAX_BYTES = 1024 * 1024;
const MAX_RULES = 1_000;

const EXAMPLE = "write a list such as: - { match: { host: nas }, labels: [host:nas] }";

const Value = z.string({ error: "must be a text; put a number, or a word such as yes, in quotation marks" }).max(1024);
const Name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "a target attribute has lower case letters, digits and underscores");

const Rule = z.strictObject({
  match: z.record(Name, Value).refine((match) => Object.keys(match).length <= 32, "must have at most 32 attributes"),
  labels: Labels,
});

const Rules = z
  .array(Rule, { error: `must be a list of rules; ${EXAMPLE}` })
  .max(MAX_RULES, `must have at most ${MAX_RULES} rules`);

/** None without a file. Rejects with `config_invalid`. */
export async function readTargetLabels(path: string | null): Promise<readonly TargetLabels[]> {
  if (path === null) return [];
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) =>
    refuse(
      [`${path} cannot be read (${error.code})`],
      "Correct the path, or let the account of orch read the file.",
      error,
    ),
  );
  if (Buffer.byteLength(text) > MAX_BYTES) return refuse([`${path} has more than ${MAX_BYTES} bytes`], "Shorten it.");
  return targetLabelsIn(text, path);
}

/** `name` is for messages. */
export function targetLabelsIn(text: string, name: string): readonly TargetLabels[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: "core", uniqueKeys: true, lineCounter: lines });
  const at = (offset: number | undefined): string =>
    `${name}, line ${offset === undefined ? 1 : lines.linePos(offset).line}`;
  const [fault] = document.errors;
  if (fault !== undefined) return refuse([`${at(fault.pos[0])}: ${fault.message.split("\n")[0]}`], "Correct the YAML.");
  let alias: number | undefined;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) alias ??= node.range?.[0];
    },
  });
  if (alias !== undefined) return refuse([`${at(alias)}: aliases are not read`], "Write the value out.");
  const parsed = parseInput(Rules, document.toJS() ?? []);
  if (parsed.ok) return parsed.value;
  const faults = parsed.issues.map(
    ({ path, message }) => `${at(offsetOf(document, path.split(".")))}: ${path || "the file"} ${message}`,
  );
  return refuse(faults, "Correct the file, and start orch again.");
}

/** Of the innermost part of the path that is there. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly string[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return node.range[0];
  }
  return undefined;
}

const MAX_FAULTS = 10;

function refuse(faults: readonly string[], fix: string, cause?: unknown): never {
  const more = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : [];
  const message = [`${VARIABLE} is not valid:`, ...faults.slice(0, MAX_FAULTS), ...more].join("\n  ");
  throw new OrchError("config_invalid", message, { fix, cause });
}
