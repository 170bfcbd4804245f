// Shows a sentence in a frame: a refusal of the server with what was wrong and what to do, what a token may not do, a page
// that failed, and records that cannot be read.
import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSignal } from "../live/signal.ts";
import type { OperationAnswer } from "../operations.ts";
import { type CallProblem, logOut } from "../request.ts";
import { session } from "../session.ts";
import { InlineCode } from "./code.tsx";
import { Shape, type Tone } from "./status.tsx";
import { count } from "./text.ts";

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

// What the token of the session may not do: which scope it lacks, and which token has it.

type MissingScopeProps = { readonly scope: SessionScope; readonly what: string };

export const MissingScope = ({ scope, what }: MissingScopeProps) => (
  <Notice tone="stop">
    <p>
      {what} needs the scope <code>{scope}</code>, which the token of this session does not have.
    </p>
    <p>
      {GIVES_SCOPE[scope]}{" "}
      <button type="button" className="link-button" onClick={() => void logOut()}>
        Log out, and log in with it
      </button>
    </p>
  </Notice>
);

// What a token may do, and which token has what: the supervisor's has everything but decisions where an approver's token is set.

const SCOPES = ["read", "submit", "teach", "approve"] as const;
export type SessionScope = (typeof SCOPES)[number];

export const scopeIn = (text: string | null): SessionScope | undefined => SCOPES.find((scope) => scope === text);

const GIVES_SCOPE: Readonly<Record<SessionScope, string>> = {
  read: "The token of the service has it.",
  submit: "The token of the service has it; the approver's token has not.",
  teach: "The token of the service has it; the approver's token has not.",
  approve: "The approver's token has it, which ORCH_APPROVER_TOKEN sets; without one the token of the service has.",
};

export const useMay = (scope: SessionScope): boolean => useSignal(session)?.scopes.includes(scope) === true;

// A page that failed by a fault of its own, or whose script is gone because the server has a newer version.

export const PageFault = ({ error }: ErrorComponentProps) => (
  <div className="page stack">
    <Notice tone="bad" alert>
      <p>This page cannot be shown. If orch was upgraded, load it anew.</p>
      <p className="mono">{error instanceof Error ? error.message : String(error)}</p>
    </Notice>
    <div>
      <button type="button" className="button" onClick={() => location.reload()}>
        Load anew
      </button>
    </div>
  </div>
);

// Records that cannot be read and are not run: an operator has to mend them.

export function Unreadable({ records }: { readonly records: OperationAnswer<"list_inbox">["quarantined"] }) {
  if (records.length === 0) return null;
  return (
    <Notice tone="bad">
      <p>
        {count(records.length, "record")} cannot be read, and what they are about does not run. <code>orch doctor</code>{" "}
        says how to mend them.
      </p>
      <ul>
        {records.map((record) => (
          <li key={JSON.stringify(record)}>
            <InlineCode text={Object.values(record).join(" ")} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
