// All programs that the guard knows, by name. To teach it a program, add a record to the file that the program belongs to.
import { type Program, SILENT } from "../interpreter/machine.ts";
import { matches } from "../words/glob.ts";
import { has, hasLong, optionTable, optionValue, optionValues, parseOptions, words } from "../words/options.ts";
import { isUnknown, SOME, UNKNOWN } from "../words/symbols.ts";
import { ACCOUNTS, SUDOERS } from "./accounts.ts";
import { AWK } from "./awk.ts";
import { BUILTINS, EVALUATING_BUILTINS } from "./builtins.ts";
import { CLUSTER, CLUSTERS } from "./clusters.ts";
import { ARCHIVERS, COPY, DD } from "./copy.ts";
import { DATABASES } from "./databases.ts";
import { DISK_TOOLS, FILE_SYSTEMS, PARTITIONS } from "./disks.ts";
import { DOCKER } from "./docker.ts";
import { FILES, TEE } from "./files.ts";
import { ENCODERS, FILTERS } from "./filters.ts";
import { FIND, XARGS } from "./find/find.ts";
import { DASHED_GIT, FORGES, GIT } from "./git.ts";
import { GUESTS, listsOnly, runInGuest } from "./guests.ts";
import { LANGUAGE_PACKAGES } from "./language-packages.ts";
import { LANGUAGES } from "./languages.ts";
import { LAUNCHERS } from "./launchers.ts";
import { CLUSTER_LOOKS } from "./looks/clusters.ts";
import { looks } from "./looks/rule.ts";
import { SERVICE_LOOKS } from "./looks/services.ts";
import { STORAGE_LOOKS } from "./looks/storage.ts";
import { MACHINE_SETTINGS } from "./machine-settings.ts";
import { PLAYBOOKS, TASK_RUNNERS } from "./make.ts";
import { NETWORK_TOOLS } from "./network.ts";
import { PACKAGE_MANAGERS } from "./packages.ts";
import {
  afterOptions,
  byOptions,
  COMPLETIONS,
  type Effect,
  type EffectRule,
  given,
  isFile,
  mayBeOption,
  options,
  type ProgramRecord,
  verbs,
} from "./record.ts";
import { PERMISSIONS, RM, SHRED } from "./rm.ts";
import { EDITORS } from "./runs-texts.ts";
import { SED_RECORDS } from "./sed.ts";
import { SERVICE_MANAGERS } from "./services.ts";
import { SHELLS } from "./shells.ts";
import { TEXT_TOOLS } from "./text.ts";

// Infrastructure as code, virtual machines and the command lines of clouds.

const INFRASTRUCTURE = "changes infrastructure";

const terraform = verbs(
  INFRASTRUCTURE,
  "show output validate version graph metadata",
  "apply destroy import taint untaint init get refresh force-unlock login logout test",
  {
    rules: [
      [
        "plan",
        ([, ...args]) =>
          args.some((arg) => /^--?(out|generate-config-out)\b/.test(arg)) ? { changes: "writes files" } : "reads",
      ],
      ["state", verbs(INFRASTRUCTURE, "list show pull", "mv rm push replace-provider")],
      ["workspace", verbs(INFRASTRUCTURE, "list show", "new select delete")],
      ["providers", verbs(INFRASTRUCTURE, "schema", "lock mirror")],
      [
        "fmt",
        ([, ...args]) =>
          args.some((arg) => /^--?(check|write=false)$/.test(arg)) ? "reads" : { changes: "writes files" },
      ],
    ],
  },
);

const CLOUD_LOOKS = /^(describe|list|show|get)\b/;

const CLOUD_ACTIONS = new RegExp(
  `^(${words(`create delete update add remove set start stop restart reset resize deploy ssh scp import export enable disable
  attach detach restore run patch apply put cp mv rm sync login logout move promote rollback init invoke call clone
  purge deallocate generate copy upload download install renew grant revoke submit print rotate`).join("|")})\\b`,
);

/** `gcloud compute instances list`, `az vm show`: the first word that is an action decides. */
const CLOUD_VALUED = new Set(
  words("--project --account --configuration --format --subscription --output -o --context --token"),
);

const cloud: EffectRule = ([, ...args]) => {
  const rest = afterOptions(args, CLOUD_VALUED);
  if (rest.length === 0) return "reads";
  const end = rest.findIndex((arg) => arg.startsWith("-"));
  const nouns = end < 0 ? rest : rest.slice(0, end);
  if (nouns.includes("get-credentials")) return { changes: "writes files" };
  const action = nouns.find((word) => CLOUD_LOOKS.test(word) || CLOUD_ACTIONS.test(word));
  return action !== undefined && CLOUD_LOOKS.test(action) ? "reads" : "unknown";
};

