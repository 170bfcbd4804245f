// Shows a dialog, while it is rendered: it takes the focus, and Escape leaves everything as it is. Also asks a question
// before something happens.
import { Dialog as Radix } from "radix-ui";
import type { FormEvent, ReactNode } from "react";
import type { CallProblem } from "../request.ts";
import { StepUp } from "./needs-approver.tsx";
import { ProblemNotice } from "./notice.tsx";

export type DialogProps = {
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
