// Finds the first difference between two JSON values, so that a message can name the field.

/** The path of the first difference, for example `steps.0.value`. Empty if the values differ as a whole, null if equal. */
export function firstDifference(one: unknown, other: unknown): string | null {
  return pathOf(one, other)?.join(".") ?? null;
}

function pathOf(one: unknown, other: unknown): string[] | null {
  if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) {
    return one === other ? null : [];
  }
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const path = pathOf(left.get(key), right.get(key));
    if (path !== null) return [key, ...path];
  }
  return null;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
