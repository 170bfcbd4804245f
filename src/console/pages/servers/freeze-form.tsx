// The fields of a freeze. Without an intent and a target it holds everything.
import { type FormEvent, useState } from "react";

type Props = {
  readonly busy: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onBack: () => void;
};

export function FreezeForm({ busy, onSubmit, onBack }: Props) {
  const [reason, setReason] = useState("");
  return (
    <form className="stack" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor="freeze-reason">Reason</label>
        <textarea
          id="freeze-reason"
          name="reason"
          className="input"
          required
          maxLength={1024}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <span className="hint">Every task that waits for it shows it.</span>
      </div>
      <div className="field">
        <label htmlFor="freeze-intent">Only this intent</label>
        <input id="freeze-intent" name="intent" className="input mono" autoComplete="off" placeholder="deploy" />
      </div>
      <div className="field">
        <label htmlFor="freeze-target">Only targets with</label>
        <input
          id="freeze-target"
          name="target"
          className="input mono"
          autoComplete="off"
          placeholder="service=web; environment=prod"
        />
        <span className="hint">Leave both empty to hold everything.</span>
      </div>
      <label className="tick">
        <input type="checkbox" name="except_diagnostics" defaultChecked /> Diagnostic tasks, which change nothing, start
        all the same
      </label>
      <label className="tick">
        <input type="checkbox" name="now" /> Also cancel what runs
      </label>
      <div className="actions">
        <button type="button" className="button" onClick={onBack}>
          Back
        </button>
        <button type="submit" className="button danger" disabled={busy || reason.trim() === ""}>
          Freeze
        </button>
      </div>
    </form>
  );
}
