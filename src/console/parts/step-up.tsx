// What needs the right to approve: shown when the session has it, and until then a field for the token that has it. The right is
// kept for ten minutes (D-338).
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useSignal } from "../live/signal.ts";
import { type CallProblem, request } from "../request.ts";
import { type ConsoleSession, session, updateSession } from "../session.ts";
import { TokenField } from "./field.tsx";
import { MissingScope } from "./missing-scope.tsx";
import { ProblemNotice } from "./notice.tsx";

type Granted = Omit<ConsoleSession, "key">;

export function StepUp({ children }: { readonly children: ReactNode }) {
  const known = useSignal(session);
  if (known?.scopes.includes("approve") === true) return children;
  if (known?.can_step_up !== true) return <MissingScope scope="approve" what="A decision" />;
  return <ApproverForm />;
}

function ApproverForm() {
  const [token, setToken] = useState("");
  const { mutate, error, isPending } = useMutation<Granted, CallProblem, string>({
    mutationFn: (value) => request<Granted>("/console/step-up", { method: "POST", body: { token: value } }),
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
        hint="Decisions need it on this service. This tab keeps the right for ten minutes."
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
