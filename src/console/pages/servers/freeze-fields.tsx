// The fields of a freeze. Without an intent and a target it holds everything.
import { Field, TextArea } from "../../parts/field.tsx";

type Props = { readonly reason: string; readonly onReason: (reason: string) => void };

export const FreezeFields = ({ reason, onReason }: Props) => (
  <>
    <TextArea
      label="Reason"
      hint="Every task that waits for it shows it."
      required
      most={1_024}
      value={reason}
      onChange={onReason}
    />
    <Field label="Only this intent">
      {(id) => <input id={id} name="intent" className="input mono" autoComplete="off" placeholder="deploy" />}
    </Field>
    <Field label="Only targets with" hint="Leave both empty to hold everything.">
      {(id) => (
        <input
          id={id}
          name="target"
          className="input mono"
          autoComplete="off"
          placeholder="service=web; environment=prod"
        />
      )}
    </Field>
    <label className="tick">
      <input type="checkbox" name="except_diagnostics" defaultChecked /> Diagnostic tasks, which change nothing, start
      all the same
    </label>
    <label className="tick">
      <input type="checkbox" name="now" /> Also cancel what runs
    </label>
  </>
);
