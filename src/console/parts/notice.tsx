// A sentence in a frame, and a refusal of the server with what was wrong and what to do.
import type { ReactNode } from "react";
import type { CallProblem } from "../request.ts";
import { Shape } from "./status.tsx";
import type { Tone } from "./tone.ts";

type Props = { readonly tone: Tone; readonly children: ReactNode; readonly alert?: boolean };

export const Notice = ({ tone, children, alert = false }: Props) => (
  <div className="notice" data-tone={tone} {...(alert && { role: "alert" })}>
    <Shape tone={tone} />
    <div>{children}</div>
  </div>
);

export const ProblemNotice = ({ problem }: { readonly problem: CallProblem }) => (
  <Notice tone="bad" alert>
    <p>{problem.message}</p>
    {problem.fix !== null && <p>{problem.fix}</p>}
    {problem.issues.length > 0 && (
      <ul>
        {problem.issues.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== "" && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
    )}
  </Notice>
);
