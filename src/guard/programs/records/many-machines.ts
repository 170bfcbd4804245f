// Holds the records of programs that run a command on many other machines: `ansible all -a`, `salt '*' cmd.run`, `pssh -h hosts`.
import type { Program } from "../../interpreter/machine.ts";
import { optionTable, optionValue, optionValues, parseOptions } from "../../words/options.ts";
import { UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { options } from "../rules/effects.ts";
import { onMachine, runThere } from "../rules/elsewhere.ts";
import { looks } from "../rules/looks.ts";
import { ANY } from "../rules/select.ts";
import { PLAYBOOKS } from "./task-runners.ts";

const AD_HOC = optionTable("m a i l f u e t c B P M T module-name args inventory limit forks user extra-vars tree");

const COMMANDS = /^(?:ansible\.(?:builtin|windows)\.)?(?:win_)?(?:command|shell|raw)$/;

const LOOKS =
  /^(?:ansible\.(?:builtin|windows)\.)?(?:win_)?(?:ping|setup|gather_facts|stat|getent|service_facts|package_facts)$/;

/** The text of `-a`, where the module runs one: `command` is the module of a line that names none. */
function adHocText(args: readonly string[]): string | null {
  const parsed = parseOptions(args, AD_HOC);
  const module = optionValue(parsed, "m", "module-name") ?? "command";
  const text = optionValue(parsed, "a", "args");
  // `chdir=/srv creates=x` are parameters of the module.
  return COMMANDS.test(module) && text !== null
    ? text.replace(/^(?:\s*(?:chdir|creates|removes|executable)=\S+)+/, "")
    : null;
}

const runAdHoc: Program = ([, ...args], state, machine) => {
  const text = adHocText(args);
  return text === null ? [UNKNOWN] : runThere(text, state, machine);
};

/** Only asked to name or to parse does it leave the hosts alone. */
const listsOnly: EffectRule = options({
  reads: "list-hosts list-tasks list-tags syntax-check",
  otherwise: "unknown",
});

/** `-m ping` asks whether a host answers, `-m setup` what it is. */
const adHoc: EffectRule = (argv, state) => {
  const [, ...args] = argv;
  const parsed = parseOptions(args, AD_HOC);
  const modules = optionValues(parsed, "m", "module-name");
  if (parsed.options.some(({ name }) => name === "t" || name === "tree")) return { changes: "writes files" };
  if (modules.length <= 1 && adHocText(args) !== null) return "reads";
  return modules.length > 0 && modules.every((name) => LOOKS.test(name ?? "")) ? "reads" : listsOnly(argv, state);
};

const MINIONS = optionTable("t G E L C N I S R timeout batch out output out-file output-file c config-dir w user i");

const MINION_LOOKS = `* test.ping|test.version|grains.items|grains.get|grains.item|status.*|disk.usage|network.interfaces,
  * network.ip_addrs|pkg.version|pkg.list_pkgs|service.status|cmd.which`;

const RUNS_TEXT = /^cmd\.(?:run|shell|run_all|run_stdout|run_stderr|retcode|run_bg|exec_code)$/;

/** `salt '*' cmd.run TEXT`, and with no target `salt-call cmd.run TEXT`. */
function minionText(args: readonly string[]): string | null {
  const { operands } = parseOptions(args, MINIONS);
  const at = operands.findIndex((word) => RUNS_TEXT.test(word));
  return at === 0 || at === 1 ? (operands[at + 1] ?? null) : null;
}

const runOnMinions: Program = ([, ...args], state, machine) => {
  const text = minionText(args);
  return text === null ? [UNKNOWN] : runThere(text, state, machine);
};

const looksAtMinions = looks(MINION_LOOKS, { valued: "t G E L C N I", unless: "out-file" });

const minions: EffectRule = (argv, state) =>
  minionText(argv.slice(1)) === null || argv.some((word) => /^--out(?:put)?-file/.test(word))
    ? looksAtMinions(argv, state)
    : "reads";

const ANSIBLE_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  options: "i inventory vault-password-file e extra-vars",
  names: "ansible.cfg roles group_vars host_vars templates tasks handlers library vars",
};

