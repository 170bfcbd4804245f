// What this browser has kept. A text that is no JSON is of nothing that this version has written, and is forgotten.
export function kept(storage: Storage, name: string): unknown {
  const text = storage.getItem(name);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    storage.removeItem(name);
    return null;
  }
}
