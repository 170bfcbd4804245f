// JSON without a schema, because the flow's script carries no library: what a value is, text that may be JSON, and the
// canonical form of RFC 8785 (JCS), in which equal values have equal text and equal digests in any implementation.

export type JsonFields = Readonly<Record<string, unknown>>;
export type JsonTexts = Readonly<Record<string, string>>;

export const isRecord = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isTexts = (value: unknown): value is JsonTexts =>
  isRecord(value) && Object.values(value).every((text) => typeof text === "string");

/** Walks without recursion, so that no nesting can exhaust the stack. */
export function isDeeperThan(root: unknown, levels: number): boolean {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= levels) return true;
    for (const held of Object.values(value)) pending.push({ value: held, depth: depth + 1 });
  }
  return false;
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text that is not JSON stays text. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/**
 * `value` holds JSON values; a member that is undefined is left out. JSON.stringify already writes numbers and strings in
 * the canonical form, but orders keys that look like array indices by number. A lone surrogate, which RFC 8785 refuses, is
 * escaped.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let members = "";
  // The default order is that of UTF-16 code units, as RFC 8785 asks.
  for (const key of Object.keys(value).sort()) {
    const held: unknown = value[key as keyof typeof value];
    if (held === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(held)}`;
  }
  return `{${members}}`;
}
