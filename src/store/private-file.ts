// The mode of what orch stores: only its account may read it under any umask (D-217).
import { open } from "node:fs/promises";

/** Makes the file where there is none. Why a file cannot be opened or changed, the error of its next use says. */
export async function makePrivate(path: string): Promise<void> {
  const file = await open(path, "a", 0o600).catch(() => null);
  await file?.chmod(0o600).catch(() => undefined);
  await file?.close();
}
