// A server: whether it lives, what it runs, and how to have it end without losing anything.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Fact, InlineCode } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Status, Tag, type Tone } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-keys.ts";

const STATES: Readonly<Record<ShownServer["state"], readonly [word: string, tone: Tone]>> = {
  alive: ["Alive", "ok"],
  draining: ["Draining", "busy"],
  lost: ["Lost", "bad"],
  stopped: ["Stopped", "idle"],
};

const MEANS: Partial<Record<ShownServer["state"], string>> = {
  draining: "It claims nothing more, and ends when its running steps have.",
  lost: "It has not renewed its lease in time. Another server takes its tasks up.",
};

type Props = { readonly server: ShownServer; readonly is_alone: boolean };

export function ServerCard({ server, is_alone }: Props) {
  const [asks, setAsks] = useState(false);
  const { name, state, labels } = server;
  const [word, tone] = STATES[state];
  return (
    <li className="card server" data-tone={tone} data-state={state} aria-label={name} {...ROW}>
      <div className="row">
        <h3>
          <InlineCode text={name} />
        </h3>
        {server.this && <Tag tone="busy">answers you</Tag>}
        <span className="push">
          <Status tone={tone}>{word}</Status>
        </span>
      </div>
      {MEANS[state] !== undefined && <p className="muted">{MEANS[state]}</p>}
      <ServerFacts server={server} />
      <div className="server-foot">
        <ul className="row" aria-label="Labels">
          {labels.map((label) => (
            <li key={label}>
              <Tag tone="idle">{label}</Tag>
            </li>
          ))}
          {labels.length === 0 && <li className="muted small">No labels</li>}
        </ul>
        {state === "alive" && (
          <button type="button" className="button small" onClick={() => setAsks(true)}>
            Drain
          </button>
        )}
      </div>
      {asks && <DrainDialog server={server} is_alone={is_alone} onClose={() => setAsks(false)} />}
    </li>
  );
}

function ServerFacts({ server }: { readonly server: ShownServer }) {
  const { running, concurrency, lease_age_seconds, started_at, version, process } = server;
  return (
    <dl className="facts">
      <Fact name="Runs" className="number">
        {count(running, "task")}
        {concurrency !== null && ` of ${concurrency} at once`}
      </Fact>
      {lease_age_seconds !== null && (
        <Fact name="Lease" className="number">
          renewed {Math.round(lease_age_seconds)} s ago
        </Fact>
      )}
      <Fact name="Started">
        <Time at={started_at} />
      </Fact>
      <Fact name="Version">{version ?? "not known"}</Fact>
      {process !== null && (
        <Fact name="Process">
          <InlineCode text={process} />
        </Fact>
      )}
    </dl>
  );
}

// The question before a server ends.

type DrainDialogProps = { readonly server: ShownServer; readonly is_alone: boolean; readonly onClose: () => void };

function DrainDialog({ server: { name, server_id }, is_alone, onClose }: DrainDialogProps) {
  const drain = useAction("drain_server");
  const start = () => drain.mutate({ name: server_id }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title={`Drain ${name}?`}
      description="It claims nothing more, lets its running steps end, leaves its tasks to the others, and stops."
      problem={drain.error}
      busy={drain.isPending}
      actions={[{ label: "Drain it", look: "danger", run: start }]}
    >
      {is_alone && (
        <Notice tone="ask">
          It is the only live server: until one is started, no task runs and this page cannot be loaded.
        </Notice>
      )}
    </ActionDialog>
  );
}

// A server as the page shows it.

export type ShownServer = OperationAnswer<"list_servers">["servers"][number];
