// Checks that a skill starts no step again that had passed.
import type { Rule } from "../../engine/evidence/verify/rule.ts";

export const SKILL_RULE: Rule = () => ({
  entry: (event, { skill }) =>
    event.kind === "skill_step_started" && skill.steps[event.body.index]?.state === "passed"
      ? { rule: "once", fault: `journal entry ${event.seq} starts a step again that had passed.` }
      : null,
});
