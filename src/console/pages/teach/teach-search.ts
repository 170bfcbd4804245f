// With what the page of teaching begins, as its address holds it: a task, a version, or a procedure by its key.
type TeachSearch = {
  readonly task_id?: string | undefined;
  readonly sop_id?: string | undefined;
  /** With `target`, the signature: the version in use of this key. */
  readonly intent?: string | undefined;
  readonly target?: string | undefined;
};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The empty target has the empty signature. */
export const readTeachSearch = ({ task_id, sop_id, intent, target }: Record<string, unknown>): TeachSearch => ({
  task_id: text(task_id),
  sop_id: text(sop_id),
  intent: text(intent),
  target: typeof target === "string" ? target : undefined,
});
