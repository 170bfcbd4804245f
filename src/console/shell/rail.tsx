// The navigation: a rail beside the page, and a bar below it on a phone.
import { Link } from "@tanstack/react-router";
import type { LiveState } from "../live/event-source.ts";
import { useSignal } from "../live/signal.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { session } from "../session.ts";
import { logOut } from "./log-out.ts";
import { Mark } from "./mark.tsx";

const PAGES = [
  { to: "/", label: "Inbox", icon: "inbox" },
  { to: "/tasks", label: "Tasks", icon: "tasks" },
  { to: "/sops", label: "Procedures", icon: "sops" },
  { to: "/scorecard", label: "Scorecard", icon: "scorecard" },
  { to: "/servers", label: "Servers", icon: "servers" },
] as const satisfies readonly { readonly to: string; readonly label: string; readonly icon: IconName }[];

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: "Connecting",
  live: "Live",
  broken: "Connection lost, trying again",
};

type Props = { readonly waiting: number; readonly live: LiveState; readonly onHelp: () => void };

export function Rail({ waiting, live, onHelp }: Props) {
  const known = useSignal(session);
  return (
    <nav className="rail" aria-label="Pages">
      <Link to="/" className="brand">
        <Mark /> orch
      </Link>
      {PAGES.map(({ to, label, icon }) => (
        <Link key={to} to={to} className="nav-link" activeOptions={{ exact: to === "/", includeSearch: false }}>
          <Icon name={icon} />
          {label}
          {to === "/" && waiting > 0 && (
            <span className="nav-count">
              {waiting}
              <span className="unseen"> waiting</span>
            </span>
          )}
        </Link>
      ))}
      <div className="rail-foot">
        <span className="live" data-state={live} role="status">
          {LIVE[live]}
        </span>
        <span>
          {known?.name ?? "No name"} on {known?.server.name}
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
    </nav>
  );
}
