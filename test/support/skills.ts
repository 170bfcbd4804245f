// Skills in a directory of their own, as a user adds one: nothing else is touched.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const APPROVAL = join(import.meta.dirname, "../../src/features/skills/api.ts");

/** `handler` is the source of a handler.ts that may use `requestApproval`, `waitForApproval` and `notApproved`. */
export const withApproval = (handler: string): string =>
  `import { notApproved, requestApproval, waitForApproval } from ${JSON.stringify(APPROVAL)};\n${handler}`;

/** Sources by the name of the skill: those of its handler.ts, and of its tools.ts if it has one. */
export async function skillsDirectory(
  sources: Readonly<Record<string, string>>,
  tools: Readonly<Record<string, string>> = {},
) {
  const path = await mkdtemp(join(tmpdir(), "orch-skills-"));
  for (const [name, source] of Object.entries(sources)) {
    await mkdir(join(path, name));
    await writeFile(join(path, name, "handler.ts"), source);
  }
  for (const [name, source] of Object.entries(tools)) await writeFile(join(path, name, "tools.ts"), source);
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
