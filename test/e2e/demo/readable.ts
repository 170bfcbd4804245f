// A JSON value as YAML, with only the fields that matter. Fields are left out; none is altered.
import { Document, isCollection, visit } from "yaml";

/** The fields named by paths such as `outcome.message`. `*` matches every element of an array. */
export function only(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes("") || typeof value !== "object" || value === null) return value;
  const under = Map.groupBy(paths, headOf);
  const chosen = (part: unknown, head: string) => only(part, (under.get(head) ?? []).map(tailOf));
  if (Array.isArray(value)) return value.map((element) => chosen(element, "*"));
  const fields = new Map(Object.entries(value));
  return new Map(
    [...under.keys()].filter((head) => fields.has(head)).map((head) => [head, chosen(fields.get(head), head)]),
  );
}

/** The paths of the fields of an object: `within("task", ["status"])` is `["task.status"]`. */
export const within = (place: string, fields: readonly string[]): string[] =>
  fields.map((field) => `${place}.${field}`);

const headOf = (path: string): string => path.split(".", 1)[0] ?? "";
const tailOf = (path: string): string => path.slice(headOf(path).length + 1);

/** A collection that fits on a line is written on one line. */
export function readable(value: unknown, width: number): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (key, node, path) => {
      const room = width - 2 * path.length - String(key).length;
      if (path.length > 1 && isCollection(node)) node.flow = JSON.stringify(node).length <= room;
    },
  });
  return document.toString({ lineWidth: width - 8, blockQuote: "literal" }).trimEnd();
}
