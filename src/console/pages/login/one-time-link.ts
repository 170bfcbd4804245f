// The one-time link of `orch console` is in the fragment of the address, which no server and no log is sent. It is taken out of
// the address at once, before anything can copy it.
let link: string | null = /^#link=([\w-]{16,64})$/.exec(location.hash)?.[1] ?? null;
if (link !== null) history.replaceState(history.state, "", location.pathname + location.search);

/** Null from the second time on: it opens one session. */
export function takeOneTimeLink(): string | null {
  const taken = link;
  link = null;
  return taken;
}
