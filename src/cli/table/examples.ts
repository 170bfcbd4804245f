// Examples of each command, printed with its help. A test runs each of them through the parser.
export const FIRST_EXAMPLES = ["orch serve", "orch run health_check service=web --wait", "orch inbox"];
export const COMPLETION_EXAMPLES = ["orch complete fish", "source <(orch complete bash)"];

/** The first example of each command of a group. */
export const examplesOf = (group: string): string[] =>
  Object.entries(EXAMPLES).flatMap(([name, lines]) => (name.startsWith(`${group} `) ? lines.slice(0, 1) : []));

const UUID = "4f1c2d0e";

export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  run: [
    "orch run health_check service=web --wait",
    "orch run restart service=web compose_dir=/srv/web --criterion 'the site answers' --wait",
    "orch run deploy service=web --mode agent --scope shell --payload 'goal=version 2.4.0 runs' --follow",
  ],
  "new contract": ["orch new contract deploy service=web compose_dir=/srv/web --out deploy.yaml"],
  submit: ["orch submit deploy.yaml --wait", "orch new contract triage service=web | orch submit - --follow"],
  tasks: ["orch tasks", "orch tasks --status need_input --all", "orch tasks --status ok --verified none"],
  task: ["orch task deploy-1", "orch task deploy-1 --follow"],
  inbox: ["orch inbox"],
  approvals: ["orch approvals", "orch approvals deploy-1"],
  approve: ["orch approve 01J9ZC --by Ann", "orch approve --task deploy-1 --reason 'seen in staging' --by Ann --wait"],
  reject: ["orch reject 01J9ZC --reason 'not before Friday' --by Ann"],
  cancel: ["orch cancel deploy-1 --reason 'wrong target'"],
  resolve: ["orch resolve deploy-1 succeeded --reason 'the container runs the new image' --wait"],
  evidence: ["orch evidence deploy-1 --out evidence.json", "orch evidence evidence.json --verify --anchor roots.txt"],
  graph: ["orch graph deploy-1"],
  verify: ["orch verify deploy-1 --verified --source 'the dashboard of the site'"],
  scorecard: ["orch scorecard", "orch scorecard --by sop --weeks 12", "orch scorecard --json"],
  messages: ["orch messages --after 41", "orch messages --follow"],
  teach: ["orch teach steps.yaml --task deploy-1 --wait", "orch teach restart-web.yaml"],
  sops: ["orch sops", "orch sops --intent deploy --status active"],
  "sop show": [`orch sop show ${UUID}`],
  "sop diff": [`orch sop diff ${UUID}`, `orch sop diff ${UUID} 2`],
  "sop export": [`orch sop export ${UUID} restart-web.yaml`],
  "sop import": ["orch sop import restart-web.yaml"],
  "sop propose": ["orch sop propose deploy-1 draft.yaml"],
  "sop copy": [`orch sop copy ${UUID} --target service=shop --target compose_dir=/srv/shop --parameters`],
  "sop rollback": [`orch sop rollback ${UUID}`, "orch sop rollback 2"],
  "library list": ["orch library list", "orch library list --json"],
  "library show": [
    "orch library show compose-restart",
    "orch library show zfs-prune --target dataset=tank/shop --contract",
  ],
  "library import": ["orch library import compose-restart --target compose_dir=/srv/shop --target service=shop"],
  prove: [`orch prove ${UUID}`],
  "schedule add": [
    "orch schedule add web-up.yaml --every 5m",
    "orch schedule add backup.yaml --cron '0 3 * * *' --timezone Europe/Berlin --name nightly-backup",
  ],
  "schedule list": ["orch schedule list"],
  "schedule show": ["orch schedule show web-up"],
  "schedule pause": ["orch schedule pause web-up"],
  "schedule resume": ["orch schedule resume web-up"],
  "schedule remove": ["orch schedule remove web-up"],
  servers: ["orch servers", "orch servers nas"],
  console: ["orch console", "orch console --print --name Ann"],
  anchors: ["orch anchors"],
  drain: ["orch drain nas --wait"],
  freeze: [
    "orch freeze --reason 'the disk of the NAS is replaced'",
    "orch freeze --intent deploy --target service=web --reason 'not before Monday' --now",
  ],
  thaw: ["orch thaw freeze-1a2b3c4d", "orch thaw --all"],
  freezes: ["orch freezes"],
  explain: ["orch explain deploy.yaml", "orch explain deploy.yaml --steps steps.yaml"],
  serve: ["orch serve", "orch serve --port 7000 --data-dir ./data"],
  ready: ["orch ready", "orch ready --wait 30"],
  "service install": ["orch service install --print", "orch service install --user orch"],
  backup: ["orch backup /var/backups/orch.backup", "orch backup orch.backup --with-tokens --json"],
  migrate: ["orch migrate --dry-run", "orch migrate --json"],
  restore: ["orch restore /var/backups/orch.backup", "orch restore orch.backup --sample 1000"],
  mcp: ["orch mcp"],
  doctor: ["orch doctor", "orch doctor --deep", "orch doctor --server"],
  "skill new": ["orch skill new lamps"],
  "skill check": ["orch skill check lamps"],
  "skill test": ["orch skill test lamps"],
  "policy check": ["orch policy check 'git reset --hard' --cwd /srv/web", "orch policy check --file deploy.sh"],
  "eval routing": ["orch eval routing test/eval/routing.jsonl --limit 20"],
  "eval agent": ["orch eval agent test/eval/agent --only restart"],
};
