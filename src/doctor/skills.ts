// Says which skills can be used, and which intents are blocked because one cannot (D-271).
import { OrchError } from "../domain/errors.ts";
import type { Skills } from "../skill-process/find-skills.ts";
import { broken, type Diagnosis, works } from "./diagnosis.ts";

/** `find` rejects with an OrchError for a directory that is not one of skills. */
export async function examineSkills(find: () => Promise<Pick<Skills, "intents" | "unusable">>): Promise<Diagnosis> {
  try {
    const { intents, unusable } = await find();
    const isBlocked = (intent: string) => unusable.some((skill) => skill.intents.includes(intent));
    const usable = [...intents].filter((intent) => !isBlocked(intent)).join(", ");
    if (unusable.length === 0) return works(usable);
    const faults = unusable.map(({ fault, intents }) => `${fault}. Blocked: ${intents.join(", ")}.`);
    return broken(
      [...faults, `Usable: ${usable}.`].join("\n"),
      "Correct what orch skill check DIRECTORY names, then start orch again.",
    );
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, "Correct it, or remove its directory from ORCH_CAPABILITIES.");
  }
}
