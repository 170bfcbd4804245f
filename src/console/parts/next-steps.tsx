// What to do next, best first, each with the place where it is done.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { NextAction } from "../../domain/next-action.ts";
import { Printable } from "./code.tsx";

type Props = {
  readonly next: readonly NextAction[];
  readonly task_id: string;
  readonly sop_id: string | null;
  readonly outcome: { readonly reason_code: string } | null;
};

export function NextSteps({ next, task_id, sop_id, outcome }: Props) {
  if (next.length === 0) return null;
  const about = { task_id, sop_id, reason_code: outcome?.reason_code ?? null };
  return (
    <section className="card card-body stack" aria-label="What to do next">
      <h2>What to do next</h2>
      <ul className="stack tight">
        {next.map((action) => {
          const place = nextPlace(action, about);
          return (
            <li key={`${action.operation} ${action.text}`}>
              <p>
                <Printable text={action.text} /> {place !== null && <Link {...place.link}>{place.word}</Link>}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

// Where in the console a next action is taken. The sentences are the server's; what only a supervisor can call, such as a submit,
// has no place here.

type About = { readonly task_id: string; readonly sop_id: string | null; readonly reason_code: string | null };

/** Its steps are at fault: what ran can be corrected and taught. */
const WRONG_STEPS: ReadonlySet<string | null> = new Set(["check_failed", "step_failed"]);

export type NextPlace = { readonly word: string; readonly link: LinkProps };

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Null where it is done on the page of the task itself, or elsewhere than here. */
export function nextPlace({ operation, arguments: given }: NextAction, about: About): NextPlace | null {
  const { task_id } = about;
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
      return procedurePlace(given, about);
    case "list_freezes":
      return { word: "See what is frozen", link: { to: "/servers" } };
    case "get_schedule":
      return { word: "See the schedule", link: { to: "/servers" } };
    default:
      return null;
  }
}

/** What is to be submitted so that a procedure comes of it can be taught here. */
function procedurePlace(given: NextAction["arguments"], { task_id, sop_id, reason_code }: About): NextPlace | null {
  if (given["intent"] === "update_sop")
    return { word: "Teach a new version", link: { to: "/teach", search: sop_id === null ? { task_id } : { sop_id } } };
  if (given["delegation_mode"] === "teach_if_unknown")
    return { word: "Teach a procedure for it", link: { to: "/teach", search: { task_id } } };
  if (WRONG_STEPS.has(reason_code)) return { word: "Correct what it ran", link: { to: "/teach", search: { task_id } } };
  return null;
}
