// Clusters, infrastructure as code and the command lines of clouds.
import {
  behindOptions,
  changes,
  type Family,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
  unlessDry,
  unsure,
  verbs,
  words,
} from "./effect.ts";

const CLUSTER = "changes the cluster";
const INFRASTRUCTURE = "changes infrastructure";

const GLOBALS = `-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout -v
  --v --certificate-authority --client-key --client-certificate --cache-dir --tls-server-name --username --password
  --profile --profile-output`;

const part = (reading: string, change: string): Rule =>
  verbs({ why: CLUSTER, valued: GLOBALS, reads: reading, changes: change });

/** What stands behind `--` arrives as a command of its own; without it nobody has read it. */
const inPod: Rule = (argv) => (argv.includes("--") ? READS : UNSURE);

const kube = (more: Family): Rule =>
  unlessDry(
    "dry-run",
    verbs({
      why: CLUSTER,
      valued: GLOBALS,
      reads: `get describe logs top explain api-resources api-versions version diff wait events options completion
        kustomize`,
      changes: `apply delete create replace patch edit scale autoscale set label annotate expose run debug drain cordon
        uncordon taint cp certificate`,
      rules: [
        ["auth", part("can-i whoami", "reconcile")],
        ["rollout", part("status history", "restart undo pause resume")],
        [
          "config",
          part(
            "view get-contexts get-clusters get-users current-context",
            "set set-context set-cluster set-credentials use-context delete-context delete-cluster delete-user rename-context unset",
          ),
        ],
        ["cluster-info", options({ why: "writes files", changes: "output-directory" })],
        ["apply", verbs({ why: CLUSTER, reads: "view-last-applied", bare: changes(CLUSTER), valued: "-f -k -l" })],
        ["plugin", part("list", "")],
        ...more,
      ],
    }),
  );

const kubectl = kube([["exec", inPod]]);

const oc = kube([
  ["whoami status projects", reads],
  ["project", options({ why: CLUSTER, operands: 0 })],
  ["login logout new-project new-app start-build tag import-image rollback", () => changes(CLUSTER)],
  ["adm", part("top", "drain cordon uncordon policy upgrade taint prune")],
]);

const helm = unlessDry(
  "dry-run",
  verbs({
    why: CLUSTER,
    valued:
      "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --registry-config --repository-config",
    reads: "list ls status history hist get show inspect search lint version env verify diff completion",
    changes: "install upgrade uninstall delete del rollback push pull fetch package create test",
    rules: [
      ["template", options({ why: "writes files", changes: "output-dir" })],
      ["repo", part("list ls", "add remove rm update up index")],
      ["plugin", part("list ls", "install uninstall update")],
      ["dependency dep", part("list ls", "build update up")],
    ],
  }),
);

const terraform = verbs({
  why: INFRASTRUCTURE,
  reads: "show output validate version graph metadata",
  changes: "apply destroy import taint untaint init get refresh force-unlock login logout test",
  rules: [
    [
      "plan",
      ([, ...args]) =>
        args.some((arg) => /^--?(out|generate-config-out)\b/.test(arg)) ? changes("writes files") : READS,
    ],
    ["state", verbs({ why: INFRASTRUCTURE, reads: "list show pull", changes: "mv rm push replace-provider" })],
    ["workspace", verbs({ why: INFRASTRUCTURE, reads: "list show", changes: "new select delete" })],
    ["providers", verbs({ why: INFRASTRUCTURE, reads: "schema", changes: "lock mirror" })],
    [
      "fmt",
      ([, ...args]) => (args.some((arg) => /^--?(check|write=false)$/.test(arg)) ? READS : changes("writes files")),
    ],
  ],
});

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

const cloud: Rule = ([, ...args]) => {
  const rest = behindOptions(args, CLOUD_VALUED);
  if (rest.length === 0) return READS;
  const end = rest.findIndex((arg) => arg.startsWith("-"));
  const nouns = end < 0 ? rest : rest.slice(0, end);
  if (nouns.includes("get-credentials")) return changes("writes files");
  const action = nouns.find((word) => CLOUD_LOOKS.test(word) || CLOUD_ACTIONS.test(word));
  return action !== undefined && CLOUD_LOOKS.test(action) ? READS : UNSURE;
};

const AWS_VALUED = new Set(words("--profile --region --output --endpoint-url --query --ca-bundle --color"));

