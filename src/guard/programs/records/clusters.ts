// Holds the records of clusters, schedulers, registries of services and stores of secrets.
import type { Program } from "../../interpreter/machine.ts";
import { fork } from "../../interpreter/state.ts";
import { optionTable, optionValue, parseOptions } from "../../words/options.ts";
import { isUnknown, UNKNOWN } from "../../words/symbols.ts";
import type { Consequences, EffectRule, ProgramRecord, WordsRule } from "../record.ts";
import {
  ACTING,
  afterOptions,
  CLUSTER,
  COMPLETIONS,
  dashed,
  options,
  unlessDry,
  type VerbRules,
  verbs,
  WRITING,
} from "../rules/effects.ts";
import { onMachine } from "../rules/elsewhere.ts";
import { passes } from "../rules/launch.ts";
import { looks } from "../rules/looks.ts";
import { ANY, type Args, fits, OPERAND, PATH } from "../rules/select.ts";
import { KUBECTL_OBEYS } from "./clusters/manifests.ts";

const REPLICAS = /^jsonpath=\{\.(status\.(\w*[rR]eplicas|observedGeneration)|spec\.replicas)\}$/;
const WORKLOAD = /^(deploy(ments?)?|sts|statefulsets?|rs|replicasets?)(\/|$)/;

/** `kubectl get deploy web -o jsonpath={.status.readyReplicas}`. */
const getsReplicas = ([verb, kind = "", ...args]: Args): boolean =>
  verb === "get" &&
  WORKLOAD.test(kind) &&
  fits(args, { valued: { "-o": REPLICAS, "-n": OPERAND, "--namespace": OPERAND }, operands: OPERAND }, ["-o"]);

/** Matches paths in a YAML list. */
const RESOURCES = /^\s*-\s+["']?((?:\.{1,2}\/|[\w-]+\/)[\w./-]+|[\w./-]+\.(?:ya?ml|json))["']?\s*$/gm;

const KUSTOMIZATIONS = "kustomization.yaml kustomization.yml";

const KUBE_VALUED = optionTable(
  "n namespace c container f filename l selector o output replicas context cluster kubeconfig s server grace-period timeout tail since p patch type",
);

const BEFORE_VERB = dashed(
  "n namespace context cluster kubeconfig user s server token as as-group request-timeout v certificate-authority client-key client-certificate cache-dir tls-server-name",
);

/** Pods, and resources of a cluster with their kind. */
const kubeResources: WordsRule = ([, ...args]) => {
  const dashes = args.indexOf("--");
  const [verb = "", ...rest] = afterOptions(dashes < 0 ? args : args.slice(0, dashes), BEFORE_VERB);
  const { operands } = parseOptions(rest, KUBE_VALUED);
  if (/^(?:exec|logs|attach|port-forward|debug|cp)$/.test(verb)) return operands.slice(0, 1);
  const names = verb === "rollout" ? operands.slice(1) : operands;
  if (!/^(?:rollout|delete|scale|edit|patch|label|annotate|set|drain|cordon|uncordon|expose|autoscale)$/.test(verb))
    return [];
  const [kind = "", ...given] = names;
  if (/^(?:drain|cordon|uncordon)$/.test(verb)) return names.map((node) => `node/${node}`);
  return kind.includes("/") ? names : given.map((name) => `${kind}/${name}`);
};

const IN_MACHINE = onMachine("p profile n node", "ssh");

const GLOBALS = `n namespace context cluster kubeconfig user s server token as as-group request-timeout v
  v certificate-authority client-key client-certificate cache-dir tls-server-name username password
  profile profile-output`;

const printing = options({ why: "writes files", changes: "o output output-dir", valued: "o output" });

const part = (reading: string, change: string): EffectRule => verbs(CLUSTER, reading, change, { valued: GLOBALS });

/** The words after `--` are judged as a command; without them the command is unknown. */
const inPod: EffectRule = (argv) => (argv.includes("--") ? "reads" : "unknown");

const kube = (more: VerbRules): EffectRule =>
  unlessDry(
    "dry-run",
    verbs(
      CLUSTER,
      `get describe logs top explain api-resources api-versions version diff wait events options completion`,
      `apply delete create replace patch edit scale autoscale expose run debug drain cordon
        uncordon taint cp certificate`,
      {
        valued: GLOBALS,
        rules: [
          ["auth", part("can-i whoami", "reconcile")],
          ["kustomize", printing],
          ["label annotate", keyed],
          [
            "set",
            verbs(CLUSTER, "", "image resources selector serviceaccount subject", {
              valued: GLOBALS,
              rules: [["env", keyed]],
            }),
          ],
          ["krew", part("list info search version", "install uninstall update upgrade index")],
          ["rollout", part("status history", "restart undo pause resume")],
          [
            "config",
            part(
              "view get-contexts get-clusters get-users current-context",
              "set set-context set-cluster set-credentials use-context delete-context delete-cluster delete-user rename-context unset",
            ),
          ],
          ["cluster-info", options({ why: "writes files", changes: "output-directory" })],
          ["apply", verbs(CLUSTER, "view-last-applied", "", { bare: { changes: CLUSTER }, valued: "f k l" })],
          ["plugin", part("list", "")],
          ...more,
        ],
      },
    ),
  );

const KEYED = optionTable("n namespace l selector f filename k o output field-manager context");

/** `--list` prints, unless a key is set or removed as well. */
const keyed: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, KEYED);
  const lists = parsed.options.some(({ name, value }) => name === "list" && value !== "false");
  return lists && !parsed.operands.some((word) => /=|-$/.test(word) || isUnknown(word))
    ? "reads"
    : { changes: CLUSTER };
};

