// Whether every skill can be used (spec section 4, skill handlers): one that cannot stops the start of the server.
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
    return broken(error.message, "Correct it, or take its directory out of ORCH_CAPABILITIES.");
  }
}
