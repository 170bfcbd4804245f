// orch scorecard: whether the targets of the service are met. Exit code 1 when one is missed, for cron and CI.
import { z } from "zod";
import { getScorecard, rebuildScorecard } from "../../operations/shapes/scorecard.ts";
import { type CommandContext, command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { type Result, success } from "../failure.ts";
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
  const rebuilt = rebuild ? await rebuildAll(context) : success(0);
  if (!rebuilt.ok) return fail(context, rebuilt.failure);
  const result = await call(getScorecard, query);
  if (!result.ok) return fail(context, result.failure);
  const { targets, behind } = result.value;
  out.answer(result.value, () => scorecardLines(result.value, query.by ?? "week", out));
  if (behind > 0) out.note(`${behind} events are not counted yet; ask again.`);
  return targets.some(({ state }) => state === "missed") ? EXIT.not_ok : EXIT.done;
});

/** Resolves once every journal is counted. */
async function rebuildAll({ call }: Pick<CommandContext, "call">): Promise<Result<number>> {
  const result = await call(rebuildScorecard, {});
  if (!result.ok) return result;
  let { behind } = result.value;
  while (behind > 0) {
    const looked = await call(getScorecard, { weeks: "1" });
    if (!looked.ok) return looked;
    behind = looked.value.behind;
  }
  return success(behind);
}
