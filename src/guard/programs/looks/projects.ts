// How the tools of projects look: password stores, version control, builds and their servers.
import { type LookRow, lookRecords } from "./rule.ts";

const ROWS: readonly LookRow[] = [
  // It prints; with `-i` or `--output` it writes.
  ["sops", "-d, --decrypt, decrypt, filestatus", { unless: "i in-place output e encrypt r rotate" }],
  ["bw", "status, list, get item|username|password|uri|totp|notes|folder|collection|fingerprint|template"],
  ["op", "item list|get, vault list|get, user list|get, account list|get, whoami, read, document list, group list"],
  ["pass gopass", "$, ls|list, show, find, grep, git log", { unless: "c clip q qrcode o" }],
  ["age-keygen", "-y", { unless: "o" }],
  ["kubeseal", "--fetch-cert, --validate, --version"],
  [
    "jj",
    "log, st|status, show, diff, evolog, obslog, op log, operation log, branch|bookmark list, config list|get|path, root",
  ],
  ["gitleaks", "detect, dir, git, stdin", { unless: "r report-path log-opts" }],
  ["act", "-l, --list, -n $, -n push|pull_request, --dryrun"],
  ["molecule", "list, matrix, drivers"],
  ["pre-commit", "validate-config, validate-manifest, sample-config"],
  ["woodpecker-cli", "repo ls, repo info, pipeline ls|info|last|logs|ps, info"],
  ["drone", "repo ls, repo info, build ls|info|last, info, server ls|info, queue, secret ls"],
  ["forgejo-runner act_runner", "list"],
];

export const PROJECT_LOOKS = lookRecords(ROWS);
