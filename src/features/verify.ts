// Lists what the features check in a journal that is verified (src/engine/evidence/verify/walk.ts), in the order of what they find.
import type { Rule } from "../engine/evidence/verify/rule.ts";
import { AGENT_RULE } from "./agents/verify.ts";
import { APPROVALS_RULE } from "./approvals/verify.ts";
import { ANCHORS_RULE } from "./keeping/verify.ts";
import { TRIAL_RULE } from "./procedures/verify.ts";
import { LATE_RESULT_RULE } from "./servers/verify.ts";
import { SKILL_RULE } from "./skills/verify.ts";
import { VERIFICATION_RULE } from "./verification/verify.ts";

export const RULES: readonly Rule[] = [
  APPROVALS_RULE,
  LATE_RESULT_RULE,
  SKILL_RULE,
  TRIAL_RULE,
  AGENT_RULE,
  VERIFICATION_RULE,
  ANCHORS_RULE,
];
