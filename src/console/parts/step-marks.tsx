// What is known of a step at a glance: its kind, whether it changes something, and what its check is worth.
import type { OperationAnswer } from "../typed-operations.ts";
import { Status, Tag } from "./status.tsx";
import type { Tone } from "./tone.ts";

type Sop = OperationAnswer<"get_sop">["sop"];
type Check = OperationAnswer<"prove_sop">["proof"]["checks"][number];

export type CheckWorth = Pick<Check, "class" | "seen_red" | "reason" | "now">;

export const KIND_WORDS: Readonly<Record<Sop["steps"][number]["kind"], string>> = {
  cmd: "Command",
  check: "Check",
  wait: "Wait",
  mcp_call: "Tool call",
};

type Change = OperationAnswer<"explain">["steps"][number]["change"];

const CHANGES: Readonly<Record<NonNullable<Change>, readonly [word: string, tone: Tone]>> = {
  looks: ["Only looks", "idle"],
  changes: ["Changes something", "ask"],
  cannot_tell: ["Cannot tell what it changes", "stop"],
};

export function ChangeTag({ change }: { readonly change: Change }) {
  if (change === undefined) return null;
  const [word, tone] = CHANGES[change];
  return <Tag tone={tone}>{word}</Tag>;
}

const CLASSES: Readonly<Record<NonNullable<Check["class"]>, readonly [word: string, tone: Tone]>> = {
  proved: ["Proved: was seen to fail", "ok"],
  sensitive: ["Can fail", "idle"],
  unproved: ["Cannot be seen to fail", "bad"],
  cannot_tell: ["Worth not known", "idle"],
  not_possible: ["Cannot be tried away from the target", "idle"],
};

export function WorthTag({ worth }: { readonly worth: Pick<CheckWorth, "class" | "seen_red"> }) {
  if (worth.class === null) return null;
  const [word, tone] = CLASSES[worth.class];
  const where = worth.seen_red.map((place) => SEEN[place]).join(", ");
  return (
    <span title={where === "" ? "It has not been seen to fail." : `It has been seen to fail ${where}.`}>
      <Tag tone={tone}>{word}</Tag>
    </span>
  );
}

const SEEN: Readonly<Record<Check["seen_red"][number], string>> = {
  before: "on the target before a change",
  history: "in an earlier run",
  decoy: "for a target that does not exist",
  control: "on an empty machine",
};

export function CheckNow({ worth: { now } }: { readonly worth: Pick<CheckWorth, "now"> }) {
  if (now === null) return null;
  if (now === "green") return <Status tone="ok">Holds now</Status>;
  if (now === "red") return <Status tone="bad">Does not hold now</Status>;
  return <Status tone="idle">Not known now</Status>;
}
