// Holds the records of infrastructure as code and of the command lines of clouds.
import { words } from "../../words/options.ts";
import type { Consequences, EffectRule, ProgramRecord } from "../record.ts";
import { afterOptions, COMPLETIONS, verbs, WRITING } from "../rules/effects.ts";
import { ANY } from "../rules/select.ts";

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

const namedCloud: EffectRule = Object.assign(cloud, { named: true } as const);

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

const TERRAFORM_CONSEQUENCES: Consequences = { deletes_data: /^destroy(?:\s|$)|^apply\s(?:.*\s)?--?destroy(?=\s|$)/ };

const TERRAFORM_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  when: /(?:^|\s)(?:plan|apply|destroy|refresh|import)(?:\s|$)/,
  options: "var-file backend-config",
  valued: "var target chdir",
  skip: 1,
  operands: ANY,
  names: "*.tfvars *.tfvars.json modules",
  directory: "chdir",
};

/** What of a configuration runs a program on this machine, or changes its files. */
const RUNS_OUTSIDE =
  /provisioner|external|(?:local|remote)-exec|\bmodule\b|_hook\b|\brun_cmd|"(?:local_\w*file|shell\w*|command\w*)"/;

const TERRAFORM_OBEYS: NonNullable<ProgramRecord["obeys"]> = {
  when: /(?:^|\s)(?:plan|apply|destroy|refresh|import|test|console)(?:\s|$)/,
  valued: "var target chdir",
  names: "*.tf *.tf.json *.tofu",
  directory: "chdir",
  holds: RUNS_OUTSIDE,
};

const GCLOUD_CONSEQUENCES: Consequences = {
  reboots:
    /\b(?:instances?|vm|vmss|droplet-action)\s+(?:reset|stop|restart|suspend|deallocate|reboot|power-off|power-cycle|shutdown|delete)(?:\s|$)/,
  deletes_data: /(?:^|\s)(?:delete|delete-batch|purge|rm|rb)(?=\s|$)/,
  changes_accounts:
    /(?:^|\s)(?:(?:add|remove|set)-iam-policy(?:-binding)?|service-accounts\s+(?:create|delete|disable|enable|keys\s+(?:create|delete))|iam\s+roles\s+(?:create|update|delete)|role\s+assignment\s+(?:create|delete)|ad\s+(?:user|sp|app|group)\s+(?:create|delete|update|credential|member\s+(?:add|remove)))(?=\s|$)/,
};

