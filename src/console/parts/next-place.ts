// Where in the console a next action is taken. The sentences are the server's; what only a supervisor can call, such as a submit,
// has no place here.
import type { LinkProps } from "@tanstack/react-router";
import type { NextAction } from "../../domain/next-action.ts";

type About = { readonly task_id: string; readonly sop_id: string | null };

export type NextPlace = { readonly word: string; readonly link: LinkProps };

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Null where it is done on the page of the task itself, or elsewhere than here. */
export function nextPlace({ operation, arguments: given }: NextAction, { task_id, sop_id }: About): NextPlace | null {
  const approval_id = text(given["approval_id"]);
  switch (operation) {
    case "approve":
    case "list_approvals":
      if (approval_id === undefined) return { word: "See what waits", link: { to: "/" } };
      return { word: "Look at what would run", link: { to: "/approvals/$approval_id", params: { approval_id } } };
    case "teach":
      return { word: "Teach it", link: { to: "/teach", search: { task_id } } };
    case "propose_sop":
      return { word: "Make a procedure of it", link: { to: "/teach", search: { task_id } } };
    case "submit_task":
      return procedurePlace(given, { task_id, sop_id });
    case "list_freezes":
      return { word: "See what is frozen", link: { to: "/servers" } };
    case "get_schedule":
      return { word: "See the schedule", link: { to: "/servers" } };
    default:
      return null;
  }
}

/** What is to be submitted so that a procedure comes of it can be taught here. */
function procedurePlace(given: NextAction["arguments"], { task_id, sop_id }: About): NextPlace | null {
  if (given["intent"] === "update_sop")
    return { word: "Teach a new version", link: { to: "/teach", search: sop_id === null ? { task_id } : { sop_id } } };
  if (given["delegation_mode"] === "teach_if_unknown")
    return { word: "Teach a procedure for it", link: { to: "/teach", search: { task_id } } };
  return null;
}
