// What a reconcile command said of a step, as text, for `orch task --follow`.
import { type Reconciliation, reconciledInWords } from "../domain/reconcile.ts";
import type { EventText } from "./event-text.ts";

const THEN = { succeeded: "the step counts as done", retry: "the step runs again" } as const;

export function stepReconciled(body: Reconciliation): EventText {
  const { index, attempt, settles } = body;
  const then = settles === null ? "a human is asked" : THEN[settles];
  return {
    about: `step ${index}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
    text: `${reconciledInWords(body)} ${then[0]?.toUpperCase()}${then.slice(1)}.`,
  };
}
