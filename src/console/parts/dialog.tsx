// Shows a dialog, while it is rendered: it takes the focus, and Escape leaves everything as it is. Also asks a question
// before something happens.

import { useMutation } from "@tanstack/react-query";
import { Dialog as Radix } from "radix-ui";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useSignal } from "../live/signal.ts";
import { type CallProblem, refreshSession, request } from "../request.ts";
import { type ConsoleSession, type SessionFacts, session, updateSession } from "../session.ts";
import { TokenField } from "./field.tsx";
import { MissingScope, ProblemNotice } from "./notice.tsx";

type DialogProps = {
  readonly onClose: () => void;
  readonly title: string;
  readonly description: string;
  readonly children?: ReactNode;
};

export const Dialog = ({ onClose, title, description, children }: DialogProps) => (
  <Radix.Root open onOpenChange={(opened) => opened || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="overlay" />
      <Radix.Content className="dialog">
        <Radix.Title asChild>
          <h2>{title}</h2>
        </Radix.Title>
        <Radix.Description className="muted">{description}</Radix.Description>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

// A question before something happens: what is asked for, why it was refused, the way back, and the buttons that do it.

type DialogAction = {
  readonly label: string;
  readonly look: "primary" | "danger";
  /** Gets the fields that have a name. */
  readonly run: (fields: FormData) => void;
  readonly disabled?: boolean;
  readonly hint?: string | undefined;
};

type Props = DialogProps & {
  readonly actions: readonly DialogAction[];
  readonly back?: string;
  readonly problem: CallProblem | null;
  readonly busy: boolean;
  /** It needs the right to approve. */
  readonly decides?: boolean;
};

export function ActionDialog({ actions, back = "Back", problem, busy, decides = false, children, ...dialog }: Props) {
  const [only] = actions.length === 1 ? actions : [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // With several actions, Enter in a field is none of them.
    only?.run(new FormData(event.currentTarget));
  };
  const form = (
    <form className="stack" onSubmit={submit}>
      {children}
      <div className="actions">
        <button type="button" className="button" onClick={dialog.onClose}>
          {back}
        </button>
        {actions.map(({ label, look, run, disabled = false, hint }) => (
          <button
            key={label}
            type={only === undefined ? "button" : "submit"}
            className={`button ${look}`}
            disabled={disabled || busy}
            title={hint}
            {...(only === undefined && {
              onClick: ({ currentTarget: { form: own } }) => run(new FormData(own ?? undefined)),
            })}
          >
            {label}
          </button>
        ))}
      </div>
    </form>
  );
  return (
    <Dialog {...dialog}>
      {problem !== null && <ProblemNotice problem={problem} />}
      {decides ? <StepUp>{form}</StepUp> : form}
    </Dialog>
  );
}

// Shows what needs the right to approve when the session has it, and until then a field for the token that has it. The
// right is kept for ten minutes (D-338). The server says whether the session has it still, or has got it in another tab.

function StepUp({ children }: { readonly children: ReactNode }) {
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
