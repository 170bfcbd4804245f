// How a stored procedure came about. The record keeps it as text, and the field `origin` on the wire is the same text.

export type SopOrigin =
  /** A taught task proved it. */
  | { readonly by: "task"; readonly task_id: string }
  /** It was taught, or imported, without a task. */
  | { readonly by: "teach" }
  /** A replacement: the task that requested it settles it. */
  | { readonly by: "update_sop"; readonly task_id: string };

const UPDATE = "update_sop ";

export function formatOrigin(origin: SopOrigin): string {
  switch (origin.by) {
    case "task":
      return origin.task_id;
    case "teach":
      return "teach";
    case "update_sop":
      return `${UPDATE}${origin.task_id}`;
  }
}

export function parseOrigin(text: string): SopOrigin {
  if (text === "teach") return { by: "teach" };
  return text.startsWith(UPDATE)
    ? { by: "update_sop", task_id: text.slice(UPDATE.length) }
    : { by: "task", task_id: text };
}
