// Checks whether every skill loads [4.skill.scan]. A broken skill prevents the start of the server.
import type { Config } from "../config/config.ts";
import { OrchError } from "../domain/errors.ts";
import { findSkills } from "../skills/find-skills.ts";
import { broken, type Diagnosis, works } from "./diagnosis.ts";

export async function examineSkills({ capabilities }: Config): Promise<Diagnosis> {
  try {
    const { intents } = await findSkills(capabilities);
    return works([...intents].join(", "));
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, "Correct it, or remove its directory from ORCH_CAPABILITIES.");
  }
}
