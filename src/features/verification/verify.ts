// Checks that what a bundle says of the check from outside is what the journal recorded.
import { firstDifference } from "../../engine/evidence/bundle.ts";
import { isNear, type Rule } from "../../engine/evidence/verify/rule.ts";

export const VERIFICATION_RULE: Rule = () => ({
  bundle: ({ verification }, { events }) => {
    const recorded = events.findLast(({ kind }) => kind === "verification_recorded");
    const { recorded_at, ...claimed } = verification ?? { recorded_at: null };
    const path = firstDifference(verification === null ? null : claimed, recorded?.body ?? null);
    if (path !== null)
      return [`${path === "" ? "verification" : `verification.${path}`} is not what the journal gives.`];
    if (recorded === undefined || recorded_at === null || isNear(recorded_at, recorded.at)) return [];
    return ["verification.recorded_at is not when the journal recorded it."];
  },
});
