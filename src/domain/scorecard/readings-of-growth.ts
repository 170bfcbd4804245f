// R5 and R6: how often the same had to be taught, and how good the routing model's answers were (D-289).
import { sum } from "./counts.ts";
import type { KeyedTally } from "./kept-scores.ts";
import type { TargetReading } from "./reading.ts";
import { percent, quotient, ratioTarget } from "./target.ts";
import { worstOf } from "./worst.ts";

type Shown = { readonly shown: readonly KeyedTally[] };

const ONCE = 0.8;
const USABLE = 0.9;

export function teachingReading({ shown }: Shown): TargetReading {
  const keys = taughtByKey(shown);
  const taught = keys.reduce((total, key) => total + key.taught, 0);
  return {
    ...ratioTarget(keys.length, taught, ONCE),
    message: `${taught} teachings of ${keys.length} procedures; ${taught - keys.length} taught again.`,
    worst: worstOf(
      shown.filter((tally) => keys.some((key) => key.taught > 1 && key.name === keyOf(tally))),
      { cost: (tally) => tally.taught, operation: () => "approve", about: keyOf },
    ),
  };
}

const keyOf = ({ intent, target_signature }: KeyedTally): string => `${intent}|${target_signature}`;

function taughtByKey(shown: readonly KeyedTally[]) {
  const taught = Map.groupBy(
    shown.filter((tally) => tally.taught > 0),
    keyOf,
  );
  return [...taught].map(([name, tallies]) => ({ name, taught: sum(tallies).taught }));
}

export function gateReading({ shown }: Shown): TargetReading {
  const total = sum(shown);
  const asked = total.gate_errors + total.gate_approvals;
  const fallbacks = total.gate_error_fallbacks + total.gate_approval_fallbacks;
  const decided = total.gate_right + total.gate_wrong;
  return {
    ...ratioTarget(Math.max(0, asked - fallbacks - total.gate_wrong), asked, USABLE),
    message: `${asked} questions, ${fallbacks} fallbacks; ${total.gate_right} of ${decided} retries that it granted passed (${percent(quotient(total.gate_right, decided))}); a human rejected ${total.gate_useful} of ${total.gate_asked} that it asked about. Whether "no approval" was right, no journal knows: orch eval routing measures it.`,
    worst: worstOf(shown, {
      cost: ({ gate_wrong, gate_error_fallbacks, gate_approval_fallbacks }) =>
        gate_wrong + gate_error_fallbacks + gate_approval_fallbacks,
      operation: () => "get_evidence",
    }),
  };
}
