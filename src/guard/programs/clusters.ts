// Clusters.
import type { Program } from "../interpreter/machine.ts";
import { fork } from "../interpreter/state.ts";
import { UNKNOWN } from "../words/symbols.ts";
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

const GLOBALS = `-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout -v
  --v --certificate-authority --client-key --client-certificate --cache-dir --tls-server-name --username --password
  --profile --profile-output`;

const part = (reading: string, change: string): EffectRule => verbs(CLUSTER, reading, change, { valued: GLOBALS });

/** The words after `--` are judged as a command; without them the command is unknown. */
const inPod: EffectRule = (argv) => (argv.includes("--") ? "reads" : "unknown");

const kube = (more: VerbRules): EffectRule =>
  unlessDry(
    "dry-run",
    verbs(
      CLUSTER,
      `get describe logs top explain api-resources api-versions version diff wait events options completion
        kustomize`,
      `apply delete create replace patch edit scale autoscale set label annotate expose run debug drain cordon
        uncordon taint cp certificate`,
      {
        valued: GLOBALS,
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
          ["apply", verbs(CLUSTER, "view-last-applied", "", { bare: { changes: CLUSTER }, valued: "-f -k -l" })],
          ["plugin", part("list", "")],
          ...more,
        ],
      },
    ),
  );

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

/** The words after `--` run in the pod. */
const runInPod: Program = ([, ...args], state, machine) => {
  const dashes = args.indexOf("--");
  if (dashes > 0 && args.some((arg) => arg === "exec" || arg === "run" || arg === "debug")) {
    machine.runArgv(args.slice(dashes + 1), fork(state, { location: { cwd: ["/"] } }));
  }
  return [UNKNOWN];
};

export const CLUSTERS: readonly ProgramRecord[] = [
  { names: "kubectl", runs: runInPod, numbers: getsReplicas, printsSetup: COMPLETIONS, effect: kubectl },
  { names: "oc", printsSetup: COMPLETIONS, effect: oc },
  { names: "helm", printsSetup: COMPLETIONS, effect: helm },
  { names: "kubectx kubens", effect: options({ why: CLUSTER, changes: "d u", operands: 0 }) },
  { names: "stern", printsSetup: COMPLETIONS, effect: "reads" },
  { names: "kubeval kubeconform kube-score", effect: "reads" },
  { names: "kustomize", printsSetup: COMPLETIONS, effect: verbs("writes files", "build version cfg", "edit create") },
  {
    names: "minikube",
    printsSetup: `docker-env podman-env ${COMPLETIONS}`,
    effect: verbs(CLUSTER, "status version profile ip logs get list node", "start stop delete create pause"),
  },
  {
    names: "kind k3d",
    printsSetup: COMPLETIONS,
    effect: verbs(CLUSTER, "status version profile ip logs get list node", "start stop delete create pause"),
  },
  {
    names: "argocd",
    printsSetup: COMPLETIONS,
    effect: verbs(CLUSTER, "version", "", {
      rules: [
        [
          "app repo cluster proj",
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
      "get check logs events version stats tree trace",
      "reconcile suspend resume create delete bootstrap",
    ),
  },
  { names: "nomad", printsSetup: COMPLETIONS, effect: verbs(CLUSTER, "status version plan logs", "run stop") },
  {
    names: "consul",
    printsSetup: COMPLETIONS,
    effect: verbs(CLUSTER, "members info version catalog validate", "join leave force-leave reload lock"),
  },
  {
    names: "etcdctl",
    effect: verbs(CLUSTER, "get version watch", "put del txn compaction defrag", {
      valued: "--endpoints --cacert --cert --key --user --write-out -w",
      rules: [
        ["member", part("list", "add remove update promote")],
        ["endpoint", part("health status hashkv", "")],
        ["alarm", part("list", "disarm")],
      ],
    }),
  },
];