const kubectl = kube([["exec", inPod]]);

const oc = kube([
  ["whoami status projects", "reads"],
  ["project", options({ why: CLUSTER, operands: 0 })],
  ["login logout new-project new-app start-build tag import-image rollback", { changes: CLUSTER }],
  ["adm", part("top", "drain cordon uncordon policy upgrade taint prune")],
]);

const helm = unlessDry(
  "dry-run",
  verbs(
    CLUSTER,
    "list ls status history hist get show inspect search lint version env verify diff completion",
    "install upgrade uninstall delete del rollback push pull fetch package create test",
    {
      valued: "n namespace kube-context kubeconfig kube-apiserver kube-token registry-config repository-config",
      rules: [
        ["template", options({ why: "writes files", changes: "output-dir" })],
        ["repo", part("list ls", "add remove rm update up index")],
        ["plugin", part("list ls", "install uninstall update")],
        ["dependency dep", part("list ls", "build update up")],
      ],
    },
  ),
);

const K3S = "check-config, etcd-snapshot ls|list, secrets-encrypt status, certificate check, token list, --version, -v";

const OF_NODE = "gives a pod the files or the rights of its node; leave that out, or have this run approved";

/** The words after `--` run in the pod. */
const runInPod: Program = (argv, state, machine) => {
  const args = argv.slice(1);
  const overrides = optionValue(parseOptions(args, optionTable("overrides")), "overrides") ?? "";
  if (/hostPath|"privileged"\s*:\s*true|hostPID/.test(overrides)) machine.report("ask", "dyn.operand", OF_NODE, argv);
  const dashes = args.indexOf("--");
  if (dashes > 0 && args.some((arg) => arg === "exec" || arg === "run" || arg === "debug")) {
    machine.runArgv(args.slice(dashes + 1), fork(state, { location: { cwd: ["/"] } }));
  }
  return [UNKNOWN];
};

const nomad = verbs(CLUSTER, "status version plan logs monitor inspect validate", "run stop init", {
  valued: "address region namespace token",
  rules: [
    [
      "job",
      part(
        "status history inspect plan allocs deployments validate eval-status versions",
        "run stop dispatch revert promote restart scale periodic init start tag",
      ),
    ],
    ["node", part("status config", "drain eligibility meta pool")],
    ["alloc", part("status logs fs checks", "restart signal stop exec pause")],
    ["server", part("members", "join force-leave")],
    [
      "operator",
      looks("raft list-peers, autopilot get-config|health, metrics, scheduler get-config, api /v1/status/leader"),
    ],
    ["deployment", part("list status", "fail pause promote resume unblock")],
    ["eval", part("list status", "delete")],
    ["var", part("list get", "put init purge lock")],
    ["volume", part("status", "create delete deregister detach init register snapshot")],
    ["namespace", part("list status inspect", "apply delete")],
    ["acl", looks("token|policy|role|auth-method list|info|self")],
    ["service", part("list info", "delete")],
    ["plugin quota scaling", part("status list policy inspect", "")],
  ],
});

