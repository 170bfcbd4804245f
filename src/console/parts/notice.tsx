// A sentence in a frame, and a refusal of the server with what was wrong and what to do.
import type { ReactNode } from "react";
import type { CallProblem } from "../request.ts";
import { GIVES_SCOPE, scopeIn } from "./scopes.ts";
import { Shape } from "./status.tsx";
import type { Tone } from "./tone.ts";

type Props = { readonly tone: Tone; readonly children: ReactNode; readonly alert?: boolean };

export const Notice = ({ tone, children, alert = false }: Props) => (
  <div className="notice" data-tone={tone} {...(alert && { role: "alert" })}>
    <Shape tone={tone} />
    <div>{children}</div>
  </div>
);

/** A message that only joins its issues is given as one of the two: the list where there are several. */
export function ProblemNotice({ problem: { message, fix, issues, needs_scope } }: { readonly problem: CallProblem }) {
  const repeats = issues.length > 0 && issues.every((issue) => message.includes(issue.message));
  const scope = scopeIn(needs_scope);
  return (
    <Notice tone="bad" alert>
      {(!repeats || issues.length === 1) && <p>{message}</p>}
      {fix !== null && <p>{fix}</p>}
      {scope !== undefined && <p>{GIVES_SCOPE[scope]}</p>}
      {issues.length > (repeats ? 1 : 0) && (
        <ul>
          {issues.map((issue) => (
            <li key={`${issue.path} ${issue.message}`}>
              {issue.path !== "" && <code>{issue.path}</code>} {issue.message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