const CHEF_CLIENT_OBEYS: NonNullable<ProgramRecord["obeys"]> = {
  options: "c config j json-attributes",
  operands: /\.rb$/,
  names: "cookbooks/*/recipes/* solo.rb",
};

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "ansible",
    runs: runAdHoc,
    effect: adHoc,
    consequences: {
      restarts_service:
        /(?:^|\s)-m\s*(?:ansible\.builtin\.)?(?:service|systemd|systemd_service|sysvinit)(?=\s).*\bstate=(?:restarted|stopped)\b/,
      deletes_data:
        /(?:^|\s)-m\s*(?:[\w.]+\.)?(?:file|apt|dnf|yum|package|pip|docker_volume|lvol|zfs)(?=\s).*\bstate=absent\b/,
      changes_accounts: /(?:^|\s)-m\s*(?:[\w.]+\.)?(?:user|group|authorized_key)(?=\s)/,
      reboots: /(?:^|\s)-m\s*(?:ansible\.builtin\.reboot|reboot|community\.general\.shutdown)(?:\s|$)/,
    },
    hosts: { operands: "first", valued: "i m a u f e l t c T M" },
    deletes: {
      when: /(?:^|\s)(?:-m\s*|--module-name[=\s])(?:[\w.]+\.)?file\s(?=.*\bstate=absent\b)/,
      words: /(?:^|\s)(?:path|dest|name)=["']?([^\s"']+)/,
    },
    commands: {
      variables:
        "ANSIBLE_SSH_EXECUTABLE ANSIBLE_SCP_EXECUTABLE ANSIBLE_SFTP_EXECUTABLE ANSIBLE_BECOME_EXE ANSIBLE_EXECUTABLE",
    },
    applies: ANSIBLE_APPLIES,
    rewrites: true,
  },
  { names: "salt", runs: runOnMinions, effect: minions },
  {
    names: "salt-ssh salt-call",
    runs: runOnMinions,
    effect: minions,
    applies: "file-root pillar-root config-dir roster-file",
    obeys: { when: /(?:^|\s)state\./, names: "/srv/salt/*.sls /srv/salt/*/*.sls", directory: "file-root" },
  },
  {
    names: "pssh parallel-ssh",
    ...onMachine("h H l p o e t O x X A hosts host user par outdir errdir timeout options"),
  },
  { names: "pdsh", ...onMachine("w x g X l t u f R c n d") },
  { names: "clush", ...onMachine("w x g X l t u f o O m") },
  { names: "dsh", ...onMachine("m g f r n o") },
  {
    names: "ansible-playbook",
    ...PLAYBOOKS,
    effect: listsOnly,
    obeys: {
      unless: /(?:^|\s)--(?:syntax-check|list-\w+|version)(?=\s|$)/,
      valued: "i inventory e extra-vars l limit t tags u user f forks",
      operands: ANY,
      names: "roles/*/tasks/* roles/*/handlers/* tasks/* handlers/* library/*",
    },
    hosts: { options: "l limit", valued: "i e u f t" },
    applies: ANSIBLE_APPLIES,
    rewrites: true,
  },
  {
    names: "ansible-inventory",
    effect: options({ why: "writes files", changes: "output", reads: "list host graph", otherwise: "unknown" }),
  },
  {
    names: "puppet",
    effect: "unknown",
    commands: { when: /^apply\s/, options: "e execute", within: /\bexec\s*\{\s*["']([^"']+)["']/g },
    obeys: { when: /^apply(?:\s|$)/, valued: "e execute modulepath confdir", skip: 1, operands: ANY, input: "all" },
    deletes: {
      when: /^apply\s.*\bfile\s*\{.*\bensure\s*=>\s*["']?absent/s,
      words: /\bfile\s*\{\s*["']([^"']+)["']/,
    },
  },
  { names: "chef-client", effect: "unknown", obeys: CHEF_CLIENT_OBEYS },
  { names: "ansible-doc", prints: "anything", effect: "reads" },
  {
    names: "salt-run",
    looks: "manage.up|manage.down|manage.status|manage.versions|jobs.list_jobs|jobs.active|jobs.lookup_jid",
  },
  { names: "salt-key", looks: "-L, --list, --list-all, -f, --finger" },
  { names: "ansible-lint", looks: "*", unless: "w" },
  {
    names: "ansible-galaxy",
    looks: "collection list|verify, role list|info|search, list, search, info",
    obeys: {
      when: /install/,
      options: "r role-file requirements-file",
      valued: "p roles-path n s server",
      operands: /:\/\/|^git|\.tar\.gz$/,
      holds: /:\/\/|git/,
    },
  },
  { names: "ansible-pull", obeys: { options: "U url" } },
  { names: "ansible-config", looks: "dump, list, view, validate" },
  { names: "ansible-vault", looks: "view", unless: "output" },
  { names: "molecule", looks: "list, matrix, drivers" },
  { names: "chef-solo chef-apply cinc-client", obeys: CHEF_CLIENT_OBEYS },
  { names: "pyinfra", obeys: { operands: /\.py$/ } },
];
