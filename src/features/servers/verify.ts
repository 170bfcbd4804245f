// Checks that a late result is one of a step that its server had started and whose outcome was not known (D-330).
import type { Rule } from "../../engine/evidence/verify/rule.ts";
import { takesLateResult } from "../../engine/tasks/progress.ts";

export const LATE_RESULT_RULE: Rule = () => ({
  entry: (event, before) =>
    event.kind !== "late_result" || takesLateResult(before, event.body)
      ? null
      : {
          // It is counted with the entries before what they have to follow.
          rule: "approval",
          fault: `journal entry ${event.seq} reports a late result of a step that its server had not started, or whose outcome was known.`,
        },
});
