// Every event of the task as it is recorded, with its hashes: the one before is in each, so none can be changed unseen.
import { useState } from "react";
import type { JournalEvent } from "../../../domain/journal.ts";
import { Code } from "../../parts/code.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { DownloadButton } from "../../parts/download-button.tsx";
import { Reading } from "../../parts/loaded.tsx";
import { absoluteTime, count, shortDigest } from "../../parts/text.ts";

const PAGE = 200;

type Props = { readonly task_id: string; readonly events: readonly JournalEvent[]; readonly is_whole: boolean };

export function JournalList({ task_id, events, is_whole }: Props) {
  const [most, setMost] = useState(PAGE);
  if (events.length === 0 && !is_whole) return <Reading />;
  const shown = events.slice(0, most);
  const lines = async () => events.map((event) => `${JSON.stringify(event)}\n`).join("");
  return (
    <section className="stack" aria-label="Journal">
      <div className="row">
        <span className="muted number">{count(events.length, "event")}</span>
        <DownloadButton text={lines} file={`${task_id}.journal.jsonl`} label="Download" />
      </div>
      <ol className="list journal">
        {shown.map((event) => (
          <Event key={event.seq} event={event} />
        ))}
      </ol>
      {events.length > most && (
        <button type="button" className="button" onClick={() => setMost(most + PAGE)}>
          {`Show ${Math.min(PAGE, events.length - most)} more of ${events.length}`}
        </button>
      )}
    </section>
  );
}

function Event({ event }: { readonly event: JournalEvent }) {
  const [open, setOpen] = useState(false);
  const { seq, kind, at, hash, prev_hash, body } = event;
  return (
    <li id={`e${seq}`}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="journal-row">
          <span className="muted number journal-seq">{seq}</span>
          <span className="journal-kind">{kind}</span>
          <time className="muted small number" dateTime={at}>
            {absoluteTime(at)}
          </time>
          <code className="muted journal-hash">{shortDigest(hash)}</code>
        </summary>
        {open && (
          <div className="stack journal-body">
            <dl className="facts">
              <dt>Hash</dt>
              <dd>
                <code>{hash}</code> <CopyButton text={hash} label="Copy" />
              </dd>
              <dt>Hash before</dt>
              <dd>
                <code>{prev_hash}</code>
              </dd>
            </dl>
            <Code text={JSON.stringify(body, null, 2)} label={`Event ${seq}`} />
          </div>
        )}
      </details>
    </li>
  );
}
