// capabilities/lamps/handler.ts

import { notApproved, requestApproval, waitForApproval } from "orch/approval";
import type { TaskContract } from "orch/domain/contract";
import type { SkillEnd } from "orch/domain/skill";
import type { SkillContext } from "orch/ports";
import { z } from "zod";

export const HANDLED_INTENTS = ["switch_off"];

const isOnce = (names: readonly string[]) => new Set(names).size === names.length;
const Lamps = z.array(z.string()).min(1, "must name a lamp").refine(isOnce, "must name each lamp once");
const Payload = z.object({ lamps: Lamps });

export async function handle(ctx: SkillContext, task: TaskContract): Promise<SkillEnd> {
  const { success, data, error } = Payload.safeParse(task.payload);
  if (!success) {
    const wrong = error.issues.map(({ path, message }) => `${["payload", ...path].join(".")}: ${message}`);
    // A message has at most 4,096 characters.
    return { status: "blocked", code: "payload_invalid", message: wrong.slice(0, 10).join("; ") };
  }
  const details = data.lamps.map((lamp) => `switch off ${lamp}`);
  const approval_id = await requestApproval(ctx, { action: "Switch lamps off", details, data });
  const decided = await waitForApproval(ctx, approval_id);
  if (decided.status !== "approved") return notApproved(decided);
  for (const lamp of data.lamps) {
    const off = () => ctx.call("lamps", "switch", { lamp, on: false });
    // The third argument is for a server that was killed in the step: off twice is off.
    const answer = await ctx.step(`switch off ${lamp}`, off, off);
    if (!answer.ok) return { status: "failed", code: "still_on", message: `${lamp} is not off: ${answer.stderr}` };
  }
  return { status: "ok", code: "switched_off", message: `${data.lamps.length} lamps are off.` };
}
