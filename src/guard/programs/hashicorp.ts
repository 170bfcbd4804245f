// Schedulers, registries of services and stores of secrets.
import { CLUSTER, part } from "./clusters.ts";
import { looks } from "./looks/rule.ts";
import { COMPLETIONS, type ProgramRecord, verbs } from "./record.ts";

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

export const HASHICORP: readonly ProgramRecord[] = [
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
