// Reads the looks at checks in a flow's report (D-198). They are evidence that the task goes on without: what was not asked for,
// or is not a look, counts as not looked at.
import { z } from "zod";
import { BeforeLook } from "../../domain/proof.ts";
import type { Redact } from "../../redact/redact.ts";
import type { StepRange } from "./reported-steps.ts";

const MAX_REASON = 200;
const Looks = z.array(BeforeLook);

/** Null when there are none: a script of an older release reports nothing. */
export function reportedLooks(reported: unknown, range: StepRange, redact: Redact): BeforeLook[] | null {
  const { first_index, look_at = [] } = range;
  const asked = new Set(look_at);
  const looks = (Looks.safeParse(reported).data ?? []).flatMap((look): BeforeLook[] => {
    const step_index = first_index + look.step_index;
    // Each counts once: the first look is the one before the change.
    return asked.delete(step_index) ? [{ ...look, step_index, ...shown(look, redact) }] : [];
  });
  return looks.length === 0 ? null : looks;
}

/** A text that redaction changes could never be equal to the output of the run after. */
const shown = ({ reason, printed }: BeforeLook, redact: Redact): Pick<BeforeLook, "reason" | "printed"> => ({
  reason: reason === null ? null : redact(reason.replaceAll("\0", ""), { start: 0, end: MAX_REASON }),
  printed: printed === null || printed.includes("\0") || redact(printed) !== printed ? null : printed,
});
