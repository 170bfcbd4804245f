// orch scorecard: whether the targets of the service are met. Exit code 1 when one is missed, for cron and CI.
import { z } from "zod";
import { getScorecard, rebuildScorecard } from "../../operations/shapes/scorecard.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { scorecardLines } from "../show-scorecard.ts";

const Given = z.object({
  by: z.string().optional(),
  weeks: z.string().optional(),
  group: z.string().optional(),
  intent: z.string().optional(),
  rebuild: z.boolean().default(false),
});

export const scorecard = command(Given, async (context, { rebuild, ...query }) => {
  const { call, out } = context;
  if (rebuild) await rebuildAll(context);
  const result = await call(getScorecard, query);
  const { targets, behind } = result;
  out.answer(result, () => scorecardLines(result, query.by ?? "week", out));
  if (behind > 0) out.note(`${behind} events are not counted yet; ask again.`);
  return targets.some(({ state }) => state === "missed") ? EXIT.not_ok : EXIT.done;
});

/** Resolves once every journal is counted. */
async function rebuildAll({ call }: Pick<CommandContext, "call">): Promise<void> {
  const result = await call(rebuildScorecard, {});
  let { behind } = result;
  while (behind > 0) {
    const looked = await call(getScorecard, { weeks: "1" });
    behind = looked.behind;
  }
}
