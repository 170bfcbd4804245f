// What to do next, best first, each with the place where it is done.
import { Link } from "@tanstack/react-router";
import type { NextAction } from "../../domain/next-action.ts";
import { Printable } from "./code.tsx";
import { nextPlace } from "./next-place.ts";

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
