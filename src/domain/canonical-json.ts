// JSON in the canonical form of RFC 8785 (JCS), so that equal values have equal text and equal digests, here and in any
// other implementation.

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
