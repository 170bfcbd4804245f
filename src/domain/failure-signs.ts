// Lists the signs of a passing failure, and says of each whether the request was sent. The routing model's prompt, the rule for
// retries and the documentation read this one list. Without a schema, because the flow's script carries no library.

/**
 * `never_sent`: the other side did nothing. `answer_lost`: it may have done it. `answered`: it said that it failed, or
 * nothing was sent anywhere.
 */
export type StepDelivery = "never_sent" | "answer_lost" | "answered";

type FailureSigns = {
  readonly name: string;
  readonly delivery: StepDelivery;
  /** As people and the model read them. */
  readonly says: readonly string[];
  /** What else means the same. */
  readonly also?: RegExp;
  /** The other side has closed the exchange: a reconcile command sees what it has done. */
  readonly closed?: true;
};

export const FAILURE_SIGNS: readonly FailureSigns[] = [
  {
    name: "time-outs",
    delivery: "answer_lost",
    says: ["timeout", "timed out", "deadline exceeded", "i/o timeout", "TLS handshake timeout", "ETIMEDOUT"],
    also: /time[ -]?out|no answer within|(?:HTTP\S{0,200}|status(?: code)?|error|code)\W{0,3}408\b/i,
  },
  {
    name: "connections refused",
    delivery: "never_sent",
    says: ["connection refused", "no route to host", "network is unreachable", "ECONNREFUSED"],
    also: /EHOSTUNREACH|ENETUNREACH|(?:cannot|can't|could not|couldn't|failed to|unable to) connect|the connection to the server \S+ was refused/i,
  },
  {
    name: "connections lost",
    delivery: "answer_lost",
    says: ["connection reset by peer", "connection closed", "broken pipe", "unexpected EOF", "ECONNRESET"],
    also: /connection (?:was )?(?:reset|aborted|lost|closed|terminated|dropped)|(?:lost|closed) (?:the )?connection|(?:reset|closed) by (?:remote |the )?(?:peer|host|server)|closed (?:the )?connection|empty reply|remote end (?:closed|hung up)|h[au]ng up|fetch failed|EPIPE|ECONNABORTED|premature|incomplete ?read|early EOF|: EOF\b|EOF occurred|server has gone away|lost connection to|send disconnect|disconnected|stream (?:was )?(?:reset|closed)|transfer closed|other side closed|partial file|terminating connection|INTERNAL_ERROR|GOAWAY/i,
    closed: true,
  },
  {
    name: "outcomes that are not known",
    delivery: "answer_lost",
    says: ["outcome is not known", "may have taken effect"],
    also: /(?:outcome|result|effect|state|status)\W+(?:\w+\W+){0,5}(?:unknown|not known|uncertain|undetermined)|unknown (?:outcome|result)|received HTTP\/0\.9|malformed HTTP|BadStatusLine|parse error: expected HTTP|may (?:or may not )?have (?:been )?(?:taken|run|executed|completed|succeeded|applied)/i,
  },
  {
    name: "name resolution for the moment",
    delivery: "never_sent",
    says: ["temporary failure in name resolution", "server misbehaving", "EAI_AGAIN"],
    also: /could not resolve|name or service not known|no such host|unable to resolve|ENOTFOUND|getaddrinfo/i,
  },
  {
    name: "rate limits",
    delivery: "never_sent",
    says: ["429", "too many requests", "rate limit exceeded", "toomanyrequests"],
  },
  {
    name: "servers overloaded or restarting",
    delivery: "answer_lost",
    says: ["502 bad gateway", "503 service unavailable", "504 gateway timeout", "try again later"],
    also: /bad gateway|service unavailable|internal server error|server error|(?:HTTP\S{0,200}|status(?: code)?|error|code)\W{0,3}5\d\d\b|\b5\d\d (?:server|error)/i,
  },
  {
    name: "locks held",
    delivery: "never_sent",
    says: ["could not get lock", "lock held by another process", "index.lock exists", "database is locked"],
  },
  {
    name: "resources busy",
    delivery: "answered",
    says: ["resource temporarily unavailable", "device or resource busy", "text file busy", "EAGAIN"],
  },
];

/** One line for each group, for the model and for people. */
export const failureSignLines = (): string[] => FAILURE_SIGNS.map(({ name, says }) => `${name}: ${says.join(", ")}`);

