// Reads what a command line reaches: the paths that it changes, and the hosts and containers that it speaks to.
import type { State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import type { Selection } from "./record.ts";
import { recordOf } from "./registry.ts";
import { selected, selectionOf } from "./rules/select.ts";

const fromEach = (paths: readonly string[], state: State): readonly string[] =>
  paths.flatMap((path) => state.location.cwd.map((cwd) => absolute(path, cwd)));

/** `host:/path` of scp and rsync is a path of that host; `-v /host:/inside` one of this. */
const withoutHost = (word: string): string => word.replace(/^[\w.@-]+:(?=[/~.\w])/, "");

/** Only of a command that changes something. Absolute where the directory is known. */
export function pathsReached(argv: readonly string[], state: State): readonly string[] {
  const [name = "", ...args] = argv;
  const paths = recordOf(name)?.paths;
  if (typeof paths === "function") return rooted(paths(argv), state);
  if (paths !== undefined) {
    const given = selected(args, selectionOf(paths)).filter(
      (word) => word !== "" && word !== "-" && !/^[+=]/.test(word),
    );
    return fromEach(given.map(withoutHost), state);
  }
  return args.flatMap((word) => {
    if (word.startsWith("if=")) return [];
    const [, path] = /^(?:[\w.-]+=)?(\/[^:]*)/.exec(word) ?? [];
    return path === undefined || path.startsWith("//") ? [] : fromEach([path], state);
  });
}

/** Without a path, the directory in which it runs. */
const rooted = (paths: readonly string[], state: State): readonly string[] =>
  paths.length === 0 ? state.location.cwd : fromEach(paths, state);

const URL_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?(\[[\da-f:]+\]|[^\s/:?#]+)/i;

const LOCAL_SCHEME = /^(?:unix|file|s3|gs|npipe|fd|data|oci|docker-archive):/i;

export function hostsReached(argv: readonly string[], state: State): readonly string[] {
  const [name = "", ...args] = argv;
  const { hosts, speaks, between, talks, bare } = recordOf(name) ?? {};
  if (speaks === true) return [];
  const found = hosts === undefined ? [] : hostsNamed(args, selectionOf(hosts), state);
  if (talks?.(argv) === false) return found.filter((host) => host !== "");
  for (const word of args) {
    const [, user, remote] = /^([\w.-]+@)?([\w-][\w.-]*|\[[\da-f:]+\]):(?!\/\/)/.exec(word) ?? [];
    // `HEAD:refs/heads/x` is no host.
    const isHost = talks === undefined || user !== undefined;
    if (remote !== undefined && isHost && between === true) found.push(remote);
    else if (URL_HOST.test(word)) found.push(hostOf(word));
  }
  if (bare === true && found.length === 0)
    found.push(
      ...args
        .filter((word) => /^[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:\/\S*)?$/.test(word))
        .slice(-1)
        .map(hostOf),
    );
  return found.filter((host) => host !== "");
}

function hostsNamed(
  args: readonly string[],
  hosts: Selection & { readonly variable?: string },
  state: State,
): string[] {
  const named = selected(args, hosts).flatMap((word) => word.split(","));
  const given = hosts.variable === undefined ? [] : (state.bindings.vars.get(hosts.variable) ?? []);
  return [...named, ...given].map(hostOf);
}

/** Of a URL, `user@host`, `host:port`. */
function hostOf(text: string): string {
  if (LOCAL_SCHEME.test(text)) return "";
  const [, host] = URL_HOST.exec(text) ?? [];
  return host ?? text.replace(/^[^@]*@/, "").replace(/[/:](?!.*\]).*$/, "");
}

/** Containers, services of compose, volumes and networks with their kind, resources of a cluster. */
export const containersReached = (argv: readonly string[]): readonly string[] =>
  recordOf(argv[0] ?? "")?.resources?.(argv) ?? [];