const kindEffect = verbs(CLUSTER, "version get list", "start stop delete create pause load export", {
  rules: [
    [
      "cluster node registry kubeconfig config",
      verbs(CLUSTER, "list ls get", "create delete start stop edit merge write"),
    ],
  ],
});

const KUBECTL_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = {
  long: "profile-output cache-dir log-file log-dir",
  effect: WRITING,
};

const KUBECTL_CONSEQUENCES: Consequences = {
  restarts_service:
    /^rollout (?:restart|undo)(?:\s|$)|^set (?:image|env|resources)\s(?!.*--(?:list|dry-run=(?:client|server)|local)(?:\s|$))|^drain\s|^scale\s.*--replicas[= ]0(?:\s|$)|^delete\s(?:.*\s)?(?:po|pods?|deploy(?:ments?)?|sts|statefulsets?|ds|daemonsets?|rs|replicasets?|all)(?:\.apps)?(?:[\s/,]|$)/,
  deletes_data: [
    /^delete\s(?!(?:-\S+\s+(?:\S+\s+)?)*(?:po|pods?|events?|jobs?)(?:[\s/]|$))/,
    /^replace\s(?:.*\s)?--force(?=\s|=true|$)|^apply\s(?:.*\s)?--prune(?=\s|=true|$)|^drain\s.*--delete-(?:emptydir|local)-data/,
  ],
  changes_accounts:
    /^(?:create|delete|edit|patch)\s+(?:serviceaccounts?|sa|(?:cluster)?roles?|(?:cluster)?rolebindings?)(?:[\s/]|$)|^adm policy\s|^auth reconcile/,
  changes_network:
    /^(?:create|delete|edit|patch|expose)\s+(?:networkpolic\w+|netpol|ing|ingress(?:es)?|services?|svc)(?:[\s/]|$)/,
};

const KUBECTL_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  when: /(?:^|\s)(?:apply|create|replace|delete|patch|diff|set|scale|rollout|exec|run|label|annotate)(?:\s|$)/,
  options: "f filename k kustomize patch-file from-file from-env-file",
  valued: "n namespace c container l selector p patch o output",
  input: "all",
  includes: RESOURCES,
  includesIn: KUSTOMIZATIONS,
};

const RESETS = /^reset(?:\s|$)(?!.*--dry-run)/;
const MINIKUBE_CONSEQUENCES: Consequences = { deletes_data: /^(?:delete|cluster delete)(?:\s|$)/ };

const KUBECTL_COMMANDS = { variables: "KUBE_EDITOR OC_EDITOR KUBECTL_EXTERNAL_DIFF" };