const AWS_VALUED = new Set(words("--profile --region --output --endpoint-url --query --ca-bundle --color"));

const S3 = verbs(INFRASTRUCTURE, "ls", "cp mv rm sync mb rb");

const aws: EffectRule = ([, ...args], state) => {
  const [service, action = ""] = args.filter((arg, at) => !arg.startsWith("-") && !AWS_VALUED.has(args[at - 1] ?? ""));
  if (service === undefined) return "reads";
  if (service === "s3") return S3(["s3", action], state);
  if (action === "get-object") return { changes: "writes files" };
  if (service === "logs" && /^(tail|filter-log-events)$/.test(action)) return "reads";
  return /^(describe|list|get|head|lookup|batch-get)(-|$)/.test(action) ? "reads" : "unknown";
};

const INFRASTRUCTURE_TOOLS: readonly ProgramRecord[] = [
  { names: "terraform", prints: "anything", printsSetup: COMPLETIONS, effect: terraform },
  { names: "tofu", effect: terraform },
  { names: "ansible-playbook", ...PLAYBOOKS, effect: listsOnly },
  {
    names: "ansible-inventory",
    effect: options({ why: "writes files", changes: "output", reads: "list host graph", otherwise: "unknown" }),
  },
  { names: "aws", effect: aws },
  { names: "gcloud az doctl hcloud", effect: cloud },
  {
    names: "qm pct",
    runs: runInGuest,
    effect: verbs(
      "changes virtual machines",
      "list status config pending listsnapshot cpusets showcmd df",
      `start stop shutdown reboot reset
    create destroy set clone migrate snapshot rollback resize suspend resume delsnapshot restore template enter`,
      {
        rules: [
          ["exec", ([, ...args]) => (args.includes("--") ? "reads" : "unknown")],
          ["agent", looks("* ping|get-*|info|network-get-interfaces")],
          ["guest", looks("cmd * ping|get-*|info|network-get-interfaces, exec-status")],
          ["cloudinit", looks("dump, pending")],
        ],
      },
    ),
  },
  { names: "pvesm", effect: verbs("changes storage", "status list path scan", "add remove set alloc free") },
  { names: "pvecm", effect: verbs(CLUSTER, "status nodes", "add addnode delnode create expected updatecerts") },
  { names: "pvesh", effect: verbs("changes virtual machines", "get ls usage", "create set delete") },
  {
    names: "virsh",
    effect: verbs(
      "changes virtual machines",
      `list dominfo domstate domblklist domblkstat domiflist domifaddr domstats dumpxml nodeinfo net-list net-info
        net-dumpxml pool-list pool-info vol-list vol-info snapshot-list capabilities version uri vcpuinfo sysinfo
        domid domuuid domname dommemstat domfsinfo domjobinfo domhostname domcontrol domblkinfo domifstat domif-getlink
        vcpucount vncdisplay domdisplay ttyconsole hostname freecell freepages nodememstats nodecpumap nodecpustats nodedev-list nodedev-info
        nodedev-dumpxml iface-list iface-dumpxml nwfilter-list nwfilter-dumpxml net-dhcp-leases net-uuid net-name pool-dumpxml pool-uuid vol-path
        vol-key vol-dumpxml vol-pool snapshot-info snapshot-current snapshot-dumpxml snapshot-parent checkpoint-list secret-list
        domcapabilities cpu-models maxvcpus iothreadinfo guestinfo perf schedinfo`,
      `start shutdown destroy reboot reset suspend resume define undefine create edit save restore migrate
        snapshot-create snapshot-revert snapshot-delete attach-disk detach-disk setmem setvcpus autostart net-start net-destroy`,
      {
        valued: "-c --connect",
        rules: [
          ["domtime", options({ why: "changes virtual machines", changes: "now sync time set" })],
          ["schedinfo", options({ why: "changes virtual machines", changes: "set" })],
          ["perf", options({ why: "changes virtual machines", changes: "enable disable" })],
          ["snapshot-current", options({ why: "changes virtual machines", reads: "name", otherwise: "unknown" })],
        ],
      },
    ),
  },
  {
    names: "vagrant",
    effect: verbs(
      "changes virtual machines",
      "status global-status version validate port ssh-config",
      "up halt destroy reload suspend resume provision",
      {
        rules: [
          ["box", verbs("changes virtual machines", "list outdated", "add remove update prune repackage")],
          ["plugin", verbs("changes virtual machines", "list", "install uninstall update repair")],
          ["snapshot", verbs("changes virtual machines", "list", "save restore delete push pop")],
        ],
      },
    ),
  },
  { names: "k9s", printsSetup: COMPLETIONS, effect: "unknown" },
  {
    names: "pulumi",
    effect: looks(
      "stack ls|output|history|graph $, stack $, whoami, config $, config get, about, logs, plugin ls, org get-default",
    ),
  },
  {
    names: "terragrunt",
    effect: (argv, state) =>
      argv[1] === "plan" || argv[1] === "output" || argv[1] === "validate" || argv[1] === "show"
        ? terraform(argv, state)
        : "unknown",
  },
  { names: "puppet chef-client", effect: "unknown" },
];

