// Shows the procedures, as they are narrowed to: what orch knows how to do, on which targets, and how well each has done.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ListedSop } from "../../../features/procedures/shapes.ts";
import { useAction, useAllSops, useApprovalOf, useOperation } from "../../live/use-operation.ts";
import { InlineCode } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { useStored, useTitle, useTypedFilter } from "../../parts/hooks.ts";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Loaded } from "../../parts/loaded.tsx";
import { isSetBack, Level, RecordMark, SopStatus } from "../../parts/marks.tsx";
import { Notice, Unreadable } from "../../parts/notice.tsx";
import { Sparkline } from "../../parts/sparkline.tsx";
import { Time } from "../../parts/time.tsx";
import { useFilterKey, useListKeys } from "../../parts/use-keys.ts";
import { SOP_FILTERS, type SopFilter } from "../../search.ts";
import { filteredKeys, type SopKey, sopKeys } from "./sop-keys.ts";

const route = getRouteApi("/inside/sops");
const WEEKS = 8;

export function SopsPage() {
  useTitle("Procedures");
  const sops = useAllSops();
  const [importing, setImporting] = useState(false);
  return (
    <>
      <header className="page-head">
        <h1>Procedures</h1>
        <div className="actions">
          <button type="button" className="button" onClick={() => setImporting(true)}>
            <Icon name="file" /> Import
          </button>
          <Link to="/teach" className="button">
            <Icon name="teach" /> Teach
          </Link>
        </div>
      </header>
      <Loaded query={sops}>
        {({ sops: all, quarantined, more }) => (
          <div className="stack">
            {all.length === 0 ? <NoneYet /> : <Keys keys={sopKeys(all)} />}
            {more && (
              <Notice tone="ask">
                <p>
                  More than 10,000 versions are stored. The oldest are left out here; <code>orch sops</code> lists them.
                </p>
              </Notice>
            )}
            <Unreadable records={quarantined} />
          </div>
        )}
      </Loaded>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

function Keys({ keys }: { readonly keys: readonly SopKey[] }) {
  const wanted = route.useSearch();
  const score = useOperation("get_scorecard", { by: "sop", weeks: WEEKS });
  const approvalOf = useApprovalOf();
  const list = useListKeys();
  const shown = filteredKeys(keys, wanted);
  const weeks = new Map(score.data?.rows.map(({ sop_id, by_week }) => [sop_id, by_week]));
  return (
    <>
      <SopFilters keys={keys} />
      {shown.length === 0 && (
        <Empty icon="search" title="No procedure is like this">
          <p>
            <Link to="/sops" search={{}}>
              Show all {keys.length}
            </Link>
          </p>
        </Empty>
      )}
      {shown.length > 0 && (
        <ul className="list" ref={list} aria-label="Procedures">
          {shown.map((one) => (
            <SopRow key={one.key} of={one} weeks={weeks.get(one.shown.sop_id)} approvalOf={approvalOf} />
          ))}
        </ul>
      )}
    </>
  );
}

const NoneYet = () => (
  <Empty icon="sops" title="No procedure yet">
    <p>
      A procedure is a list of steps that orch runs for one intent on one target, with a check for each success
      criterion. <Link to="/teach">Teach the first one</Link>, or import a file.
    </p>
    <p>
      A supervisor may also submit a task that orch does not know. It then waits in the <Link to="/">inbox</Link> to be
      taught, and after its first success asks to keep the steps.
    </p>
  </Empty>
);

// One procedure: its key, the version in use with its record, and below it what waits for a decision.

type Weeks = readonly (number | null)[];

type Props = {
  readonly of: SopKey;
  /** Verified over DONE in each week; undefined where nothing is known. */
  readonly weeks: Weeks | undefined;
  readonly approvalOf: (sop_id: string) => string | undefined;
};

const inWords = (weeks: Weeks): string =>
  `Verified of done in each of the last ${weeks.length} weeks: ${weeks.map((value) => (value === null ? "no run" : `${Math.round(value * 100)} %`)).join(", ")}`;

function SopRow({ of: { intent, target_signature, shown, waiting, versions }, weeks, approvalOf }: Props) {
  return (
    <li>
      <Link to="/sops/$sop_id" params={{ sop_id: shown.sop_id }} className="list-row sop-row">
        <span className="sop-name">
          <strong>{intent}</strong>
          <InlineCode text={target_signature === "" ? "no target" : target_signature} />
        </span>
        <span className="sop-state">
          <SopStatus sop={shown} />
          <span className="row">
            <span className="muted small number">
              v{shown.version} of {versions}
            </span>
            <Level sop={shown} />
          </span>
        </span>
        <span className="sop-record">
          <RecordMark sop={shown} />
        </span>
        <span className="sop-weeks">{weeks !== undefined && <Sparkline values={weeks} label={inWords(weeks)} />}</span>
        <span className="sop-last muted small">
          {shown.last_success_at === null ? (
            "Never succeeded"
          ) : (
            <>
              Succeeded <Time at={shown.last_success_at} />
            </>
          )}
        </span>
      </Link>
      {waiting.map((sop) => (
        <Waits key={sop.sop_id} sop={sop} is_shown={sop.sop_id === shown.sop_id} approval_id={approvalOf(sop.sop_id)} />
      ))}
    </li>
  );
}

type Waiting = {
  readonly sop: ListedSop;
  /** It is the version in the row above. */
  readonly is_shown: boolean;
  readonly approval_id: string | undefined;
};

function Waits({ sop, is_shown, approval_id }: Waiting) {
  const what = isSetBack(sop) ? "was set back and asks to be used again" : "waits for its promotion";
  return (
    <div className="sop-waits" data-tone={isSetBack(sop) ? "bad" : "ask"}>
      <span>{is_shown && !isSetBack(sop) ? "No version is in use" : `Version ${sop.version} ${what}`}</span>
      {approval_id === undefined ? (
        <Link to="/sops/$sop_id" params={{ sop_id: sop.sop_id }}>
          Show it
        </Link>
      ) : (
        <Link to="/approvals/$approval_id" params={{ approval_id }}>
          Review version {sop.version}
        </Link>
      )}
    </div>
  );
}

// Which procedures are listed: by text and by what is to be done with them. Both are in the address.

const WORDS: Readonly<Record<SopFilter, string>> = {
  in_use: "In use",
  waiting: "Waiting",
  set_back: "Set back",
  unused: "Not in use",
};

export function SopFilters({ keys }: { readonly keys: readonly SopKey[] }) {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTypedFilter(
    q,
    (wanted) => void navigate({ search: (old) => ({ ...old, q: wanted }), replace: true }),
  );
  const field = useFilterKey();
  const choices = [undefined, ...SOP_FILTERS] as const;
  return (
    <search className="sop-filters">
      <span className="sop-filter-text">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          aria-label="Filter by intent or target"
          placeholder="Filter by intent or target"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <kbd>/</kbd>
      </span>
      <nav className="sop-choices" aria-label="By status">
        {choices.map((choice) => (
          <Link
            key={choice ?? "all"}
            to="/sops"
            search={(old) => ({ ...old, status: choice })}
            replace
            className="sop-choice"
            // The router marks the one whose search is that of the address, and says so to screen readers.
            activeOptions={{ exact: true }}
          >
            {choice === undefined ? "All" : WORDS[choice]}{" "}
            <span className="number">{filteredKeys(keys, { q, status: choice }).length}</span>
          </Link>
        ))}
      </nav>
    </search>
  );
}

// Imports a procedure from its YAML file: chosen, or pasted. It is stored as a candidate and asks for its promotion.

const MOST_BYTES = 1_000_000;

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const open = useStored();
  const store = useAction("import_sop");
  const [file, setFile] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const is_large = chosen.size > MOST_BYTES;
    setFault(is_large ? `${chosen.name} has more than 1 MB, so it is no procedure.` : null);
    if (!is_large) setFile(await chosen.text());
  };
  const send = () => store.mutate({ file }, { onSuccess: open });
  return (
    <ActionDialog
      onClose={onClose}
      title="Import a procedure"
      description="A YAML file as another server has exported it. Nothing of it runs: it is stored as a candidate, and its promotion asks for an approval."
      problem={store.error}
      busy={store.isPending}
      actions={[{ label: "Store as a candidate", look: "primary", run: send, disabled: file.trim() === "" }]}
    >
      <Field label="File" wrong={fault}>
        {(id) => (
          <input
            id={id}
            type="file"
            accept=".yaml,.yml,text/yaml,application/yaml"
            onChange={({ target }) => void read(target.files?.[0])}
          />
        )}
      </Field>
      <Field label="Text">
        {(id) => (
          <textarea
            id={id}
            className="input mono import-text"
            spellCheck={false}
            value={file}
            onChange={({ target }) => setFile(target.value)}
            placeholder={"intent: deploy\ntarget:\n  host: nas\nsteps:\n  - kind: check\n    value: …"}
          />
        )}
      </Field>
    </ActionDialog>
  );
}
