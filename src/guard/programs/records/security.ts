// Holds the records of scanners, certificates, secrets and rules of access.
import type { EffectRule, ProgramRecord } from "../record.ts";
import { COMPLETIONS, MACHINE, onThisMachine, options, SERVICES, unlessDry, verbs, WRITING } from "../rules/effects.ts";
import { looks } from "../rules/looks.ts";

const SECRETS = "changes secrets";

/** What is read below other paths may be made for the one who reads it: `database/creds/app`. */
const VAULT_LOOKS = `read sys/*|auth/*, list, kv get|list, kv metadata get, token lookup|capabilities, secrets|auth|audit|plugin list,
  policy list|read, operator raft list-peers, operator raft autopilot state|get-config, operator members|usage|key-status|diagnose,
  lease lookup, namespace list|lookup, print token, path-help, version-history`;

const vault = verbs(SECRETS, "status version", "write delete login unwrap", { otherwise: "unknown" });

const looksInVault = looks(VAULT_LOOKS);

const gpgEffect = options({
  reads: "k K list-keys list-secret-keys verify list-packets fingerprint",
  otherwise: "unknown",
});

const vaultEffect: EffectRule = (argv, state) =>
  looksInVault(argv, state) === "reads" && !argv.some((arg) => /^--?wrap-ttl/.test(arg)) ? "reads" : vault(argv, state);

const GPG_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = [
  { long: "status-file logger-file attribute-file log-file output", effect: WRITING },
  { long: "photo-viewer exec-path agent-program dirmngr-program", effect: "unknown" },
];

const VAULT_DELETES = /^(?:delete|secrets disable|kv (?:delete|destroy|metadata delete))\s/;

const VAULT_CHANGES_ACCOUNTS =
  /^(?:write|delete)\s(?:.*\s)?\/?(?:auth|identity)\/|^policy (?:write|delete)\s|^auth (?:enable|disable)\s|^token (?:create|revoke)(?:\s|$)/;

const GPG_CONSEQUENCES: NonNullable<ProgramRecord["consequences"]> = {
  deletes_data: /(?:^|\s)--delete-(?:secret-|secret-and-public-)?keys?(?=\s|$)/,
};

const CERTBOT_HOOKS = "pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook";

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "gpg",
      consequences: GPG_CONSEQUENCES,
      effect: gpgEffect,
      sideEffects: GPG_SIDE_EFFECTS,
    },
    { names: "ausearch", effect: "reads", sideEffects: { long: "checkpoint", effect: WRITING } },
    { names: "auditctl", effect: options({ reads: "l s", otherwise: { changes: MACHINE } }) },
    {
      names: "certbot",
      effect: unlessDry(
        "dry-run",
        verbs("changes certificates", "certificates plugins show_account", "renew certonly run delete revoke"),
      ),
      sideEffects: { long: CERTBOT_HOOKS, effect: "unknown" },
      commands: CERTBOT_HOOKS,
      applies: "c config f",
    },
    {
      names: "fail2ban-client",
      effect: verbs(SERVICES, "status ping version get banned", "set start stop reload unban"),
      consequences: {
        restarts_service: /^(?:stop|restart|abort)(?:\s|$)/,
        changes_network: /\b(?:un)?ban(?:ip)?(?=\s|$)/,
      },
    },
  ]),
  {
    names: "vault",
    printsSetup: COMPLETIONS,
    effect: vaultEffect,
    consequences: {
      deletes_data: VAULT_DELETES,
      changes_accounts: VAULT_CHANGES_ACCOUNTS,
    },
    applies: {
      when: /^(?:policy write|config write|kv put|write|services register|acl \w+ create)(?:\s|$)/,
      operands: /\.(?:hcl|json)$/,
      options: "rules config",
    },
  },
  {
    names: "bao",
    printsSetup: COMPLETIONS,
    effect: vaultEffect,
    consequences: {
      deletes_data: VAULT_DELETES,
      changes_accounts: VAULT_CHANGES_ACCOUNTS,
    },
  },
  {
    names: "gpg2",
    consequences: GPG_CONSEQUENCES,
    effect: gpgEffect,
    sideEffects: GPG_SIDE_EFFECTS,
  },
  {
    names: "cscli",
    valued: "c config",
    looks:
      "decisions|alerts|bouncers|machines|collections|parsers|scenarios|postoverflows|hub|notifications|appsec-rules|appsec-configs|contexts list|inspect, metrics, lapi|capi status, config show|show-yaml, explain, allowlists list|inspect",
  },
  { names: "nebula-cert", looks: "print, verify" },
  {
    names: "acme.sh",
    looks: "--list, --info, --version, --check-dns-config, --showcsr",
    commands: "pre-hook post-hook renew-hook reloadcmd",
  },
  {
    names: "lego",
    looks: "list",
    commands: "run-hook renew-hook deploy-hook pre-hook post-hook",
    applies: "c config f",
  },
  {
    names: "step",
    looks:
      "certificate inspect|verify|lint|fingerprint|needs-renewal, ca health, ca roots|federation $, ca provisioner list, crypto jwt inspect, version, ssh inspect|list|fingerprint",
    unless: "f",
  },
  { names: "mkcert", looks: "-CAROOT" },
  {
    names: "authelia",
    looks:
      "validate-config, config validate, access-control check-policy, build-info, version, storage schema-info, storage migrate history|list-up|list-down",
  },
  // It prints; with `-i` or `--output` it writes.
  {
    names: "sops",
    looks: "-d, --decrypt, decrypt, filestatus",
    unless: "i in-place output e encrypt r rotate",
    commands: {
      when: /(?:^|\s)exec-(?:env|file)\s/,
      valued: "user input-type output-type filename",
      operands: "last",
    },
  },
  {
    names: "bw",
    looks: "status, list, get item|username|password|uri|totp|notes|folder|collection|fingerprint|template",
  },
  {
    names: "op",
    looks: "item list|get, vault list|get, user list|get, account list|get, whoami, read, document list, group list",
  },
  { names: "pass gopass", looks: "$, ls|list, show, find, grep, git log", unless: "c clip q qrcode o" },
  { names: "age-keygen", looks: "-y", unless: "o" },
  { names: "gitleaks", looks: "detect, dir, git, stdin", unless: "r report-path log-opts" },
  { names: "aa-status apparmor_status", looks: "*" },
  { names: "semanage", looks: "* -l, * --list" },
  { names: "semodule", looks: "-l, --list-modules, -lfull, --list" },
  { names: "chkrootkit", looks: "$, -q, -n, -l" },
  { names: "aide", looks: "--check, -C, --compare, --config-check, -D, --version" },
  {
    names: "trivy",
    valued: "severity format f s",
    looks: "image, fs|filesystem, config, repo|repository, rootfs, sbom, vm, --version",
    unless: "o output download-db-only reset clear-cache",
  },
  { names: "grype", looks: "*:*, /*, db status|list|check|providers" },
  { names: "syft", looks: "*:*, /*, scan" },
  { names: "fail2ban-regex", looks: "*", unless: "D out" },
  { names: "dehydrated", commands: { options: "k hook", valued: "d f o t p x" }, applies: "c config f" },
];
