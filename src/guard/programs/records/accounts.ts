// Holds the records of programs that run a command as another account, in another environment or on another machine, and of those
// that manage accounts and directories of them.
import { runsWhatWasRead } from "../../interpreter/files-of-run.ts";
import type { Program } from "../../interpreter/machine.ts";
import { elsewhere, entered, homesOf } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { has, type OptionTable, optionValue, parseOptions } from "../../words/options.ts";
import { isOpen, quoted, UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import { byOptions, onThisMachine, options, USERS, verbs, WRITING } from "../rules/effects.ts";
import { assignedWords, launched, launches, runDeeper } from "../rules/launch.ts";
import { ANY } from "../rules/select.ts";
import { shell } from "../rules/shell.ts";
import { each } from "../rules/texts.ts";

const CONNECTIONS: readonly StartedBy[] = [
  {
    files: /\/\.ssh\/config$|^\/etc\/ssh\/ssh_config/,
    commands: each(/^\s*(?:Proxy|Local|KnownHosts)Command[=\s]\s*(.+)$/gim),
  },
];

/** `env -S 'rm -rf /'` splits the text into words; more words may follow it. Null without that option. */
function splitWords(args: readonly string[], operands: number): string | null {
  const at = args.findIndex((arg) => /^(-\w*S|--split-string)/.test(arg));
  const [, attached = ""] = /^(?:-\w*?S|--split-string=?)([\s\S]*)$/.exec(args[at] ?? "") ?? [];
  // After the command that env runs it is no option of env.
  if (at < 0 || at > args.length - operands) return null;
  const text = attached === "" ? (args[at + 1] ?? "") : attached;
  const rest = args.slice(attached === "" ? at + 2 : at + 1);
  return ["env", ...args.slice(0, at).map(quoted), text.replaceAll("\\_", " "), ...rest.map(quoted)].join(" ");
}

const env: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "uC", long: ["unset", "chdir"] }, false);
  const inner = launched(state);
  const split = splitWords(args, parsed.operands.length);
  if (split !== null) return runDeeper(split, inner, machine);
  const directory = optionValue(parsed, "C", "chdir");
  if (directory !== null) inner.location.cwd = state.location.cwd.map((cwd) => absolute(directory, cwd));
  for (const name of parsed.options.filter((option) => option.name === "u"))
    inner.bindings.vars = entered(inner.bindings.vars, name.value ?? "", [""]);
  const rest = assignedWords(
    parsed.operands.filter((word, at) => at > 0 || word !== "-"),
    inner,
    machine,
  );
  return rest.length === 0 ? [UNKNOWN] : machine.runArgv(rest, inner);
};

const SSH_OPTIONS: OptionTable = { short: "BbcDEeFIiJLlmOopPQRSWw", long: [] };

/** The shell of the other machine runs the joined words after the host, in the home of its user. */
const runSsh: Program = ([, ...args], state, machine) => {
  const { options, operands } = parseOptions(args, SSH_OPTIONS, false);
  // Commands of its configuration run on this machine.
  for (const { name, value } of options) {
    const [, text] = /^\s*(?:Proxy|Local|KnownHosts|Remote)Command[=\s]\s*([\s\S]*)$/i.exec(value ?? "") ?? [];
    if (name === "o" && text !== undefined) runDeeper(text, state, machine.provedOnly());
  }
  const [host, ...rest] = operands;
  if (host === undefined) return [""];
  const words = parseOptions(rest, SSH_OPTIONS, false).operands;
  const remote = elsewhere(state, homesOf(state), state.io.others.get(host));
  const text = words.join(" ");
  // `ssh nas "$(cat x.sh)"`: this machine reads the file, so orch notes it here.
  runsWhatWasRead(text, isOpen(text), state, machine);
  if (words.length > 0) remote.frame.depth += 1;
  const output = words.length === 0 ? shell(["sh"], remote, machine) : machine.runText(text, remote);
  if (remote.io.files.size > 0) state.io.others = entered(state.io.others, host, remote.io.files);
  return output;
};

/** `newgrp docker <<< "command"`. */
const startsShell: Program = (_argv, state, machine) => shell(["sh"], launched(state), machine);

/** Options that make ssh run a program of its own on this machine. */
const sshEffect: EffectRule = ([, ...args]) => {
  const runs = args.some((arg, at) =>
    /^(-o)?(Proxy|Local)Command\b/i.test(arg.startsWith("-o") ? arg : `${args[at - 1]}${arg}`),
  );
  return runs ? "unknown" : "reads";
};

const sshKeygen = byOptions("f F t b C E N P R m i I", (parsed) => {
  if (has(parsed, "R")) return { changes: "writes files" };
  return has(parsed, "l", "F", "y", "B") ? "reads" : { changes: "writes files" };
});

