// Clusters, schedulers, registries of services and stores of secrets.
import type { Program } from "../interpreter/machine.ts";
import { fork } from "../interpreter/state.ts";
import { optionTable, parseOptions } from "../words/options.ts";
import { isUnknown, UNKNOWN } from "../words/symbols.ts";
import { passes } from "./launchers.ts";
import { looks } from "./looks/rule.ts";
import { onMachine } from "./many-machines.ts";
import { getsReplicas } from "./prints-numbers.ts";
import {
  COMPLETIONS,
  type EffectRule,
  options,
  type ProgramRecord,
  unlessDry,
  type VerbRules,
  verbs,
} from "./record.ts";

export const CLUSTER = "changes the cluster";

const IN_MACHINE = onMachine("p profile n node", "ssh");

const GLOBALS = `-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout -v
  --v --certificate-authority --client-key --client-certificate --cache-dir --tls-server-name --username --password
  --profile --profile-output`;

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
          ["apply", verbs(CLUSTER, "view-last-applied", "", { bare: { changes: CLUSTER }, valued: "-f -k -l" })],
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
      valued:
        "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --registry-config --repository-config",
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

/** The words after `--` run in the pod. */
const runInPod: Program = ([, ...args], state, machine) => {
  const dashes = args.indexOf("--");
  if (dashes > 0 && args.some((arg) => arg === "exec" || arg === "run" || arg === "debug")) {
    machine.runArgv(args.slice(dashes + 1), fork(state, { location: { cwd: ["/"] } }));
  }
  return [UNKNOWN];
};

const SECRETS = "changes secrets";

/** What is read below other paths may be made for the one who reads it: `database/creds/app`. */
const VAULT_LOOKS = `read sys/*|auth/*, list, kv get|list, kv metadata get, token lookup|capabilities, secrets|auth|audit|plugin list,
  policy list|read, operator raft list-peers, operator raft autopilot state|get-config, operator members|usage|key-status|diagnose,
  lease lookup, namespace list|lookup, print token, path-help, version-history`;

const vault = verbs(SECRETS, "status version", "write delete login unwrap", { otherwise: "unknown" });
const looksInVault = looks(VAULT_LOOKS);

const nomad = verbs(CLUSTER, "status version plan logs monitor inspect validate", "run stop init", {
  valued: "-address -region -namespace -token",
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

export const CLUSTERS: readonly ProgramRecord[] = [
  { names: "kubectl", runs: runInPod, numbers: getsReplicas, printsSetup: COMPLETIONS, effect: kubectl },
  { names: "oc", printsSetup: COMPLETIONS, effect: oc },
  { names: "helm", printsSetup: COMPLETIONS, effect: helm },
  { names: "k3s", ...passes(/^(?:kubectl|crictl|ctr)$/, looks(K3S)) },
  {
    names: "k0s",
    ...passes(/^(?:kubectl|ctr)$/, looks("status, etcd member-list, config validate, token list, sysinfo")),
  },
  { names: "microk8s", ...passes(/^(?:kubectl|helm3?|ctr)$/, looks("status, config, addons repo list")) },
  { names: "kubectx kubens", effect: options({ why: CLUSTER, changes: "d u", operands: 0 }) },
  { names: "stern", printsSetup: COMPLETIONS, effect: "reads" },
  { names: "kubeval kubeconform kube-score", effect: "reads" },
  {
    names: "kustomize",
    printsSetup: COMPLETIONS,
    effect: verbs("writes files", "version cfg", "edit create", { rules: [["build", printing]] }),
  },
  {
    names: "minikube",
    runs: IN_MACHINE.runs,
    printsSetup: `docker-env podman-env ${COMPLETIONS}`,
    effect: verbs(CLUSTER, "status version ip", "start stop delete create pause", {
      valued: "-p --profile",
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
  },
  {
    names: "kind k3d",
    printsSetup: COMPLETIONS,
    effect: verbs(CLUSTER, "version get list", "start stop delete create pause load export", {
      rules: [
        [
          "cluster node registry kubeconfig config",
          verbs(CLUSTER, "list ls get", "create delete start stop edit merge write"),
        ],
      ],
    }),
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
    effect: verbs(CLUSTER, "get version", "put del txn compaction defrag", {
      valued: "--endpoints --cacert --cert --key --user --write-out -w",
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
  },
  {
    names: "vault bao",
    printsSetup: COMPLETIONS,
    effect: (argv, state) =>
      looksInVault(argv, state) === "reads" && !argv.some((arg) => /^--?wrap-ttl/.test(arg))
        ? "reads"
        : vault(argv, state),
  },
  { names: "nomad", printsSetup: COMPLETIONS, effect: nomad },
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
  },
];
