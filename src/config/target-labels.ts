// The file that gives targets their labels (ORCH_TARGET_LABELS), read once at start: a YAML list of rules, of which the first that
// matches a target counts (D-325). Every fault names the line, the field and what to write.
import { readFile } from "node:fs/promises";
import { isAlias, isNode, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { Labels, type TargetLabels } from "../domain/labels.ts";

const VARIABLE = "ORCH_TARGET_LABELS";
const MAX_BYTES = 1024 * 1024;
const MAX_RULES = 1_000;

const FORM = "write a list such as: - { match: { host: nas }, labels: [host:nas] }";

const Value = z.string({ error: 'must be a text; put a number or a word such as yes in quotation marks: "1"' }).max(1024);
const Name = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be the name of a target attribute, such as host");

const Rules = z
  .array(
    z.strictObject(
      {
        match: z
          .record(Name, Value, { error: "must name attributes of a target with their values; {} matches every target" })
          .refine((match) => Object.keys(match).length <= 32, "must have at most 32 attributes"),
        labels: Labels,
      },
      { error: ({ code }) => (code === "unrecognized_keys" ? undefined : `must have match and labels; ${FORM}`) },
    ),
    { error: `must be a list of rules; ${FORM}` },
  )
  .max(MAX_RULES, `must have at most ${MAX_RULES} rules`);

/** None without a file. Rejects with `config_invalid`. */
export async function readTargetLabels(path: string | null): Promise<readonly TargetLabels[]> {
  if (path === null) return [];
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) =>
    refuse([`${path} cannot be read (${error.code})`], "Correct the path, or let the account of orch read the file.", error),
  );
  if (Buffer.byteLength(text) > MAX_BYTES) return refuse([`${path} has more than ${MAX_BYTES} bytes`], "Shorten it.");
  return targetLabelsIn(text, path);
}

/** `name` is for messages. */
export function targetLabelsIn(text: string, name: string): readonly TargetLabels[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: "core", uniqueKeys: true, lineCounter: lines });
  const at = (offset: number | undefined): string => `${name}, line ${offset === undefined ? 1 : lines.linePos(offset).line}`;
  const [fault] = document.errors;
  if (fault !== undefined) return refuse([`${at(fault.pos[0])}: ${fault.message.split("\n")[0]}`], "Correct the YAML.");
  let alias: number | undefined;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) alias ??= node.range?.[0];
    },
  });
  if (alias !== undefined) return refuse([`${at(alias)}: aliases are not read`], "Write the value out.");
  const { data, error } = Rules.safeParse(document.toJS() ?? []);
  if (data !== undefined) return data;
  const faults = error.issues.map(({ path, message, ...issue }) => {
    const unknown = "keys" in issue ? issue.keys[0] : undefined;
    const field = [...path, ...(unknown === undefined ? [] : [unknown])];
    const said = unknown === undefined ? message : "is not a known field; a rule has match and labels";
    return `${at(offsetOf(document, field))}: ${field.map(String).join(".") || "the file"} ${said}`;
  });
  return refuse(faults, "Correct the file, and start orch again.");
}

/** Of the innermost part of the path that is there. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number | undefined {
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
