// What JSON holds, told apart without a schema: the script of the flow carries no library with it.

export type Fields = Readonly<Record<string, unknown>>;
export type Texts = Readonly<Record<string, string>>;

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !isList(value);

export const isTexts = (value: unknown): value is Texts =>
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

/** Undefined: it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
