// orch anchors: the roots of the days, as lines for a file outside of this machine.
import { z } from "zod";
import { rootLines } from "../../domain/anchor.ts";
import { listAnchors } from "../../operations/shapes/journal.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";

export const anchors = command(z.object({}), async (context) => {
  const found = await context.call(listAnchors, {});
  if (!found.ok) return fail(context, found.failure);
  const { anchors: days, restores } = found.value;
  const none = days.length === 0 ? ["# No day is anchored yet."] : [];
  context.out.answer(found.value, () => [...rootLines(days, restores), ...none]);
  return EXIT.done;
});
