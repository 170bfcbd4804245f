// Why it is asked at all: what policy found, each reason once.
import { Printable } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import { reasonsOf, stepsText } from "./reasons.ts";
import type { Shown } from "./shown.ts";

export function WhyAsked({ shown: { approval, steps } }: { readonly shown: Shown }) {
  const reasons = reasonsOf(steps);
  if (reasons.length === 0)
    return (
      <p className="muted">
        <Printable text={approval.reason} />
      </p>
    );
  return (
    <ul className="stack tight">
      {reasons.map(({ code, verdict, reason, steps: numbers }) => (
        <li key={`${code} ${reason}`}>
          <Notice tone={verdict === "block" ? "stop" : "ask"}>
            <p className="sentence">
              <Printable text={reason} />
            </p>
            <p className="small muted">
              <code>{code}</code> ·{" "}
              {numbers.length === steps.length && numbers.length > 1 ? "all steps" : stepsText(numbers)}
            </p>
          </Notice>
        </li>
      ))}
    </ul>
  );
}
