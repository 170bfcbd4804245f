// What only the machine itself can say: the doctor runs there, and has no operation.
import { CopyButton } from "../../parts/copy-button.tsx";

const DOCTOR = "orch doctor";

export const Doctor = () => (
  <section className="stack" aria-labelledby="doctor">
    <h2 id="doctor">Is everything set up?</h2>
    <div className="card card-body stack">
      <p className="muted">
        The doctor looks at the settings, the database, the models, the tool servers, the flow engine and the skills,
        and says of each fault how to mend it. It runs where a server runs:
      </p>
      <p className="row">
        <code className="command">{DOCTOR}</code>
        <CopyButton text={DOCTOR} label="Copy" />
      </p>
    </div>
  </section>
);