// `curl`, `wget` and their kind: asking looks, sending and saving change.

const SENDS = { changes: "sends data" };

const ACTS = { changes: "sends a request that changes something" };

const WRITES = { changes: "writes files" };

const BODY = words(
  "d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file mail-rcpt",
);

const SAVING = new Set(words("o output c cookie-jar D dump-header trace trace-ascii stderr etag-save hsts libcurl"));

/** GET and its kind look, every other method changes; null where none is named. */
function methodEffect(methods: readonly (string | null)[]): Effect | null {
  if (methods.length === 0) return null;
  if (methods.some((method) => method === null || isUnknown(method))) return "unknown";
  return methods.every((method) => /^(GET|HEAD|OPTIONS|PROPFIND)$/i.test(method ?? "")) ? "reads" : ACTS;
}

const curlEffect = byOptions(
  `A b c C D d E e F H K m o P Q r T t U u w X x Y y z request data data-raw data-binary data-urlencode data-ascii json form
  upload-file header user output url user-agent cookie cookie-jar config dump-header write-out max-time connect-timeout
  resolve cacert cert key proxy trace trace-ascii stderr output-dir`,
  (parsed) => {
    if (has(parsed, "K", "config", "Q", "quote") || parsed.operands.some(mayBeOption)) return "unknown";
    const method = methodEffect(optionValues(parsed, "X", "request"));
    if (method !== null && method !== "reads") return method;
    if (given(parsed, BODY) && method === null && !has(parsed, "G", "get")) return SENDS;
    const saves = has(parsed, "O", "remote-name", "J", "remote-header-name", "remote-name-all");
    return saves || parsed.options.some(({ name, value }) => SAVING.has(name) && isFile(value)) ? WRITES : "reads";
  },
);

const wgetEffect = byOptions(
  "O o a P U T t Q i output-document output-file append-output method post-data post-file header",
  (parsed) => {
    const method = methodEffect(optionValues(parsed, "method"));
    if (method !== null && method !== "reads") return method;
    if (hasLong(parsed, "post-data", 4) || hasLong(parsed, "post-file", 4) || has(parsed, "body-data", "body-file"))
      return SENDS;
    if (has(parsed, "e", "execute", "config", "use-askpass") || parsed.operands.some(mayBeOption)) return "unknown";
    const log = optionValue(parsed, "o", "a", "output-file", "append-output");
    if (isFile(log)) return WRITES;
    if (has(parsed, "spider", "V", "version", "h", "help")) return "reads";
    const target = optionValue(parsed, "O", "output-document");
    return target !== null && !isFile(target) ? "reads" : WRITES;
  },
);

/** HTTPie: `http POST url`, `http url field=value`. */
const httpie = byOptions("a o A auth output verify timeout", (parsed) => {
  if (has(parsed, "d", "download", "o", "output")) return WRITES;
  const [first = "", ...rest] = parsed.operands;
  if (/^(POST|PUT|PATCH|DELETE)$/i.test(first)) return ACTS;
  const named = /^(GET|HEAD|OPTIONS)$/i.test(first);
  const items = named ? rest.slice(1) : rest;
  if (!named && items.some((item) => /[^=:]:?=(?!=)|@/.test(item))) return SENDS;
  return parsed.operands.some(mayBeOption) ? "unknown" : "reads";
});

const toOutput =
  (short: string, long: string, otherwise: string) =>
  (args: readonly string[]): boolean =>
    !isFile(optionValue(parseOptions(args, SAVING_TABLE), short, long) ?? otherwise);

const SAVING_TABLE = optionTable("o output O output-document X request H header d data w write-out m max-time");

/** `-o /dev/null -w '%{http_code}'` prints the status only. */
const runCurl: Program = ([, ...args]) => {
  const parsed = parseOptions(args, {
    short: "oXHdFuAebmwT",
    long: ["output", "write-out", "request", "header", "max-time", "data"],
  });
  const format = optionValue(parsed, "w", "write-out");
  const silent = optionValue(parsed, "o", "output") !== null;
  return [
    silent && format !== null && /^(%\{(http_code|response_code|size_\w+|time_\w+|num_\w+)\}(\\n)?)+$/.test(format)
      ? SOME
      : UNKNOWN,
  ];
};

