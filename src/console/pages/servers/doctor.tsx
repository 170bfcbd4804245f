// Whether the server that answers has all that it needs: the checks of orch doctor, what is wrong first.
import { isOldBackup } from "../../../domain/backup-age.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { CopyButton } from "../../parts/buttons.tsx";
import { InlineCode, Printable } from "../../parts/code.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Status, Tag, type Tone } from "../../parts/status.tsx";
import { byteCount, count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-keys.ts";

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

// When the database was backed up last, for every server of it.

const COMMAND = "orch backup FILE";

function LastBackup({ at }: { readonly at: string | null }) {
  if (at !== null && !isOldBackup(at, Date.now()))
    return (
      <p className="muted">
        The last backup was made <Time at={at} />.
      </p>
    );
  return (
    <p>
      <Status tone="ask">{at === null ? "Never backed up" : "Backup is old"}</Status>{" "}
      {at !== null && (
        <>
          The last one was made <Time at={at} />.
        </>
      )}{" "}
      Have it done every night: <code>{COMMAND}</code> <CopyButton text={COMMAND} label="Copy" />
    </p>
  );
}

// The tool servers: whether each answers, and the tools that it has, with what it says of their effects.

type ToolServers = OperationAnswer<"get_diagnosis">["tool_servers"];
type Tool = ToolServers[number]["tools"][number];

const EFFECTS: Readonly<Record<Tool["effect"], readonly [word: string, tone: Tone]>> = {
  reads: ["Only looks", "idle"],
  changes: ["Changes something", "ask"],
  unknown: ["Does not say", "stop"],
};

const ServedTools = ({ servers }: { readonly servers: ToolServers }) => (
  <div className="card">
    <div className="card-head">
      <h3>Tool servers</h3>
    </div>
    {servers.length === 0 && (
      <p className="card-body muted">
        None: <code>MCP_NAME_URL</code> and <code>MCP_NAME_TOKEN</code> add one, and a start of orch.
      </p>
    )}
    {servers.length > 0 && (
      <ul className="plain-list" aria-label="Tool servers">
        {servers.map(({ name, state, found, fix, tools }) => (
          <li key={name} className="looked" {...ROW}>
            <strong>
              <InlineCode text={name} />
            </strong>
            <Status tone={LOOK_STATES[state][1]}>{LOOK_STATES[state][0]}</Status>
            {tools.length === 0 ? (
              <Said found={found} fix={fix} />
            ) : (
              <details className="looked-text">
                <summary>{count(tools.length, "tool")}</summary>
                <ToolList tools={tools} />
              </details>
            )}
          </li>
        ))}
      </ul>
    )}
  </div>
);

const ToolList = ({ tools }: { readonly tools: readonly Tool[] }) => (
  <dl className="served-tools">
    {tools.map(({ name, effect, description }) => (
      <div key={name}>
        <dt className="row">
          <InlineCode text={name} />
          <Tag tone={EFFECTS[effect][1]}>{EFFECTS[effect][0]}</Tag>
        </dt>
        <dd className="muted">
          <Printable text={description} />
        </dd>
      </div>
    ))}
  </dl>
);

// What a check has found, and what to do about it.

type FoundByCheck = Pick<OperationAnswer<"get_diagnosis">["checks"][number], "state" | "found" | "fix">;

const LOOK_STATES: Readonly<Record<FoundByCheck["state"], readonly [word: string, tone: Tone]>> = {
  works: ["Works", "ok"],
  falls_back: ["Falls back", "ask"],
  broken: ["Broken", "bad"],
  off: ["Not used", "idle"],
};

const Said = ({ found, fix }: Pick<FoundByCheck, "found" | "fix">) => (
  <div className="looked-text">
    {[...new Set(found.split("\n"))].map((line) => (
      <p key={line}>
        <Printable text={line} />
      </p>
    ))}
    {fix !== null && (
      <p className="muted">
        <Printable text={fix} />
      </p>
    )}
  </div>
);
