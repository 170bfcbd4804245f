// A plan that is carried out while a user does something at a chosen moment: before a call, or before a request that a tool makes
// for it. The client and the transport are left out, so that every moment can be counted.
import { handleOrder } from "../../../capabilities/notes/handle-order.ts";
import type { NotesServer } from "../../../capabilities/notes/notes-server.ts";
import { createChildrenListServer } from "../../../capabilities/notes/servers/children-list.ts";
import { createOrganizerServer } from "../../../capabilities/notes/servers/organizer.ts";
import type { CallTool } from "../../../capabilities/notes/servers/read-reply.ts";
import { createSubtreeServer } from "../../../capabilities/notes/servers/subtree.ts";
import type { Json } from "../../../src/domain/json.ts";
import { createMutex } from "../../../src/domain/mutex.ts";
import type { SkillEnd } from "../../../src/domain/skill.ts";
import type { ToolAnswer } from "../../../src/domain/tool.ts";
import { gitProfile } from "../../simulators/notes/git-tools.ts";
import { nativeProfile } from "../../simulators/notes/native-tools.ts";
import type { NotesModel } from "../../simulators/notes/notes-model.ts";
import { npmProfile } from "../../simulators/notes/npm-tools.ts";
import { allOff } from "../../simulators/notes/switches.ts";
import type { Profile, Reply } from "../../simulators/notes/tool.ts";
import { createToolCalls, NOTHING } from "../../simulators/notes/tool-calls.ts";
import { createRuns } from "./skill-runs.ts";

export type Kind = { readonly profile: Profile; readonly create: (call: CallTool) => NotesServer };

export const KINDS = {
  subtree: { profile: nativeProfile, create: createSubtreeServer },
  organizer: { profile: gitProfile, create: createOrganizerServer },
  children_list: { profile: npmProfile, create: createChildrenListServer },
} as const satisfies Record<string, Kind>;

const answerOf = (reply: Reply | typeof NOTHING): ToolAnswer => {
  if (reply === NOTHING) return { ok: false, stderr: "cut", executed: "unknown", timed_out: false };
  if (reply.is === "rpc_error") return { ok: false, stderr: reply.message, executed: true, timed_out: false };
  const [stderr = ""] = reply.texts;
  if (reply.is_error) return { ok: false, stderr, executed: true, timed_out: false };
  return { ok: true, stdout: JSON.stringify({ content: reply.texts.map((text) => ({ type: "text", text })) }) };
};

/** `atMoment` is given the number of the moment, from the approval on. */
export async function playedPlan(
  { profile, create }: Kind,
  model: NotesModel,
  move_plan: Json,
  atMoment: (moment: number) => void,
): Promise<SkillEnd> {
  let moment: number | null = null;
  const meanwhile = () => {
    if (moment !== null) atMoment(moment++);
  };
  const calls = createToolCalls(profile, model, { ...allOff(), meanwhile });
  const server = create(async (tool, args) => answerOf(await calls.call({ tool, args })));
  const runs = createRuns({ operation: "apply_note_moves", dry_run: false, move_plan });
  const work = { notes: async () => server, patience: [0, 0], mutex: createMutex() };
  const run = () => runs.run((ctx) => handleOrder({ ctx, ...work }, runs.contract));
  const first = await run();
  if (!("is" in first)) return first;
  moment = 0;
  runs.decide("approved");
  const end = await run();
  if ("is" in end) throw new Error("it asks a second time");
  return end;
}
