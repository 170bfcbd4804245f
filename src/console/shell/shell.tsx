// What is around every page: navigation with what waits, the state of the connection, keys, and the session.
import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSignal } from "../live/signal.ts";
import { followUpdates, liveState } from "../live/updates.ts";
import { useOperation } from "../live/use-operation.ts";
import { usePutOff } from "../pages/inbox/put-off.ts";
import { useKeys } from "../parts/use-keys.ts";
import { waitingCount } from "../parts/use-title.ts";
import { useNarrow } from "../parts/use-window-width.ts";
import { session } from "../session.ts";
import { FrozenBar } from "./frozen-bar.tsx";
import { KeyHelp } from "./key-help.tsx";
import { Rail } from "./rail.tsx";
import { SessionFoot } from "./session-foot.tsx";
import { useBadge } from "./use-badge.ts";

export function Shell() {
  const queries = useQueryClient();
  const router = useRouter();
  const [help, setHelp] = useState(false);
  const known = useSignal(session);
  const inbox = useOperation("list_inbox", { limit: 500 });
  const items = inbox.data?.items ?? [];
  const { isPutOff } = usePutOff(items);
  const waiting = items.filter((item) => !isPutOff(item)).length;
  const is_narrow = useNarrow();
  const foot = <SessionFoot live={useSignal(liveState)} onHelp={() => setHelp(true)} />;

  useEffect(() => followUpdates(queries), [queries]);
  useEffect(() => waitingCount.set(waiting), [waiting]);
  useBadge(waiting);
  useEffect(() => {
    const href = router.latestLocation.href;
    // The shell is still there while the login is on its way.
    if (known === null && !href.startsWith("/login"))
      void router.navigate({ to: "/login", search: { to: href }, replace: true });
  }, [known, router]);
  useKeys({
    "g i": () => void router.navigate({ to: "/" }),
    "g t": () => void router.navigate({ to: "/tasks" }),
    "g s": () => void router.navigate({ to: "/sops" }),
    "g n": () => void router.navigate({ to: "/teach" }),
    "g p": () => void router.navigate({ to: "/graph" }),
    "g c": () => void router.navigate({ to: "/scorecard" }),
    "g v": () => void router.navigate({ to: "/servers" }),
    "?": () => setHelp(true),
  });

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Rail waiting={waiting}>{!is_narrow && foot}</Rail>
      <div>
        <FrozenBar frozen={inbox.data?.frozen ?? []} />
        <main id="main" className="page">
          <Outlet />
        </main>
        {is_narrow && foot}
      </div>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  );
}