const WEB: readonly ProgramRecord[] = [
  { names: "curl", runs: runCurl, downloads: toOutput("o", "output", "-"), effect: curlEffect },
  { names: "wget", prints: "anything", downloads: toOutput("O", "output-document", "file"), effect: wgetEffect },
  { names: "http", prints: "anything", downloads: true, effect: httpie },
  { names: "https xh", downloads: true, effect: httpie },
];

/** Where the text has only a pattern of a name, the suspected programs are tried in this order. */
export const RECORDS: readonly ProgramRecord[] = [
  ...RM,
  ...GIT,
  ...DOCKER,
  ...DD,
  ...FILE_SYSTEMS,
  ...SHRED,
  ...FIND,
  ...PERMISSIONS,
  ...COPY,
  ...TEE,
  ...ARCHIVERS,
  ...PARTITIONS,
  ...DASHED_GIT,
  ...SHELLS,
  ...SUDOERS,
  ...XARGS,
  ...ACCOUNTS,
  ...LAUNCHERS,
  ...EVALUATING_BUILTINS,
  ...BUILTINS,
  ...FILES,
  ...FILTERS,
  ...SED_RECORDS,
  ...AWK,
  ...ENCODERS,
  ...TEXT_TOOLS,
  ...WEB,
  ...EDITORS,
  ...TASK_RUNNERS,
  ...LANGUAGES,
  ...LANGUAGE_PACKAGES,
  ...PACKAGE_MANAGERS,
  ...FORGES,
  ...CLUSTERS,
  ...INFRASTRUCTURE_TOOLS,
  ...GUESTS,
  ...DATABASES,
  ...DISK_TOOLS,
  ...NETWORK_TOOLS,
  ...MACHINE_SETTINGS,
  ...SERVICE_MANAGERS,
  ...CLUSTER_LOOKS,
  ...STORAGE_LOOKS,
  ...SERVICE_LOOKS,
];

const namesOf = ({ names }: ProgramRecord): readonly string[] => words(names);

const BY_NAME: ReadonlyMap<string, ProgramRecord> = new Map(
  RECORDS.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);

export const recordOf = (name: string): ProgramRecord | undefined => BY_NAME.get(name);

/** Whether a name that is not wholly known may be that of a program in the table. */
export const mayBeKnown = (name: string): boolean => [...BY_NAME.keys()].some((known) => matches(name, known));

const PRINTS = { anything: () => [UNKNOWN], nothing: () => SILENT, "a word": () => [SOME] } as const;

const programOf = (record: ProgramRecord | undefined): Program | undefined =>
  record?.runs ?? (record?.prints === undefined ? undefined : PRINTS[record.prints]);

/** `python3.11` runs as python does. */
export function runsOf(name: string): Program | undefined {
  if (!/[\d.]$/.test(name)) return programOf(recordOf(name));
  const [, base = ""] = /^(.+?)-?\d[\d.]*$/.exec(name) ?? [];
  const general = recordOf(base);
  return programOf(general?.versions === true ? general : recordOf(name));
}

/** `mkfs.ext4` has the effect of mkfs. */
export function effectRuleOf(name: string): ProgramRecord["effect"] {
  const own = recordOf(name)?.effect;
  if (own !== undefined) return own;
  const [, base = ""] = /^([^.]+)\.[\w.]+$/.exec(name) ?? [];
  const general = recordOf(base);
  return general?.kinds === true ? general.effect : undefined;
}

const suspects = RECORDS.filter(({ suspected }) => suspected !== undefined);
export const SUSPECTS: readonly string[] = suspects.flatMap(namesOf);

export const isSuspectedAnywhere = (name: string): boolean => recordOf(name)?.suspected === "anywhere";

function codeOptionOf(name: string): RegExp | undefined {
  const [, base = name] = /^(.+?)-?\d[\d.]*$/.exec(name) ?? [];
  return (recordOf(name) ?? recordOf(base))?.code;
}

/** Where the words name a program to which one of the words after it gives code: `python3 -c`, `bash -c`; else -1. */
export const placeOfCode = (args: readonly string[]): number =>
  args.findIndex((word, at) => {
    const code = codeOptionOf(word.slice(word.lastIndexOf("/") + 1));
    return code !== undefined && args.slice(at + 1).some((arg) => code.test(arg));
  });

export const printsNumbers = ([name = "", ...args]: readonly string[]): boolean =>
  recordOf(name)?.numbers?.(args) === true;

/** Whether what the command line prints is made for `eval`. */
export function printsSetup([name = "", ...args]: readonly string[]): boolean {
  const setup = recordOf(name)?.printsSetup;
  if (setup === undefined || setup === true) return setup === true;
  return words(setup).includes(args.join(" ").split(/\s/, 1)[0] ?? "");
}