const LDAPADD_APPLIES: NonNullable<ProgramRecord["applies"]> = { options: "f l", valued: "H D w b", input: "all" };

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "sudoedit", effect: { changes: "writes files" } },
    {
      names: "ssh",
      runs: runSsh,
      effect: sshEffect,
      suspected: 30,
      suspectedInWords: true,
      sideEffects: { when: /(?:^|\s)-[a-zA-Z0-9]*E\s*\S/, effect: WRITING },
      commands: { variables: "SSH_ASKPASS SUDO_ASKPASS" },
      hosts: { operands: "first", options: "J", valued: "B b c D E e F I i L l m O o p P Q R S W w", stops: true },
      applies: { options: "F", valued: "B b c D E e I i J L l m O o p P Q R S W w", input: "all" },
      obeys: {
        options: "F",
        valued: "B b c D E e I i J L l m O o p P Q R S W w",
        stops: true,
        holds:
          /^\s*(?:(?:Proxy|Local|Remote|KnownHosts)Command|Match\b.*\bexec\b|PKCS11Provider|SecurityKeyProvider|Include)\b/im,
      },
      otherOutput: true,
      startedBy: CONNECTIONS,
    },
    { names: "ssh-keygen", effect: sshKeygen },
    { names: "ssh-add", effect: options({ reads: "l L", otherwise: { changes: "changes keys" } }) },
    {
      names: "ssh-copy-id",
      effect: { changes: "writes files" },
      consequences: { changes_accounts: true },
      hosts: { operands: "all", valued: "i p o t T" },
    },
    { names: "ssh-agent gpg-agent keychain", printsSetup: true },
    {
      names: "useradd usermod groupadd groupdel groupmod adduser addgroup delgroup gpasswd chsh chfn vipw vigr",
      effect: { changes: USERS },
    },
    {
      names: "userdel",
      effect: { changes: USERS },
      consequences: { deletes_data: /(?:^|\s)(?:-\w*r\w*|--remove)(?=\s|$)/ },
      deletes: { when: /(?:^|\s)(?:-\w*r|--remove)/, valued: "P R prefix root", accounts: true, operands: "all" },
    },
    {
      names: "deluser",
      effect: { changes: USERS },
      consequences: { deletes_data: /(?:^|\s)--remove-(?:home|all-files)(?=\s|$)/ },
      deletes: { when: /--remove-(?:home|all-files)/, valued: "backup-to conf", accounts: true, operands: "all" },
    },
    { names: "chpasswd newusers", effect: { changes: USERS }, applies: { operands: ANY, input: "all" } },
    { names: "passwd", effect: options({ why: USERS, reads: "S status", otherwise: { changes: USERS } }) },
    { names: "chage", effect: options({ why: USERS, reads: "l list", otherwise: { changes: USERS } }) },
    { names: "visudo", effect: options({ why: USERS, reads: "c check", otherwise: { changes: USERS } }) },
    { names: "faillock", effect: options({ why: USERS, changes: "reset", valued: "user" }) },
    { names: "pwck grpck", effect: options({ why: USERS, reads: "r read-only q", otherwise: { changes: USERS } }) },
    {
      names: "loginctl",
      valued:
        "H host M machine t type n lines o output p P property s signal state root job-mode what timestamp u unit",
      effect: verbs(
        "changes sessions",
        "list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat",
        `activate lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session
        enable-linger disable-linger terminate-user kill-user attach flush-devices terminate-seat`,
        { valued: "p property n lines o output H host" },
      ),
      consequences: {
        reboots: /^(?:reboot|poweroff|halt|suspend|hibernate)(?:\s|$)/,
        changes_accounts: /^(?:enable|disable)-linger(?:\s|$)/,
        restarts_service: /^(?:terminate|kill)-(?:user|session|seat)(?:\s|$)/,
      },
      hosts: "H host",
    },
  ]),
  {
    names: "sudo",
    runs: launches(
      "C D g h p R r t T U u chdir chroot close-from group host prompt role type user other-user command-timeout",
      { assigns: true, directory: ["D", "chdir"] },
    ),
    effect: "reads",
    suspected: 26,
    suspectedInWords: true,
  },
  { names: "doas", runs: launches("a C u"), effect: "reads", suspected: 27, suspectedInWords: true },
  { names: "pkexec", runs: launches("user"), effect: "reads" },
  { names: "env", runs: env, effect: "reads", suspected: 28, suspectedInWords: true },
  { names: "sshpass", runs: launches("f d p P"), effect: "reads" },
  { names: "ssh-keyscan", effect: "reads", hosts: { operands: "all", valued: "i p o t T" } },
  {
    names: "su",
    runs: launches("c s g G w T command shell group", { text: ["c", "command"], account: true }),
    effect: "reads",
    suspected: 31,
    suspectedInWords: true,
  },
  {
    names: "runuser",
    runs: launches("c s g G w u command shell group user", { text: ["c", "command"], account: true }),
    effect: "reads",
  },
  { names: "sg", runs: launches("", { skip: 1, joined: true }), effect: "reads" },
  { names: "newgrp", runs: startsShell, effect: "reads" },
  { names: "gosu su-exec", runs: launches("", { skip: 1 }), effect: "reads" },
  { names: "setpriv", runs: launches("reuid regid groups inh-caps ambient-caps bounding-set"), effect: "reads" },
  {
    names: "pveum",
    looks: `user list|permissions, user token list|permissions, group list, role list, acl list, pool list, realm list`,
    consequences: { changes_accounts: /^(?:passwd|\S+\s+(?:add|modify|delete|remove))(?:\s|$)|^\w+(?:add|mod|del)\s/ },
  },
  { names: "smbtree findsmb", looks: "*" },
  { names: "userdbctl", looks: "user, group, users-in-group, groups-of-user, services, ssh-authorized-keys" },
  { names: "klist", looks: "*" },
  {
    names: "kadmin.local kadmin",
    valued: "p r s c w k",
    looks: "list*|get*",
    consequences: {
      changes_accounts:
        /(?:^|\s)(?:(?:add|del(?:ete)?|mod(?:ify)?|rename)_?(?:princ(?:ipal)?|pol(?:icy)?)|ank|renprinc|cpw|change_password|setstr|ktadd|xst|ktrem|purgekeys)\s/,
    },
  },
  { names: "ldapsearch ldapwhoami ldapcompare ldapurl", looks: "*", unless: "T t" },
  { names: "slapcat", looks: "*", unless: "l" },
  { names: "slaptest", looks: "-u, -v, -Q", unless: "F" },
  {
    names: "samba-tool",
    valued: "H U k s",
    looks:
      "domain level show, domain info|passwordsettings show, domain passwordsettings show, domain trust list|show, user list|show|getgroups, group list|listmembers|show, computer list|show, drs showrepl, dns query|zonelist|zoneinfo|serverinfo, fsmo show, gpo list|listall|show|listcontainers, ou list|listobjects, sites list|view, processes, testparm, time, dbcheck, ntacl get, spn list, forest directory_service show, delegation show, contact list|show",
    unless: "yes cross-ncs",
    consequences: { changes_accounts: /^(?:user|group)\s+(?!list|show)\w/ },
  },
  {
    names: "ipa",
    looks: "*-find, *-show, ping, env, config-show, server-role-find",
    consequences: { changes_accounts: /^(?:user|group|passwd|sudorule|hbacrule)(?:-(?!find|show)\w|\s|$)/ },
  },
  {
    names: "sssctl",
    looks:
      "domain-list, domain-status, user-checks, user-show, group-show, netgroup-show, config-check, cert-show, cache-index list, access-report",
  },
  { names: "realm", looks: "list, discover" },
  { names: "authselect", looks: "current, list, list-features, check, show, test, requirements" },
  { names: "pdbedit", looks: "-L*, --list", unless: "x a r m", consequences: { changes_accounts: true } },
  {
    names: "wbinfo",
    looks: "*",
    unless: "set-uid-mapping set-gid-mapping allocate-uid allocate-gid change-user-password change-secret",
  },
  {
    names: "net",
    looks:
      "ads info|status|lookup|testjoin, ads user|group $, rpc testjoin|info, conf list|showshare|listshares, usershare list|info, time $, getlocalsid, status, cache list",
  },
  {
    names: "smbclient",
    effect: options({
      unsure: "c D T command tar directory",
      reads: "L list",
      valued: "U W p I s A m n",
      otherwise: "unknown",
    }),
  },
  {
    names: "ldapadd ldapmodify ldapdelete",
    consequences: { changes_accounts: true },
    applies: LDAPADD_APPLIES,
  },
  { names: "slapadd", applies: LDAPADD_APPLIES },
  { names: "chgpasswd", applies: { operands: ANY, input: "all" } },
  { names: "pw", deletes: { when: /^userdel\b.*\s-\w*r/, skip: 1, accounts: true, operands: "all" } },
  { names: "smbpasswd ldappasswd ldapmodrdn", consequences: { changes_accounts: true } },
  { names: "htpasswd register_new_matrix_user", consequences: { changes_accounts: true } },
  {
    names: "kcadm.sh kcadm",
    consequences: { changes_accounts: /^(?:create|update|delete|add-roles|remove-roles|set-password)(?:\s|$)/ },
  },
];