/**
 * Whether a tool may have been run although its HTTP answer has this status: a gateway may have answered in its place, also when it
 * says that it limits a rate.
 */
export const leavesOutcomeOpen = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** `?timeout=32s` and `--connect-timeout` set a limit. They do not report that it was reached. */
// One try for each word: from every character of a long one, it would take seconds.
const TIMEOUT_OPTIONS = /(?<![\w-])[\w-]*time-?out=\S*|--[\w-]{0,60}time-?out\b/gi;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const MATCHERS = FAILURE_SIGNS.map((signs) => ({
  ...signs,
  phrases: new RegExp(signs.says.map(escaped).join("|"), "i"),
}));

/** Finds the first group with this delivery that has a sign in the message. */
function findSign(message: string, delivery: StepDelivery): FailureSigns | null {
  const text = message.replace(TIMEOUT_OPTIONS, "");
  const found = MATCHERS.find(
    ({ delivery: of, phrases, also }) => of === delivery && (phrases.test(text) || also?.test(text) === true),
  );
  return found ?? null;
}

/** Whether the text says that an answer was lost. Programs, servers and tools write it. */
export const reportsLostAnswer = (text: string): boolean => findSign(text, "answer_lost") !== null;

/** Whether the text says that nothing was sent, or that something is busy for the moment. */
export const reportsNothingDone = (text: string): boolean =>
  findSign(text, "never_sent") !== null || findSign(text, "answered") !== null;

/** What a shell step reaches other machines with, as far as its text shows. */
export type Clients = {
  /** "" is one that the text does not show. */
  readonly programs: readonly string[];
  /** The only command that reaches another machine, where nothing else of the step changes anything. */
  readonly only: readonly string[] | null;
};

type CommandEnding = {
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timed_out: boolean;
};

export type CommandDelivery = {
  readonly delivery: StepDelivery;
  /** The work may go on where it was sent. */
  readonly still_runs: boolean;
};

/** Exit codes by which a client says that it got no answer. */
const LOST_EXITS: Readonly<Record<string, readonly number[]>> = {
  curl: [18, 28, 52, 55, 56, 92, 95, 96],
  wget: [4],
  ssh: [255],
  scp: [255],
  sftp: [255],
  rsync: [10, 12, 20, 30, 35, 255],
  psql: [2],
};
/** Of curl where the server has closed the exchange. */
const CLOSED_EXITS: readonly number[] = [18, 52, 55, 56, 92];

const isLostExit = (code: number, programs: readonly string[]): boolean => {
  // 124: ended by `timeout`. Above 128: ended by a signal.
  if (code === 124 || (code > 128 && code <= 192)) return true;
  const isForeign = programs.length === 0 || programs.some((name) => LOST_EXITS[name] === undefined);
  return Object.entries(LOST_EXITS).some(
    ([name, codes]) => codes.includes(code) && (programs.includes(name) || (isForeign && code !== 2 && code !== 4)),
  );
};

/** How the failure of a step that changes something on another machine leaves it there. */
export function deliveryOf({ programs, only }: Clients, ending: CommandEnding): CommandDelivery {
  const { exit_code, stdout, stderr, timed_out } = ending;
  if (exit_code === null || timed_out) return LOST_AND_RUNNING;
  if (only !== null && isNeverSent(only, ending)) return { delivery: "never_sent", still_runs: false };
  if (only !== null && (isRefusedLogin(only, ending) || isNotFound(exit_code))) return ANSWERED;
  const text = `${stderr}\n${stdout}`;
  const sign = findSign(text, "answer_lost");
  if (sign === null && !isLostExit(exit_code, programs)) return ANSWERED;
  const by_shell = programs.some((name) => REMOTE_SHELLS.has(name)) || exit_code > 123;
  const isClosed = sign?.closed === true || (sign === null && CLOSED_EXITS.includes(exit_code));
  return { delivery: "answer_lost", still_runs: by_shell || !isClosed };
}

/** Of bash: the program could not be run. */
const isNotFound = (exit_code: number): boolean => exit_code === 126 || exit_code === 127;

const ANSWERED: CommandDelivery = { delivery: "answered", still_runs: false };
const LOST_AND_RUNNING: CommandDelivery = { delivery: "answer_lost", still_runs: true };

const REMOTE_SHELLS: ReadonlySet<string> = new Set(["ssh", "scp", "sftp", "rsync", "ansible"]);

