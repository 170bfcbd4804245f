// What is known of a step at a glance: whether it changes something, and what its check is worth and answers.
import type { OperationAnswer } from "../typed-operations.ts";
import { Status, Tag } from "./status.tsx";
import { ANSWERS_NOW, CHANGES, type StepChange, seenToFail, worthOf } from "./words.ts";

type Check = OperationAnswer<"prove_sop">["proof"]["checks"][number];

export type CheckWorth = Pick<Check, "class" | "seen_red" | "reason" | "now">;

export function ChangeTag({ change }: { readonly change: StepChange | undefined }) {
  if (change === undefined) return null;
  const { word, tone } = CHANGES[change];
  return <Tag tone={tone}>{word}</Tag>;
}

export function WorthTag({ worth }: { readonly worth: Pick<CheckWorth, "class" | "seen_red"> }) {
  const { word, tone } = worthOf(worth.class);
  return (
    <span title={seenToFail(worth.seen_red)}>
      <Tag tone={tone}>{word}</Tag>
    </span>
  );
}

export function CheckNow({ worth: { now } }: { readonly worth: Pick<CheckWorth, "now"> }) {
  if (now === null) return null;
  const { word, tone } = ANSWERS_NOW[now];
  return <Status tone={tone}>{word}</Status>;
}
