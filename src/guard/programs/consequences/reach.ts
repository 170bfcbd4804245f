// Lists which words of a command line name what it reaches: the paths that it changes, and the containers and hosts that it
// speaks to.
import type { State } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { optionTable, optionValues, parseOptions, rowsByName, words } from "../../words/options.ts";
import { composeCommand, dockerCommand } from "../containers.ts";
import { parseFind } from "../find/expression.ts";
import { gitCommand } from "../git.ts";
import { fromVerb } from "./of-command.ts";

/** Which words of a command line name the paths and the hosts that it reaches, as data. */
type ReachRow = {
  /** Base names, separated by blanks. */
  readonly of: string;
  /** `rest`: all but the first. */
  readonly operands?: "all" | "first" | "last" | "rest";
  /** Options whose value is one, and others that have a value. */
  readonly options?: string;
  readonly valued?: string;
};

/** Programs that are not here reach the absolute paths among their words. */
const PATHS: readonly ReachRow[] = [
  {
    of: "rm grm srm unlink rimraf rmdir wipe trash trash-put tee gzip gunzip bzip2 xz zstd dos2unix sponge",
    operands: "all",
  },
  { of: "shred", operands: "all", valued: "n s iterations size random-source" },
  { of: "truncate", operands: "all", valued: "s r size reference" },
  { of: "touch", operands: "all", valued: "d r t date reference" },
  { of: "mkdir", operands: "all", valued: "m mode" },
  { of: "fallocate", operands: "all", valued: "l o length offset" },
  { of: "mv", operands: "all", options: "t target-directory", valued: "S suffix" },
  { of: "cp ln install", operands: "last", options: "t target-directory", valued: "S suffix m mode o g owner group" },
  { of: "scp", operands: "last", valued: "c D F i J l o P S X" },
  { of: "rsync", operands: "last", valued: "e f B M T rsh exclude include filter exclude-from include-from bwlimit" },
  { of: "chmod chown chgrp chattr setcap", operands: "rest" },
  { of: "setfacl", operands: "all", valued: "m x M X modify remove set" },
  { of: "sed gsed", operands: "rest", valued: "E" },
  { of: "curl", options: "o output" },
  { of: "wget", options: "O output-document P directory-prefix" },
  { of: "unzip", options: "d", valued: "x" },
];

const HOSTS: readonly ReachRow[] = [
  { of: "ssh", operands: "first", options: "J", valued: "B b c D E e F I i L l m O o p P Q R S W w" },
  { of: "ssh-copy-id ssh-keyscan", operands: "all", valued: "i p o t T" },
  { of: "ping ping6 fping arping", operands: "all", valued: "c i I W w s t Q m M l p S T" },
  { of: "traceroute tracepath mtr nmap showmount telnet", operands: "first", valued: "p m q w i s c f" },
  { of: "nc ncat netcat", operands: "first", valued: "w p s q i x X I O T P V" },
  { of: "ansible", operands: "first", valued: "i m a u f e l t c T M" },
  { of: "ansible-playbook", options: "l limit", valued: "i e u f t" },
  { of: "kubectl oc", options: "context s server" },
  { of: "helm", options: "kube-context kube-apiserver" },
  { of: "docker podman nerdctl", options: "H host c context", valued: "l log-level config" },
  { of: "systemctl loginctl journalctl hostnamectl timedatectl", options: "H host" },
  {
    of: "psql pg_dump pg_dumpall pg_restore dropdb createdb createuser dropuser mysql mariadb mysqldump mysqladmin",
    options: "h host",
  },
  { of: "redis-cli valkey-cli keydb-cli mosquitto_pub mosquitto_sub", options: "h" },
  { of: "mongosh mongo", options: "host" },
  { of: "ipmitool", options: "H", valued: "I U P f E p L e k y K N R t T" },
  { of: "talosctl", options: "n nodes e endpoints" },
];

/** Their options come before the verb; after it the same letters mean something else. */
const BEFORE_VERB_ONLY = /^(?:ssh|docker|podman|nerdctl|ipmitool)$/;

/** Words such as `host:/path` of these name a host. */
const COPIES_BETWEEN = /^(?:scp|sftp|rsync|mount(?:\.nfs4?)?|git|sshfs|lftp)$/;

/** Verbs of git that name another repository. */
const GIT_TALKS = /^(?:clone|push|pull|fetch|ls-remote|remote|submodule|archive)$/;