const HCLOUD_DELETES_DATA = /(?:^|\s)(?:delete|delete-batch|purge|rm|rb)(?=\s|$)/;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "terraform",
    prints: "anything",
    printsSetup: COMPLETIONS,
    effect: terraform,
    consequences: TERRAFORM_CONSEQUENCES,
    applies: TERRAFORM_APPLIES,
    obeys: TERRAFORM_OBEYS,
  },
  {
    names: "tofu",
    effect: terraform,
    consequences: TERRAFORM_CONSEQUENCES,
    applies: TERRAFORM_APPLIES,
    obeys: TERRAFORM_OBEYS,
  },
  {
    names: "aws",
    valued: "profile region output endpoint-url query ca-bundle color",
    effect: aws,
    consequences: {
      reboots: /^(?:ec2|rds|lightsail)\s+(?:reboot|stop|terminate)-/,
      deletes_data: /^s3\s+(?:rm|rb)\s|^s3\s+sync\s.*--delete|^\S+\s+(?:delete|terminate)-/,
      changes_accounts: /^iam\s+(?!get|list|simulate|generate)\w/,
      changes_network: [
        /^ec2\s+(?:authorize|revoke|create|delete|modify|replace|associate|disassociate|attach|detach)-(?:\S*-)?(?:security-group\S*|route\S*|vpc\S*|subnet\S*|address|network\S*|internet-gateway|nat-gateway)(?:\s|$)/,
        /^route53\s+(?:change|create|delete|update)-/,
      ],
    },
    commands: {
      when: /^ssm\s+send-command\s/,
      options: "parameters",
      within:
        /\bcommands["']?\s*[=:]\s*\[?\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^[\]]+))|,\s*"((?:[^"\\]|\\.)*)"(?=\s*[,\]])/g,
    },
    applies: "template-file template-body cli-input-json cli-input-yaml",
  },
  {
    names: "gcloud az",
    valued: "project account configuration format subscription output o context",
    effect: namedCloud,
    consequences: GCLOUD_CONSEQUENCES,
    applies: "flags-file template-file config parameters",
  },
  {
    names: "doctl",
    valued: "project account configuration format subscription output o context",
    effect: namedCloud,
    consequences: GCLOUD_CONSEQUENCES,
  },
  {
    names: "hcloud",
    valued: "project account configuration format subscription output o context",
    effect: namedCloud,
    consequences: {
      reboots: /^server\s+(?:reboot|reset|shutdown|poweroff|delete)(?:\s|$)/,
      deletes_data: HCLOUD_DELETES_DATA,
    },
  },
  {
    names: "k9s",
    printsSetup: COMPLETIONS,
    effect: "unknown",
    sideEffects: { long: "profile-output cache-dir log-file log-dir", effect: WRITING },
  },
  {
    names: "pulumi",
    looks:
      "stack ls|output|history|graph $, stack $, whoami, config $, config get, about, logs, plugin ls, org get-default",
    consequences: { deletes_data: /^destroy(?:\s|$)/ },
    obeys: {
      when: /^(?:up|update|preview|destroy|refresh|pre)(?:\s|$)/,
      names: "Pulumi.yaml Main.yaml index.ts index.js __main__.py main.go Program.cs",
    },
  },
  {
    names: "terragrunt",
    effect: (argv, state) =>
      argv[1] === "plan" || argv[1] === "output" || argv[1] === "validate" || argv[1] === "show"
        ? terraform(argv, state)
        : "unknown",
    consequences: { deletes_data: /^(?:run-all\s+|run\s+(?:--\S*\s+)*)?destroy(?:\s|$)/ },
    applies: { names: "*.tfvars modules" },
    obeys: { names: "*.hcl *.tf", options: "terragrunt-config config", holds: RUNS_OUTSIDE },
  },
  {
    names: "govc",
    valued: "u dc k",
    looks: `about, ls, find, events, tasks, env, vm.info|vm.ip, host.info, datastore.ls|datastore.info, cluster.usage, snapshot.tree,
    device.info|device.ls, pool.info, object.collect, metric.ls|metric.sample, library.ls|library.info, datacenter.info,
    license.ls, session.ls, tags.ls, folder.info`,
  },
  {
    names: "packer",
    looks: "validate, inspect, plugins installed|required",
    applies: { when: /^(?:build|validate)(?:\s|$)/, options: "var-file", skip: 1, operands: ANY },
    obeys: {
      when: /^(?:build|init)(?:\s|$)/,
      valued: "var var-file only except",
      skip: 1,
      operands: ANY,
      names: "*.pkr.hcl *.pkr.json",
      holds: /local|external|null|plugin/,
    },
  },
  { names: "tflint checkov tfsec kube-linter", looks: "*" },
  { names: "boundary", looks: "scopes|targets|hosts|sessions|users list|read" },
  {
    names: "synopkg",
    looks: "list, status, version, is_onoff, search_*",
    consequences: { restarts_service: /^(?:stop|restart|uninstall)\s/ },
  },
  {
    names: "synosystemctl",
    looks: "get-*, is-*, list",
    consequences: { restarts_service: /(?:^|\s)-{0,2}(?:stop|restart)(?=\s|$)/ },
  },
  { names: "eksctl", applies: "f file config config-patch p filename" },
  { names: "serverless sls", obeys: { options: "c config", names: "serverless.yml serverless.ts" } },
  { names: "sam", applies: { options: "t template template-file", names: "template.yaml samconfig.toml" } },
  { names: "cdk", obeys: { options: "a app", names: "cdk.json bin/*.ts lib/*.ts app.py" } },
  { names: "gsutil", consequences: { deletes_data: HCLOUD_DELETES_DATA } },
];
