// Asks the running server what lets nothing start: open freezes, and a window by calendar.
import { z } from "zod";
import type { Env } from "../../config/config.ts";
import { findConnection } from "../../config/connection.ts";
import { broken, type Diagnosis, fallsBack, getJson, off, works } from "../../doctor/examination.ts";
import { HeldBy, heldText } from "../../domain/hold.ts";

const Listed = z.object({ in_force: z.array(HeldBy) });

export async function examineFreezes(environment: Env, server: Promise<Diagnosis>): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return off("not looked for: no server answers");
  const { url, token } = await findConnection(environment);
  const answer = await getJson(`${url}/v1/freezes?limit=1`, { authorization: `Bearer ${token.value ?? ""}` });
  const listed = "fault" in answer ? undefined : Listed.safeParse(answer.body).data;
  if (listed === undefined) return broken("the server does not say what is frozen", "Read the log of orch.");
  const { in_force } = listed;
  if (in_force.length === 0) return works("nothing is frozen");
  return fallsBack(
    in_force.map((held_by) => `tasks are ${heldText(held_by)}`).join("\n"),
    in_force.some(({ freeze_id }) => freeze_id !== null)
      ? "Where that is over: orch thaw ID."
      : "Wait until it ends, or change ORCH_FREEZE_WINDOWS and start orch again.",
  );
}
