// What a command in a container sees: the host through mounts, the files that were written inside, nothing of this shell.
import { elsewhere, fork, type Mount, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { UNKNOWN } from "../words/symbols.ts";

/** Where the volumes with a name are kept. */
const VOLUMES = "/var/lib/docker/volumes";

/** A path of the host, or the name of a volume that is bound to one. */
export function bound(given: string, inside: string, state: State, from = state.location.cwd): readonly Mount[] {
  const host = state.io.volumes.get(given) ?? given;
  if (!/^[./~\uFDD0]/.test(host)) return [{ host: `${VOLUMES}/${host}`, inside: trimmed(inside) }];
  return from.map((cwd) => ({ host: absolute(host, cwd), inside: trimmed(inside) }));
}

const trimmed = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

/** A container whose name the text does not give. */
export const NAMELESS = "";

/** Inside: the files that were written there, the host only through mounts, nothing of this shell. */
export const containerState = (
  state: State,
  mounts: readonly Mount[],
  directory: string | null = null,
  name = NAMELESS,
): State =>
  fork(state, {
    location: { cwd: [directory ?? UNKNOWN], mounts, here: false },
    bindings: { aliases: new Map(), functions: new Map(), sealed: false, ...elsewhere(state) },
    io: { files: state.io.others.get(`container ${name}`) ?? new Map(), copies: new Map(), links: [] },
  });
