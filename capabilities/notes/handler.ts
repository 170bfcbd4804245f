// The handler of the notes skill: dispatches on payload.operation [2.intent.reorganize_notes_tree].
import type { TaskContract } from "../../src/domain/contract.ts";
import type { SkillEnd } from "../../src/domain/skill.ts";
import type { SkillContext } from "../../src/ports.ts";
import { createNotesServer } from "./find-toolset.ts";
import { handleOrder } from "./handle-order.ts";
import { changesOf, OUTAGE, opened, PATIENCE } from "./work.ts";

export const HANDLED_INTENTS = ["reorganize_notes_tree"];

export const handle = (ctx: SkillContext, task: TaskContract): Promise<SkillEnd> =>
  handleOrder(
    {
      ctx,
      notes: opened(() => createNotesServer(ctx)),
      patience: PATIENCE,
      outage: OUTAGE,
      mutex: changesOf(ctx),
    },
    task,
  );
