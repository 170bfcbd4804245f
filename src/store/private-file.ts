// The mode of what orch stores: only its account may read it, whatever the umask is (D-217).
import { open } from "node:fs/promises";

/** Makes the file where there is none. What is wrong with a file that cannot be opened or changed, its user says. */
export async function makePrivate(path: string): Promise<void> {
  const file = await open(path, "a", 0o600).catch(() => null);
  await file?.chmod(0o600).catch(() => undefined);
  await file?.close();
}
