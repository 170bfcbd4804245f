// Shows what a query gives: its data, its refusal, that there is nothing to show, or that it is being read, which is shown
// only after 300 ms.
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CallProblem } from "../request.ts";
import { Icon, type IconName } from "./icon.tsx";
import { ProblemNotice } from "./notice.tsx";
import { Shape } from "./status.tsx";

type Props<T> = {
  readonly query: UseQueryResult<T, CallProblem>;
  readonly children: (data: T) => ReactNode;
};

/** Data that was read before stays in view while it cannot be read anew. */
export function Loaded<T>({ query: { data, error }, children }: Props<T>) {
  return (
    <>
      {error !== null && <ProblemNotice problem={error} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Reading />}
    </>
  );
}

export const Reading = () => (
  <div className="waiting late" role="status" data-tone="busy">
    <Shape tone="busy" />
    Reading …
  </div>
);

// Nothing to show: what that means, and what to do next.

type EmptyProps = { readonly icon: IconName; readonly title: string; readonly children?: ReactNode };

export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

// An address that is no page.

export const NotFound = () => (
  <main className="page">
    <Empty icon="search" title="There is no such page">
      <p>
        <Link to="/">Go to the inbox</Link>
      </p>
    </Empty>
  </main>
);
