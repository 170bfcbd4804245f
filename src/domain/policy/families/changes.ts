// Programs that change something, by name: always, or with certain subcommands or options.
import { CONTAINER_PROGRAMS, composeCommand, dockerCommand } from "../shell/docker-command.ts";
import { gitCommand } from "../shell/git-command.ts";
import { has, parseOptions } from "../shell/options.ts";
import { unglobbed } from "../shell/symbols.ts";

/** What the command line changes, as in "deletes files"; null when it only looks. */
type Changes = (argv: readonly string[]) => string | null;

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const ALWAYS: readonly (readonly [string, string])[] = [
  ["rm rmdir unlink shred srm rimraf", "deletes files"],
  ["mv cp ln install rsync scp sftp", "writes files"],
  ["touch mkdir mktemp mkfifo mknod truncate dd split patch", "writes files"],
  ["chmod chown chgrp setfacl chattr", "changes permissions"],
  ["pkill killall skill xkill", "sends signals to processes"],
  ["reboot shutdown halt poweroff init telinit", "restarts or stops the machine"],
  ["useradd userdel usermod groupadd groupdel adduser deluser passwd chpasswd visudo", "changes users"],
  ["umount swapon swapoff mkfs mkswap wipefs fdisk sfdisk parted", "changes disks or mounts"],
  ["modprobe rmmod insmod", "changes kernel modules"],
  ["make ninja cmake", "builds files"],
];

const SUBCOMMANDS: readonly (readonly [string, string, string])[] = [
  [
    "apt apt-get aptitude",
    "install remove purge autoremove upgrade dist-upgrade full-upgrade update clean autoclean",
    "changes packages",
  ],
  ["yum dnf zypper", "install remove erase update upgrade downgrade reinstall autoremove in rm up", "changes packages"],
  ["apk", "add del upgrade update fix", "changes packages"],
  ["brew snap flatpak", "install uninstall remove upgrade update refresh", "changes packages"],
  [
    "npm pnpm yarn bun",
    "install i ci add remove uninstall rm update upgrade publish link unlink dedupe prune",
    "changes packages",
  ],
  ["pip pip3 pipx uv poetry", "install uninstall add remove sync update", "changes packages"],
  ["gem cargo go", "install uninstall update get publish", "changes packages"],
  [
    "systemctl",
    "start stop restart reload try-restart reload-or-restart enable disable mask unmask kill daemon-reload daemon-reexec edit set-property isolate reset-failed reboot poweroff halt revert link preset",
    "changes services",
  ],
  [
    "kubectl oc",
    "apply delete create replace patch edit scale autoscale rollout set label annotate expose run drain cordon uncordon taint cp",
    "changes the cluster",
  ],
  ["helm", "install upgrade uninstall rollback delete push", "changes the cluster"],
  ["terraform tofu", "apply destroy import taint untaint init", "changes infrastructure"],
  ["ip", "add del delete set flush replace change append", "changes the network"],
  ["crontab", "-r -e -", "changes scheduled work"],
  ["sysctl", "-w -p --write --load --system", "changes kernel settings"],
  ["dpkg", "-i -r -P --install --remove --purge --configure", "changes packages"],
  ["rpm", "-i -e -U -F -ivh -Uvh --install --erase --upgrade", "changes packages"],
  ["iptables ip6tables", "-A -D -I -R -F -X -P -N -Z", "changes the firewall"],
  ["ufw", "allow deny reject limit delete enable disable reset insert", "changes the firewall"],
];

const GIT = new Set(
  words(`add am apply bisect cherry-pick clean clone commit fetch gc init merge mv prune pull push rebase reset restore
  revert rm stash submodule switch checkout update-index update-ref filter-branch filter-repo replace`),
);
/** Subcommands that list without arguments and change with them. */
const GIT_WITH_OPERANDS = new Set(words("branch tag config remote worktree notes"));
const GIT_LOOKS = new Set(
  words("list show get get-url --list -l --get --get-all --get-regexp --show-toplevel -v -vv -a -r --all"),
);

const git: Changes = (argv) => {
  const { verb, args } = gitCommand(argv);
  const looks = args.some((arg) => GIT_LOOKS.has(arg)) || has(parseOptions(args), "n", "dry-run");
  const changing = GIT.has(verb) || (GIT_WITH_OPERANDS.has(verb) && parseOptions(args).operands.length > 0);
  return changing && !looks ? "changes a repository" : null;
};

const DOCKER = new Set(
  words(`run start stop restart kill rm rmi create pull push build load import export commit cp rename update pause unpause
  tag login logout prune deploy up down remove init join leave connect disconnect rollback scale attach install`),
);

