// Distinguishes what JSON holds, without a schema: the flow's script carries no library.

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
