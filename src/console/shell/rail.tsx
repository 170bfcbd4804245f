// The navigation: a rail beside the page, and a bar below it on a phone.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Mark } from "./mark.tsx";

const PAGES = [
  { to: "/", label: "Inbox", icon: "inbox" },
  { to: "/tasks", label: "Tasks", icon: "tasks" },
  { to: "/sops", label: "Procedures", icon: "sops" },
  { to: "/teach", label: "Teach", icon: "teach" },
  { to: "/graph", label: "Pipeline", icon: "graph" },
  { to: "/scorecard", label: "Scorecard", icon: "scorecard" },
  { to: "/servers", label: "Servers", icon: "servers" },
] as const satisfies readonly { readonly to: string; readonly label: string; readonly icon: IconName }[];

type Props = { readonly waiting: number; readonly children: ReactNode };

export function Rail({ waiting, children }: Props) {
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
      {children}
    </nav>
  );
}