const docker: Changes = (argv) => changed(dockerCommand(argv).verb);

function changed(verb: string): string | null {
  return DOCKER.has(verb.split(" ").at(-1) ?? "") ? "changes containers, images or volumes" : null;
}

const service: Changes = (argv) =>
  argv.slice(2).some((word) => !["status", "--status-all"].includes(word)) ? "changes services" : null;

const sed: Changes = (argv) =>
  argv.slice(1).some((arg) => /^-[nErsuz]*i|^--in-place/.test(arg)) ? "writes files" : null;

const perl: Changes = (argv) => (argv.slice(1).some((arg) => /^-[pnlaw0]*i/.test(arg)) ? "writes files" : null);

const CURL = {
  short: "XdFTHuoAebwmxDKEcCrYyz",
  long: words("request data data-raw data-binary data-urlencode json form upload-file header user output url"),
};
const SENDS = [
  "d",
  "data",
  "data-raw",
  "data-binary",
  "data-urlencode",
  "data-ascii",
  "json",
  "F",
  "form",
  "T",
  "upload-file",
];

const curl: Changes = (argv) => {
  const parsed = parseOptions(argv.slice(1), CURL);
  const methods = parsed.options
    .filter(({ name }) => name === "X" || name === "request")
    .map(({ value }) => value ?? "");
  if (methods.some((method) => !/^(GET|HEAD|OPTIONS)$/i.test(method))) return "sends a request that changes something";
  const reads = methods.length > 0 || has(parsed, "G", "get");
  if (has(parsed, ...SENDS) && !reads) return "sends data";
  return has(parsed, "O", "remote-name") || parsed.options.some(writesOutput) ? "writes files" : null;
};

const writesOutput = ({ name, value }: { readonly name: string; readonly value: string | null }): boolean =>
  (name === "o" || name === "output") && value !== null && value !== "-" && !value.startsWith("/dev/");

const wget: Changes = (argv) => {
  const parsed = parseOptions(argv.slice(1), {
    short: "OoPUTtQ",
    long: ["output-document", "post-data", "post-file", "method"],
  });
  if (parsed.options.some(({ name }) => name.startsWith("post") || name === "method")) return "sends data";
  const target = parsed.options.find(({ name }) => name === "O" || name === "output-document")?.value;
  return has(parsed, "spider") || target === "-" || target === "/dev/null" ? null : "writes files";
};

const find: Changes = (argv) =>
  argv.includes("-delete") || argv.some((arg) => arg.startsWith("-fprint")) ? "deletes files" : null;

const tee: Changes = (argv) =>
  parseOptions(argv.slice(1)).operands.some((path) => !path.startsWith("/dev/")) ? "writes files" : null;

const tar: Changes = (argv) => {
  const mode =
    argv.slice(1).find((arg) => /^-?[a-zA-Z]+$|^--(extract|create|append|update|delete|get)$/.test(arg)) ?? "";
  return /^--(?!list)/.test(mode) || (!mode.includes("t") && /[xcru]/.test(mode)) ? "writes files" : null;
};

/** The first word that is one of the table; option-like entries count anywhere. */
function subcommand(changing: ReadonlySet<string>, why: string): Changes {
  return (argv) => {
    const operands = parseOptions(argv.slice(1)).operands.slice(0, 3);
    const options = argv.slice(1).filter((arg) => arg.startsWith("-"));
    return [...operands, ...options].some((word) => changing.has(unglobbed(word))) ? why : null;
  };
}

/** `kill -0` and `kill -l` only ask. */
const kill: Changes = (argv) => (argv[1] === "-0" || argv[1] === "-l" ? null : "sends signals to processes");

const mount: Changes = (argv) =>
  parseOptions(argv.slice(1), { short: "t", long: ["types"] }).operands.length > 0 ? "changes disks or mounts" : null;

export const CHANGING_PROGRAMS: ReadonlyMap<string, Changes> = new Map<string, Changes>([
  ...ALWAYS.flatMap(([names, why]) => words(names).map((name) => [name, () => why] as const)),
  ...SUBCOMMANDS.flatMap(([names, verbs, why]) => {
    const judge = subcommand(new Set(words(verbs)), why);
    return words(names).map((name) => [name, judge] as const);
  }),
  ...CONTAINER_PROGRAMS.map((name) => [name, docker] as const),
  ["docker-compose", (argv) => changed(composeCommand(argv).verb)],
  ["git", git],
  ["service", service],
  ["sed", sed],
  ["perl", perl],
  ["curl", curl],
  ["wget", wget],
  ["find", find],
  ["tee", tee],
  ["kill", kill],
  ["mount", mount],
  ["tar", tar],
]);