const S3 = verbs({ why: INFRASTRUCTURE, reads: "ls", changes: "cp mv rm sync mb rb" });

const aws: Rule = ([, ...args], state) => {
  const [service, action = ""] = args.filter((arg, at) => !arg.startsWith("-") && !AWS_VALUED.has(args[at - 1] ?? ""));
  if (service === undefined) return READS;
  if (service === "s3") return S3(["s3", action], state);
  if (action === "get-object") return changes("writes files");
  if (service === "logs" && /^(tail|filter-log-events)$/.test(action)) return READS;
  return /^(describe|list|get|head|lookup|batch-get)(-|$)/.test(action) ? READS : UNSURE;
};

/** Only asked to name or to parse does it leave the hosts alone. */
const playbook: Rule = options({ reads: "list-hosts list-tasks list-tags syntax-check", otherwise: UNSURE });

const simple = (why: string, reading: string, change: string): Rule => verbs({ why, reads: reading, changes: change });

export const CLUSTERS: Family = [
  ["kubectl", kubectl],
  ["oc", oc],
  ["helm", helm],
  ["kubectx kubens", options({ why: CLUSTER, changes: "d u", operands: 0 })],
  ["stern kubeval kubeconform kube-score", reads],
  ["kustomize", simple("writes files", "build version cfg", "edit create")],
  [
    "minikube kind k3d",
    simple(CLUSTER, "status version profile ip logs get list node", "start stop delete create pause"),
  ],
  [
    "argocd",
    verbs({
      why: CLUSTER,
      reads: "version",
      rules: [
        [
          "app repo cluster proj",
          part("list get history diff logs resources", "sync create delete set rollback add rm"),
        ],
      ],
    }),
  ],
  [
    "flux",
    simple(
      CLUSTER,
      "get check logs events version stats tree trace",
      "reconcile suspend resume create delete bootstrap",
    ),
  ],
  ["terraform tofu", terraform],
  ["ansible", playbook],
  ["ansible-playbook", playbook],
  [
    "ansible-inventory",
    options({ why: "writes files", changes: "output", reads: "list host graph", otherwise: UNSURE }),
  ],
  ["aws", aws],
  ["gcloud az doctl hcloud", cloud],
  [
    "qm pct",
    simple(
      "changes virtual machines",
      "list status config pending listsnapshot cpusets",
      `start stop shutdown reboot reset
    create destroy set clone migrate snapshot rollback resize suspend resume delsnapshot restore template enter`,
    ),
  ],
  ["pvesm", simple("changes storage", "status list path scan", "add remove set alloc free")],
  ["pvecm", simple(CLUSTER, "status nodes", "add addnode delnode create expected updatecerts")],
  ["pvesh", simple("changes virtual machines", "get ls usage", "create set delete")],
  [
    "virsh",
    verbs({
      why: "changes virtual machines",
      valued: "-c --connect",
      reads: `list dominfo domstate domblklist domblkstat domiflist domifaddr domstats dumpxml nodeinfo net-list net-info
        net-dumpxml pool-list pool-info vol-list vol-info snapshot-list capabilities version uri vcpuinfo sysinfo`,
      changes: `start shutdown destroy reboot reset suspend resume define undefine create edit save restore migrate
        snapshot-create snapshot-revert snapshot-delete attach-disk detach-disk setmem setvcpus autostart net-start net-destroy`,
    }),
  ],
  [
    "vagrant",
    simple(
      "changes virtual machines",
      "status global-status version validate port",
      "up halt destroy reload suspend resume provision",
    ),
  ],
  ["nomad", simple(CLUSTER, "status version plan logs", "run stop")],
  ["consul", simple(CLUSTER, "members info version catalog validate", "join leave force-leave reload lock")],
  ["vault", simple("changes secrets", "status version", "write delete login unwrap")],
  [
    "etcdctl",
    verbs({
      why: CLUSTER,
      valued: "--endpoints --cacert --cert --key --user --write-out -w",
      reads: "get version watch",
      changes: "put del txn compaction defrag",
      rules: [
        ["member", part("list", "add remove update promote")],
        ["endpoint", part("health status hashkv", "")],
        ["alarm", part("list", "disarm")],
      ],
    }),
  ],
  ["k9s pulumi terragrunt puppet salt chef-client", unsure],
];
