// The keys of the console.
import { Dialog } from "../parts/dialog.tsx";

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["g", "i"], "Inbox"],
  [["g", "t"], "Tasks"],
  [["g", "s"], "Procedures"],
  [["g", "n"], "Teach a new procedure"],
  [["g", "p"], "Pipeline"],
  [["g", "c"], "Scorecard"],
  [["g", "v"], "Servers"],
  [["j"], "Next row of the lists on a page"],
  [["k"], "The row before"],
  [["Enter"], "Open the row"],
  [["/"], "Filter, where a list has a filter"],
  [["f"], "The first step of a task that failed"],
  [["a"], "Approve what is open, after a question"],
  [["r"], "Reject what is open, with a reason"],
  [["?"], "These keys"],
];

export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog onClose={onClose} title="Keys" description="Everything in the console can be reached by keys.">
    <dl className="keys">
      {KEYS.map(([keys, what]) => (
        <div key={what} style={{ display: "contents" }}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <div className="actions">
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);
