// What a check has found, and what to do about it.
import { Printable } from "../../parts/code.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

export type FoundByCheck = Pick<OperationAnswer<"get_diagnosis">["checks"][number], "state" | "found" | "fix">;

export const LOOK_STATES: Readonly<Record<FoundByCheck["state"], readonly [word: string, tone: Tone]>> = {
  works: ["Works", "ok"],
  falls_back: ["Falls back", "ask"],
  broken: ["Broken", "bad"],
  off: ["Not used", "idle"],
};

export const Said = ({ found, fix }: Pick<FoundByCheck, "found" | "fix">) => (
  <div className="looked-text">
    {[...new Set(found.split("\n"))].map((line) => (
      <p key={line}>
        <Printable text={line} />
      </p>
    ))}
    {fix !== null && (
      <p className="muted">
        <Printable text={fix} />
      </p>
    )}
  </div>
);