const PATHS_OF = rowsByName(PATHS, ({ of }) => of);

const HOSTS_OF = rowsByName(HOSTS, ({ of }) => of);

function named(argv: readonly string[], { operands, options = "", valued = "" }: ReachRow): readonly string[] {
  const [name = "", ...args] = argv;
  const parsed = parseOptions(args, optionTable(`${options} ${valued}`), !BEFORE_VERB_ONLY.test(name));
  const values = optionValues(parsed, ...words(options)).flatMap((value) => (value === null ? [] : [value]));
  if (operands === undefined) return values;
  const all = parsed.operands;
  const picked = { all, first: all.slice(0, 1), last: all.slice(-1), rest: all.slice(1) }[operands];
  return [...values, ...picked];
}

const fromEach = (paths: readonly string[], state: State): readonly string[] =>
  paths.flatMap((path) => state.location.cwd.map((cwd) => absolute(path, cwd)));

/** `host:/path` of scp and rsync is a path of that host; `-v /host:/inside` one of this. */
const withoutHost = (word: string): string => word.replace(/^[\w.@-]+:(?=[/~.\w])/, "");

/** Only of a command that changes something. Absolute where the directory is known. */
export function pathsReached(argv: readonly string[], state: State): readonly string[] {
  const [name = "", ...args] = argv;
  if (name === "git") {
    const { directories } = gitCommand(argv);
    return directories.length === 0 ? state.location.cwd : fromEach(directories.slice(-1), state);
  }
  if (/^g?find$/.test(name)) {
    const { roots } = parseFind(args);
    return fromEach(roots.length === 0 ? ["."] : roots, state);
  }
  const [row] = PATHS_OF.get(name) ?? [];
  if (row !== undefined) {
    const given = named(argv, row).filter((word) => word !== "" && word !== "-" && !/^[+=]/.test(word));
    return fromEach(given.map(withoutHost), state);
  }
  return args.flatMap((word) => {
    if (word.startsWith("if=")) return [];
    const [, path] = /^(?:[\w.-]+=)?(\/[^:]*)/.exec(word) ?? [];
    return path === undefined || path.startsWith("//") ? [] : fromEach([path], state);
  });
}

