// Shows what needs the right to approve when the session has it, and until then a field for the token that has it. The
// right is kept for ten minutes (D-338). The server says whether the session has it still, or has got it in another tab.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useSignal } from "../live/signal.ts";
import { type CallProblem, refreshSession, request } from "../request.ts";
import { type ConsoleSession, type SessionFacts, session, updateSession } from "../session.ts";
import { TokenField } from "./field.tsx";
import { MissingScope, ProblemNotice } from "./notice.tsx";

export function StepUp({ children }: { readonly children: ReactNode }) {
  const known = useSignal(session);
  useGrant(known);
  const may = known?.scopes.includes("approve") === true;
  if (!may && known?.can_step_up !== true) return <MissingScope scope="approve" what="A decision" />;
  return (
    <>
      {!may && <ApproverForm />}
      {/* Kept while it is not shown: a freeze whose target was forgotten would be a freeze of everything. */}
      <div hidden={!may}>{children}</div>
    </>
  );
}

/** Asks at once, and when the right ends. A clock that is wrong costs a question: the server decides. */
function useGrant(known: ConsoleSession | null): void {
  const until = known?.approve_until ?? null;
  const is_own = until === null && known?.scopes.includes("approve") === true;
  useEffect(() => {
    if (!is_own) void refreshSession();
  }, [is_own]);
  useEffect(() => {
    if (until === null) return;
    const timer = setTimeout(() => void refreshSession(), Math.max(0, Date.parse(until) - Date.now()) + AFTER_MS);
    return () => clearTimeout(timer);
  }, [until]);
}

const AFTER_MS = 500;

function ApproverForm() {
  const [token, setToken] = useState("");
  const { mutate, error, isPending } = useMutation<SessionFacts, CallProblem, string>({
    mutationFn: (value) => request<SessionFacts>("/console/step-up", { method: "POST", body: { token: value } }),
    onSuccess: updateSession,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(token);
  };
  return (
    <form className="stack" onSubmit={submit}>
      {error !== null && <ProblemNotice problem={error} />}
      <TokenField
        label="Approver token"
        hint="Decisions need it on this service. The session keeps the right for ten minutes, in all its tabs."
        value={token}
        onChange={setToken}
      />
      <div className="actions">
        <button type="submit" className="button primary" disabled={isPending}>
          Go on
        </button>
      </div>
    </form>
  );
}