/** Before curl has sent anything: name, connection or handshake. */
const CURL_BEFORE = new Set([5, 6, 7, 35]);
const CURL_TEXT = /^curl: \((\d+)\) (.*)$/gm;
const CURL_CONNECTS = /^(?:Failed to connect|Connection timed? ?out after|Resolving timed out|Connection timeout)/i;

/** Only the words of the client itself count, and only where it was asked for one thing. */
function isNeverSent(argv: readonly string[], ending: CommandEnding): boolean {
  const [name = ""] = argv;
  if (name === "curl") return isOneRequest(argv) && hasCurlSentNothing(ending);
  if (ending.stdout.trim() !== "") return false;
  const text = ending.stderr;
  if (name === "wget") return isOneRequest(argv) && !/retrying/i.test(text) && isRefusedBefore(text);
  if (REMOTE_SHELLS.has(name)) return ending.exit_code === 255 && hasShellNotConnected(argv, text);
  // Only the client's own message counts: a database server may fail to reach another server after it has done part of the work.
  if (DATABASES.has(name) && CONNECTION_FAILED[name]?.test(text) !== true) return false;
  return ONE_REQUEST.has(name) && isRefusedBefore(text);
}

const DATABASES: ReadonlySet<string> = new Set(["psql", "mysql", "mariadb"]);

const isRefusedBefore = (text: string): boolean =>
  findSign(text, "never_sent") !== null && findSign(text, "answer_lost") === null;

/** Programs that make one request and report how it ended. */
const ONE_REQUEST: ReadonlySet<string> = new Set(
  "git psql mysql mariadb redis-cli valkey-cli mongosh kubectl helm docker podman http https xh mosquitto_pub".split(
    " ",
  ),
);

/** Redirections and retries of the client may have sent it before. */
const SENDS_AGAIN = /^(?:--location|--retry|--next|--config|--parallel|--proto-redir|--tries|--input-file)/;

function isOneRequest([name = "", ...args]: readonly string[]): boolean {
  const letters = name === "curl" ? /^-[a-zA-Z#]*[LKZ]/ : /^-[a-zA-Z]*[it]/;
  if (args.some((word) => SENDS_AGAIN.test(word) || letters.test(word))) return false;
  const urls = args.filter((word) => word.includes("://"));
  return urls.length === 1 && !urls.some((url) => /[{}[\]]/.test(url.replace(/\/\/\[[\da-f:]+\]/i, "//")));
}

function hasCurlSentNothing({ exit_code, stderr }: CommandEnding): boolean {
  const errors = [...stderr.matchAll(CURL_TEXT)].map(([, code = "", text = ""]) => ({ code: Number(code), text }));
  if (errors.length > 1) return false;
  const { code, text } = errors[0] ?? { code: exit_code ?? 0, text: "" };
  if (CURL_BEFORE.has(code)) return true;
  if (code === 28) return CURL_CONNECTS.test(text);
  return code === 22 && /returned error: 429\b/.test(text);
}

/** The host in the message must be the one of this command: the command over there may have reached another one. */
function hasShellNotConnected(argv: readonly string[], stderr: string): boolean {
  const [, host] =
    /^ssh: connect to host (\S+) port \d+: /m.exec(stderr) ??
    /^ssh: Could not resolve hostname (\S+?): /m.exec(stderr) ??
    [];
  return host !== undefined && argv.slice(1).some((word) => word.replace(/^[^@]*@/, "").replace(/:.*$/, "") === host);
}

/** Matches the message of a client that reached no server or could not log in: its command did not run. */
const CONNECTION_FAILED: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    [...REMOTE_SHELLS].map((name) => [
      name,
      /^(?:Host key verification failed\.|\S+: Permission denied \(|ssh: (?:connect to host|Could not resolve))/m,
    ]),
  ),
  psql: /^psql: (?:error: )?(?:connection to server |could not connect )/,
  mysql: /^ERROR (?:1044|1045|1049|2002|2003|2005) /m,
  mariadb: /^ERROR (?:1044|1045|1049|2002|2003|2005) /m,
};

function isRefusedLogin([name = ""]: readonly string[], { exit_code, stdout, stderr }: CommandEnding): boolean {
  if (REMOTE_SHELLS.has(name) && exit_code !== 255) return false;
  return stdout.trim() === "" && CONNECTION_FAILED[name]?.test(stderr) === true;
}