const URL_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?(\[[\da-f:]+\]|[^\s/:?#]+)/i;

const LOCAL_SCHEME = /^(?:unix|file|s3|gs|npipe|fd|data|oci|docker-archive):/i;

/** Their words are text for people. */
const SPEAKS = /^(?:echo|printf|logger|wall|grep|egrep|fgrep|rg|awk|sed|jq|test|\[)$/;

export function hostsReached(argv: readonly string[], state: State): readonly string[] {
  const [name = "", ...args] = argv;
  if (SPEAKS.test(name)) return [];
  const found: string[] = [];
  const [row] = HOSTS_OF.get(name) ?? [];
  if (row !== undefined) found.push(...named(argv, row).flatMap((word) => word.split(",").map(hostOf)));
  if (name === "docker") found.push(...(state.bindings.vars.get("DOCKER_HOST") ?? []).map(hostOf));
  if (name === "git" && !GIT_TALKS.test(gitCommand(argv).verb)) return found.filter((host) => host !== "");
  for (const word of args) {
    const [, user, remote] = /^([\w.-]+@)?([\w-][\w.-]*|\[[\da-f:]+\]):(?!\/\/)/.exec(word) ?? [];
    // `HEAD:refs/heads/x` is no host.
    const isHost = name !== "git" || user !== undefined;
    if (remote !== undefined && isHost && COPIES_BETWEEN.test(name)) found.push(remote);
    else if (URL_HOST.test(word)) found.push(hostOf(word));
  }
  // curl takes `host/path` and `host:port` without a scheme.
  if (/^(?:curl|wget)$/.test(name) && found.length === 0)
    found.push(
      ...args
        .filter((word) => /^[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:\/\S*)?$/.test(word))
        .slice(-1)
        .map(hostOf),
    );
  return found.filter((host) => host !== "");
}

/** Of a URL, `user@host`, `host:port`. */
function hostOf(text: string): string {
  if (LOCAL_SCHEME.test(text)) return "";
  const [, host] = URL_HOST.exec(text) ?? [];
  return host ?? text.replace(/^[^@]*@/, "").replace(/[/:](?!.*\]).*$/, "");
}

const MANY = /^(?:restart|stop|start|kill|rm|remove|pause|unpause|update|wait|inspect|attach|init|stats)$/;

const ONE = /^(?:exec|logs|top|port|diff|export|commit|rename)$/;

const COMPOSE_VERB = /^(?:up|down|start|stop|restart|kill|rm|pause|unpause|pull|build|logs|top|create|scale|ps)$/;

const DOCKER_VALUED = optionTable(
  "t e u w n s time signal env user workdir tail since until timeout scale f l d c compose-file format",
);

/** Of these `-f`, `-l` and `-d` have no value. */
const FLAGS_ONLY = optionTable("t e u w n s time signal env user workdir tail since until timeout scale");

const KINDS = /^(?:volume|network|stack|service|pod|machine|secret|config)$/;

function ofDocker(argv: readonly string[]): readonly string[] {
  const isComposer = (argv[0] ?? "").endsWith("-compose");
  const { verb, args } = dockerCommand(isComposer ? composeCommand(argv) : argv);
  const [first = "", second = ""] = verb.split(" ");
  if (first === "compose") {
    const { operands } = parseOptions(args, FLAGS_ONLY, !/^(?:exec|run)$/.test(second));
    if (/^(?:exec|run)$/.test(second)) return operands.slice(0, 1);
    if (!COMPOSE_VERB.test(second)) return [];
    return operands.length === 0 ? ["<all services>"] : operands.map((word) => word.replace(/=\d+$/, ""));
  }
  const group = KINDS.test(first) && second === "" ? [first, ...args] : [first, second];
  if (KINDS.test(group[0] ?? "")) {
    const rest = second === "" ? args.slice(1) : args;
    if (/^(?:ls|list|ps|prune|create)$/.test(group[1] ?? "")) return [];
    const table = /^(?:rm|remove)$/.test(group[1] ?? "") ? FLAGS_ONLY : DOCKER_VALUED;
    return parseOptions(rest, table).operands.map((word) => `${group[0]} ${word.replace(/=\d+$/, "")}`);
  }
  if (first === "inspect" || first === "stats") return parseOptions(args, DOCKER_VALUED).operands;
  if (MANY.test(first)) return parseOptions(args, FLAGS_ONLY).operands;
  if (ONE.test(first)) return parseOptions(args, FLAGS_ONLY, false).operands.slice(0, 1);
  if (first === "cp") return args.flatMap((word) => /^([\w.-]+):/.exec(word)?.[1] ?? []);
  return first === "run" || first === "create"
    ? optionValues(parseOptions(args, optionTable("name"), false), "name").flatMap((name) => name ?? [])
    : [];
}

const KUBE_VALUED = optionTable(
  "n namespace c container f filename l selector o output replicas context cluster kubeconfig s server grace-period timeout tail since p patch type",
);

function ofKubernetes(argv: readonly string[]): readonly string[] {
  const dashes = argv.indexOf("--");
  const [verb = "", ...rest] = fromVerb(dashes < 0 ? argv : argv.slice(0, dashes));
  const { operands } = parseOptions(rest, KUBE_VALUED);
  if (/^(?:exec|logs|attach|port-forward|debug|cp)$/.test(verb)) return operands.slice(0, 1);
  const names = verb === "rollout" ? operands.slice(1) : operands;
  if (!/^(?:rollout|delete|scale|edit|patch|label|annotate|set|drain|cordon|uncordon|expose|autoscale)$/.test(verb))
    return [];
  const [kind = "", ...given] = names;
  if (/^(?:drain|cordon|uncordon)$/.test(verb)) return names.map((node) => `node/${node}`);
  return kind.includes("/") ? names : given.map((name) => `${kind}/${name}`);
}

/** Containers, services of compose, volumes and networks with their kind, resources of a cluster. */
export function containersReached(argv: readonly string[]): readonly string[] {
  const [name = "", ...args] = argv;
  if (/^(?:docker|podman|nerdctl)(?:-compose)?$/.test(name)) return ofDocker(argv);
  if (/^(?:kubectl|oc)$/.test(name)) return ofKubernetes(argv);
  if (/^(?:lxc|incus)$/.test(name))
    return /^(?:stop|restart|start|delete|exec)$/.test(args[0] ?? "") ? args.slice(1, 2) : [];
  if (name === "crictl")
    return /^(?:stop|rm|exec|logs|start)p?$/.test(args[0] ?? "")
      ? parseOptions(args.slice(1)).operands.slice(0, 1)
      : [];
  return [];
}
