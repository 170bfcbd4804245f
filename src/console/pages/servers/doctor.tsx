// Whether the server that answers has all that it needs: the checks of orch doctor, what is wrong first.
import { useOperation } from "../../live/use-operation.ts";
import { Printable } from "../../parts/code.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Status } from "../../parts/status.tsx";
import { byteCount, count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-list-keys.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { LastBackup } from "./last-backup.tsx";
import { type FoundByCheck, LOOK_STATES, Said } from "./looked.tsx";
import { ServedTools } from "./served-tools.tsx";

type Diagnosis = OperationAnswer<"get_diagnosis">;
type Check = FoundByCheck & Pick<Diagnosis["checks"][number], "name">;

const DOCTOR = "orch doctor";

export function Doctor({ last_backup_at }: { readonly last_backup_at: string | null | undefined }) {
  const query = useOperation("get_diagnosis", {});
  return (
    <section className="stack" aria-labelledby="doctor">
      <div className="row">
        <h2 id="doctor">Is everything set up?</h2>
        <button
          type="button"
          className="button small push"
          disabled={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {query.isFetching ? "Looking …" : "Look again"}
        </button>
      </div>
      {last_backup_at !== undefined && <LastBackup at={last_backup_at} />}
      <Loaded query={query}>{(found) => <Found {...found} />}</Loaded>
    </section>
  );
}

function Found({ server, checked_at, checks, tool_servers, database }: Diagnosis) {
  const of = (...areas: readonly Diagnosis["checks"][number]["area"][]) =>
    checks.filter(({ area }) => areas.includes(area));
  return (
    <>
      <p className="muted">
        <Printable text={server} /> looked <Time at={checked_at} />. Its database
        {database.bytes === null ? " does not answer" : ` has ${byteCount(database.bytes)}`}. Another server may be set
        up otherwise: <code>{DOCTOR}</code> looks where it runs. <CopyButton text={DOCTOR} label="Copy" />
      </p>
      <Checks title="Models" checks={of("models")} whole />
      <ServedTools servers={tool_servers} />
      <Checks title="This server" checks={of("server", "commands")} />
    </>
  );
}

type ChecksProps = { readonly title: string; readonly checks: readonly Check[]; readonly whole?: boolean };

/** What works is folded away, unless all is to be seen. */
function Checks({ title, checks, whole = false }: ChecksProps) {
  const [wrong, fine] = [checks.filter(isWrong), checks.filter((check) => !isWrong(check))];
  const open = whole ? checks : wrong;
  return (
    <div className="card">
      <div className="card-head">
        <h3>{title}</h3>
      </div>
      {open.length > 0 && <CheckList title={title} checks={open} />}
      {!whole && fine.length > 0 && (
        <details className="card-body">
          <summary data-row="">{`${count(fine.length, "check")} ${wrong.length === 0 ? "and nothing wrong" : "without a fault"}`}</summary>
          <CheckList title={`${title}, without a fault`} checks={fine} />
        </details>
      )}
    </div>
  );
}

const isWrong = ({ state }: Check): boolean => state === "broken" || state === "falls_back";

const CheckList = ({ title, checks }: { readonly title: string; readonly checks: readonly Check[] }) => (
  <ul className="plain-list" aria-label={title}>
    {checks.map(({ name, state, found, fix }) => (
      <li key={name} className="looked" {...ROW}>
        <strong>{name}</strong>
        <Status tone={LOOK_STATES[state][1]}>{LOOK_STATES[state][0]}</Status>
        <Said found={found} fix={fix} />
      </li>
    ))}
  </ul>
);