const HELM_OBEYS: NonNullable<ProgramRecord["obeys"]> = [
  {
    when: /^(?:install|upgrade|template|plugin install)\s/,
    options: "post-renderer",
    valued: "n namespace set set-string set-file version f values repo",
    skip: 1,
    operands: /^(?:https?|git\+\w+):\/\/|\.tgz$/,
  },
];

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "kubectl",
    valued:
      "n namespace context cluster kubeconfig user s server token as as-group request-timeout v v certificate-authority client-key client-certificate cache-dir tls-server-name",
    runs: runInPod,
    numbers: getsReplicas,
    printsSetup: COMPLETIONS,
    effect: kubectl,
    sideEffects: KUBECTL_SIDE_EFFECTS,
    consequences: KUBECTL_CONSEQUENCES,
    hosts: "context s server",
    applies: KUBECTL_APPLIES,
    obeys: KUBECTL_OBEYS,
    commands: KUBECTL_COMMANDS,
    resources: kubeResources,
    fetches: "with cp",
  },
  {
    names: "oc",
    valued:
      "n namespace context cluster kubeconfig user s server token as as-group request-timeout v v certificate-authority client-key client-certificate cache-dir tls-server-name",
    printsSetup: COMPLETIONS,
    effect: oc,
    sideEffects: KUBECTL_SIDE_EFFECTS,
    consequences: KUBECTL_CONSEQUENCES,
    hosts: "context s server",
    applies: KUBECTL_APPLIES,
    obeys: KUBECTL_OBEYS,
    commands: KUBECTL_COMMANDS,
    resources: kubeResources,
  },
  {
    names: "helm",
    valued: "n namespace kube-context kubeconfig",
    printsSetup: COMPLETIONS,
    effect: helm,
    consequences: {
      deletes_data: /^(?:uninstall|delete|del)\s/,
      restarts_service: /^(?:uninstall|delete|del|rollback)\s/,
    },
    hosts: "kube-context kube-apiserver",
    applies: {
      options: "f values set-file",
      valued: "n namespace set set-string version",
      operands: PATH,
    },
    obeys: HELM_OBEYS,
  },
  {
    names: "k3s",
    ...passes(/^(?:kubectl|crictl|ctr)$/, looks(K3S)),
    sideEffects: KUBECTL_SIDE_EFFECTS,
    applies: KUBECTL_APPLIES,
  },
  {
    names: "k0s",
    ...passes(/^(?:kubectl|ctr)$/, looks("status, etcd member-list, config validate, token list, sysinfo")),
    consequences: { deletes_data: RESETS },
  },
  { names: "k0sctl", looks: "version, completion, kubeconfig", consequences: { deletes_data: RESETS } },
  {
    names: "microk8s",
    ...passes(/^(?:kubectl|helm3?|ctr)$/, looks("status, config, addons repo list")),
    consequences: { deletes_data: RESETS },
    applies: KUBECTL_APPLIES,
  },
  { names: "kubectx kubens", effect: options({ why: CLUSTER, changes: "d u", operands: 0 }) },
  { names: "stern", printsSetup: COMPLETIONS, effect: "reads" },
  { names: "kubeval kubeconform kube-score", effect: "reads" },
  {
    names: "kustomize",
    printsSetup: COMPLETIONS,
    effect: verbs("writes files", "version cfg", "edit create", { rules: [["build", printing]] }),
    applies: { when: /^build(?:\s|$)/, skip: 1, operands: ANY, includes: RESOURCES, includesIn: KUSTOMIZATIONS },
  },
  {
    names: "minikube",
    runs: IN_MACHINE.runs,
    printsSetup: `docker-env podman-env ${COMPLETIONS}`,
    effect: verbs(CLUSTER, "status version ip", "start stop delete create pause", {
      valued: "p profile",
      rules: [
        ["ssh", (argv, state) => IN_MACHINE.effect(["minikube", ...argv], state)],
        [
          "node profile addons image service cache",
          verbs(CLUSTER, "list ls", "add delete start stop enable disable load build pull rm"),
        ],
        ["config", verbs(CLUSTER, "view get", "set unset")],
        ["logs", options({ why: "writes files", changes: "file" })],
      ],
    }),
    consequences: MINIKUBE_CONSEQUENCES,
    applies: "f file config config-patch p filename",
  },
  {
    names: "kind",
    printsSetup: COMPLETIONS,
    effect: kindEffect,
    consequences: MINIKUBE_CONSEQUENCES,
    applies: "f file config config-patch p filename",
  },
  {
    names: "k3d",
    printsSetup: COMPLETIONS,
    effect: kindEffect,
    sideEffects: {
      when: /^(?:node|cluster|registry|kubeconfig)\s+(?:create|delete|start|stop|edit|merge)\b/,
      effect: ACTING,
    },
    consequences: MINIKUBE_CONSEQUENCES,
    applies: "f file config config-patch p filename",
  },
  {
    names: "argocd",
    printsSetup: COMPLETIONS,
    effect: verbs(CLUSTER, "version", "", {
      rules: [
        [
          "app repo cluster proj account",
          part("list get history diff logs resources", "sync create delete set rollback add rm"),
        ],
      ],
    }),
  },
  {
    names: "flux",
    printsSetup: COMPLETIONS,
    effect: verbs(
      CLUSTER,
      "get check logs events version stats tree trace diff",
      "reconcile suspend resume create delete bootstrap",
    ),
  },
  {
    names: "etcdctl",
    valued: "endpoints cacert cert key user w write-out",
    effect: verbs(CLUSTER, "get version", "put del txn compaction defrag", {
      valued: "endpoints cacert cert key user write-out w",
      rules: [
        ["member", part("list", "add remove update promote")],
        ["endpoint", part("health status hashkv", "")],
        ["alarm", part("list", "disarm")],
        ["snapshot", part("status", "save restore")],
        ["lease", part("list timetolive", "grant revoke keep-alive")],
        ["user role", part("list get", "add delete grant-role revoke-role passwd grant-permission revoke-permission")],
        ["auth", part("status", "enable disable")],
      ],
    }),
    consequences: { deletes_data: /^del\s/ },
  },
  {
    names: "nomad",
    printsSetup: COMPLETIONS,
    effect: nomad,
    consequences: {
      restarts_service: /^(?:job |alloc )?(?:stop|restart)\s/,
      deletes_data: /^(?:job )?stop\s(?:.*\s)?--?purge(?=\s|$)|^system gc|^(?:volume|var|namespace) (?:delete|purge)\s/,
    },
    applies: {
      when: /^(?:run|runp|create|job (?:run|plan)|plan)(?:\s|$)/,
      operands: /\.(?:nomad|hcl|json|ya?ml)$/,
      input: "all",
    },
    obeys: {
      when: /^(?:run|job run)(?:\s|$)/,
      operands: /\.(?:nomad|hcl|json|ya?ml)$/,
      input: "all",
      holds: /raw_exec|"?exec"?\s*$|driver"?\s*[=:]\s*"(?:raw_)?exec"|privileged|"\/:/m,
    },
  },
  {
    names: "consul",
    printsSetup: COMPLETIONS,
    effect: verbs(
      CLUSTER,
      "members info version catalog validate monitor rtt",
      "join leave force-leave reload lock exec event maint",
      {
        rules: [
          ["kv", part("get export", "put delete import")],
          ["operator", looks("raft list-peers, autopilot get-config|state, usage instances")],
          ["acl", looks("token|policy|role|auth-method|binding-rule list|read")],
          ["intention", part("check get list match", "create delete")],
          ["config", part("list read", "write delete")],
          ["services", part("", "register deregister")],
          ["connect", looks("ca get-config")],
          ["snapshot", part("inspect", "save restore")],
          ["keyring", looks("-list $")],
          ["peering", part("list read", "delete establish generate-token")],
        ],
      },
    ),
    consequences: { deletes_data: /^kv delete(?:\s|$)/ },
    applies: {
      when: /^(?:policy write|config write|kv put|write|services register|acl \w+ create)(?:\s|$)/,
      operands: /\.(?:hcl|json)$/,
      options: "rules config",
    },
  },
  {
    names: "talosctl",
    valued: "n e nodes endpoints context talosconfig",
    looks: `health, service|services $, service|services * $, service|services * status, dmesg, logs, get, containers, memory,
    processes, mounts, netstat, disks, stats, usage|du, time, list|ls, read, events, inspect dependencies,
    config info|contexts, etcd members|status, etcd alarm list, validate, image list|ls|default, cgroups, dashboard`,
    unless: "run-e2e",
    consequences: {
      restarts_service: /^service\s+\S+\s+(?:stop|restart)|^restart\s/,
      reboots: /^(?:reboot|shutdown|reset|upgrade)(?:\s|$)/,
      deletes_data: /^reset(?:\s|$)/,
    },
    hosts: "n nodes e endpoints",
    writes: { when: /\bwipe\s+disk\b/, always: "block" },
    applies: "f file config config-patch p filename",
  },
  {
    names: "kubeadm",
    valued: "kubeconfig config",
    looks: "token list, certs check-expiration, config images list, config print|validate, upgrade plan|diff",
    consequences: { deletes_data: RESETS },
    applies: "f file config config-patch p filename",
  },
  {
    names: "cilium",
    looks: "status, config view, clustermesh status, encryption status, bgp peers|routes",
    printsSetup: COMPLETIONS,
  },
  { names: "hubble", looks: "observe, status, list, config view|get" },
  {
    names: "istioctl",
    valued: "n namespace c context",
    looks: "proxy-status|ps, proxy-config|pc, analyze, validate, x describe|precheck, experimental describe|precheck",
    printsSetup: COMPLETIONS,
  },
  { names: "linkerd", looks: "check, viz stat|top|edges|routes|check|tap, identity, multicluster check|gateways" },
  { names: "calicoctl", looks: "get, node status|checksystem, ipam show|check" },
  { names: "longhornctl", looks: "check, get" },
  {
    names: "helmfile",
    valued: "f file e environment l selector",
    looks: "diff, list, lint, status, template, build",
    applies: { options: "f file", names: "helmfile.yaml helmfile.yaml.gotmpl helmfile.d" },
  },
  { names: "rook-ceph", looks: "status, health, ceph status" },
  { names: "kubeseal", looks: "--fetch-cert, --validate, --version" },
  {
    names: "skaffold tilt garden devspace",
    obeys: { options: "f file filename", names: "skaffold.yaml Tiltfile garden.yml devspace.yaml" },
  },
  { names: "kops clusterctl", applies: "f file config config-patch p filename" },
];
