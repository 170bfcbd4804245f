// The state of the connection, who is logged in where, and the way out: below the navigation, and below the page on a phone.

import type { LiveState } from "../live/event-source.ts";
import { useSignal } from "../live/signal.ts";
import { logOut } from "../log-out.ts";
import { Printable } from "../parts/code.tsx";
import { Icon } from "../parts/icon.tsx";
import { session } from "../session.ts";

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: "Connecting",
  live: "Live",
  broken: "Connection lost, trying again",
};

export function SessionFoot({ live, onHelp }: { readonly live: LiveState; readonly onHelp: () => void }) {
  const known = useSignal(session);
  return (
    <div className="session-foot">
      <span className="live" data-state={live} role="status">
        {LIVE[live]}
      </span>
      <span>
        <Printable text={`${known?.name ?? "No name"} on ${known?.server.name}`} />
      </span>
      <span className="row">
        <button type="button" className="button quiet small" onClick={onHelp}>
          <Icon name="keys" /> Keys
        </button>
        <button type="button" className="button quiet small" onClick={() => void logOut()}>
          <Icon name="out" /> Log out
        </button>
      </span>
    </div>
  );
}
