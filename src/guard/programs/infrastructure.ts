// Holds the records of infrastructure as code, virtual machines and the command lines of clouds.
import { words } from "../words/options.ts";
import { CLUSTER } from "./clusters.ts";
import { runInGuest } from "./guests.ts";
import { looks } from "./looks/rule.ts";
import { listsOnly } from "./many-machines.ts";
import { afterOptions, COMPLETIONS, type EffectRule, options, type ProgramRecord, verbs } from "./record.ts";
import { PLAYBOOKS } from "./task-runners.ts";

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

export const INFRASTRUCTURE_TOOLS: readonly ProgramRecord[] = [
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
