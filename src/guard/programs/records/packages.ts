// Holds the records of package managers of operating systems.
import { words } from "../../words/options.ts";
import type { Applied, EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import { byOptions, given, manager, onThisMachine, options, PACKAGES, unlessDry } from "../rules/effects.ts";
import { ANY } from "../rules/select.ts";
import { invoked, runsTexts } from "../rules/texts.ts";

/** A package that is none of a repository. */
const PACKAGE_OR_ADDRESS =
  /^(?:https?|ftp|s3):\/\/|^\/dev\/fd\/|(?:^|\/)[^/]+\.(?:deb|rpm|snap|apk|flatpak|flatpakref|ipk|pkg\.tar\.\w+|txz|pkg)$/;

/** What the plan packs itself is no question: what is in it is. */
const FETCHED_ONLY = /^(?!)/;

const INSTALLS = /(?:^|\s)(?:install|in|add|reinstall|update|upgrade|localinstall|swap|download)(?=\s|$)/;

const PACKAGES_OBEYED: Applied = { when: INSTALLS, operands: PACKAGE_OR_ADDRESS, holds: FETCHED_ONLY };

const PACKAGE_HOOKS: readonly StartedBy[] = [{ files: /^\/etc\/apt\/apt\.conf(?:$|\.d\/)/, commands: invoked }];

const apt = unlessDry(
  "s simulate just-print dry-run recon no-act print-uris",
  manager(
    "list show search policy depends rdepends showsrc changelog madison check indextargets moo version",
    `install remove purge autoremove autopurge reinstall upgrade dist-upgrade full-upgrade safe-upgrade update clean autoclean
    distclean build-dep source download edit-sources satisfy hold unhold markauto unmarkauto dselect-upgrade`,
    { valued: "t o c target-release option config-file" },
  ),
  "t o c",
);

/** `rpm -qi` asks, `rpm -i` installs. */
const rpm = byOptions("f p root dbpath eval qf queryformat E", (parsed) => {
  if (given(parsed, words("q query V verify K checksig eval E showrc querytags version"))) return "reads";
  const acting = "i e U F install erase upgrade freshen reinstall import initdb rebuilddb setperms setugids restore";
  return given(parsed, words(acting)) ? { changes: PACKAGES } : "unknown";
});

/** The first letter is the kind of work. */
const pacman: EffectRule = ([, ...args]) => {
  const [mode = ""] = args;
  if (/^(-Q[a-z]*|-S[sigl]+|-F[slx]*|-T|-V|-Dk|--query|--version)$/.test(mode)) return "reads";
  return /^-{1,2}[A-Z]|^--(sync|remove|upgrade|database|files)$/.test(mode) ? { changes: PACKAGES } : "unknown";
};

/** `-p` prints what it would remove. */
const PACMAN_REMOVES = /^(?!.*\s(?:-p|--print)(?=\s|$))(?:-R(?![a-z]*p)[a-z]*|--remove)(?=\s|$)/;

const rpmBased = manager(
  `list info search provides whatprovides repolist repoquery check-update check updateinfo deplist grouplist groupinfo
  repoinfo needs-restarting repograph repodiff`,
  `install remove erase update upgrade upgrade-minimal downgrade reinstall autoremove clean makecache swap distro-sync
  localinstall groupinstall mark config-manager copr builddep download`,
  {
    valued: "c config x exclude enablerepo disablerepo installroot d e",
    rules: [
      ["history", manager("list info", "undo redo rollback userinstalled new store")],
      [
        "group groups module",
        manager("list info summary provides", "install remove update enable disable reset switch-to"),
      ],
    ],
  },
);

const runsHooks = runsTexts((args) => args.flatMap((arg) => /Invoke[^=]*=+(.+)$/.exec(arg)?.slice(1) ?? []));

const RPM_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = {
  long: "eval pipe define load macros rcfile",
  words: /^-E/,
  effect: "unknown",
};

const APT_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = {
  words: /(?:Dir::|DPkg::|APT::Update::|Binary::|Acquire::)\S*=?/i,
  effect: "unknown",
};

const NIX_OBEYS: Applied = {
  unless: /^(?:search|registry|hash|doctor|show-config|log|store|path-info|flake (?:show|metadata|info))(?:\s|$)/,
  options: "f file",
  valued: "extra-experimental-features inputs-from override-input",
  names: "default.nix shell.nix flake.nix",
  operands: /\.nix$|^(?:github|gitlab|sourcehut|git\+\w+|https?|tarball\+https?):/,
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "apt-mark", effect: manager("showhold showmanual showauto", "hold unhold manual auto minimize-manual") },
    {
      names: "dpkg",
      prints: "anything",
      effect: options({
        why: PACKAGES,
        changes: `i r P install remove purge unpack configure set-selections add-architecture remove-architecture
        clear-selections update-avail merge-avail triggers-only x X e extract vextract control b build`,
        reads: `l L s S p C V c I list listfiles status search print-avail audit verify contents info get-selections
        print-architecture print-foreign-architectures compare-versions field f`,
        otherwise: "unknown",
      }),
      consequences: { deletes_data: /^(?!.*--(?:dry-run|no-act|simulate))(?:.*\s)?(?:-[rP]|--purge|--remove)(?=\s|$)/ },
      obeys: {
        unless: /(?:^|\s)(?:-[clIefxX]\w*|--(?:contents|info|field|extract|list))(?=\s|$)/,
        operands: PACKAGE_OR_ADDRESS,
        holds: FETCHED_ONLY,
      },
    },
    {
      names: "rpm",
      effect: rpm,
      sideEffects: RPM_SIDE_EFFECTS,
      consequences: { deletes_data: /^(?!.*--test)(?:.*\s)?(?:-\w{0,8}e\w{0,8}|--erase)(?=\s|$)/ },
      obeys: {
        unless: /(?:^|\s)(?:-[qKV]\w*|--(?:query|import|checksig|verify))(?=\s|$)/,
        operands: PACKAGE_OR_ADDRESS,
        holds: FETCHED_ONLY,
      },
    },
  ]),
  {
    names: "apt apt-get aptitude",
    runs: runsHooks,
    effect: apt,
    sideEffects: APT_SIDE_EFFECTS,
    consequences: {
      deletes_data: /^(?:-\S+\s+)*(?:remove|purge|autoremove|autopurge)(?=\s|$)|(?:^|\s)--purge(?=\s|$)/,
    },
    obeys: PACKAGES_OBEYED,
    startedBy: PACKAGE_HOOKS,
  },
  {
    names: "apt-cache",
    effect: manager(
      "show search policy depends rdepends pkgnames stats showpkg showsrc dump dumpavail madison unmet",
      "gencaches add",
    ),
    sideEffects: APT_SIDE_EFFECTS,
  },
  { names: "apt-config", effect: manager("dump shell", "") },
  { names: "apt-file", effect: manager("search find list show", "update purge") },
  { names: "unattended-upgrade unattended-upgrades", effect: unlessDry("dry-run", { changes: PACKAGES }) },
  { names: "add-apt-repository apt-key dpkg-reconfigure", effect: { changes: PACKAGES } },
  { names: "dpkg-query apt-listchanges debsums popularity-contest", effect: "reads" },
  { names: "deborphan", effect: options({ why: PACKAGES, changes: "A R Z add-keep del-keep zero-keep k keep-file" }) },
  { names: "yum dnf dnf5 microdnf", effect: rpmBased, obeys: PACKAGES_OBEYED },
  {
    names: "zypper",
    effect: manager(
      `search se info if list-updates lu repos lr packages pa patches pch services ls locks ll ps patch-check pchk products
      pd what-provides wp needs-rebooting`,
      `install in remove rm update up dist-upgrade dup patch refresh ref addrepo ar removerepo rr modifyrepo mr addlock al
      removelock rl clean cc verify ve`,
      { valued: "R root" },
    ),
    obeys: PACKAGES_OBEYED,
  },
  {
    names: "apk",
    effect: manager("info list search policy version stats dot audit", "add del upgrade update fix fetch cache"),
    obeys: PACKAGES_OBEYED,
  },
  {
    names: "pacman yay paru",
    effect: pacman,
    consequences: { deletes_data: PACMAN_REMOVES },
    obeys: { when: /^(?:-U|--upgrade)/, operands: PACKAGE_OR_ADDRESS, holds: FETCHED_ONLY },
  },
  { names: "gdebi alien", obeys: { operands: PACKAGE_OR_ADDRESS, holds: FETCHED_ONLY } },
  {
    names: "emerge",
    looks: "-p, -pv, --pretend, -s, --search, -S, --searchdesc, --info, --version, -l, --list-sets",
    consequences: {
      deletes_data:
        /^(?!.*(?:\s|^)(?:-[a-zA-Z]{0,8}p[a-zA-Z]{0,8}|--pretend)(?=\s|$))(?:.*\s)?(?:-[cC]|--depclean|--unmerge|--prune)(?=\s|$)/,
    },
  },
  { names: "dpkg-statoverride", looks: "--list", consequences: { changes_accounts: /--add\s.*\s0?[2-7][0-7]{3}\s/ } },
  { names: "removepkg pkgrm pkg_delete urpme", consequences: { deletes_data: true } },
  {
    names: "nix-collect-garbage",
    consequences: { deletes_data: /^(?!.*--dry-run)/ },
  },
  {
    names: "brew",
    prints: "anything",
    printsSetup: "shellenv",
    effect: manager(
      "list ls info search outdated deps uses doctor config leaves desc log cat",
      "install uninstall remove rm upgrade update reinstall cleanup tap untap link unlink pin unpin autoremove bundle",
      { rules: [["services", manager("list info", "start stop restart run kill cleanup")]] },
    ),
    obeys: { when: INSTALLS, operands: /^https?:\/\/|\.rb$/ },
  },
  {
    names: "snap",
    prints: "anything",
    effect: manager(
      "list info find version changes services connections interfaces warnings tasks get logs",
      `install remove
    revert enable disable set unset start stop restart connect disconnect alias unalias switch`,
      { rules: [["refresh", options({ dry: "list time", otherwise: { changes: PACKAGES } })]] },
    ),
    consequences: { restarts_service: /^(?:stop|restart)\s/ },
    obeys: PACKAGES_OBEYED,
  },
  {
    names: "flatpak",
    effect: manager(
      "list info search remotes remote-ls remote-info history ps",
      "install uninstall update upgrade remote-add remote-delete override repair",
    ),
    obeys: PACKAGES_OBEYED,
  },
  {
    names: "opkg",
    obeys: PACKAGES_OBEYED,
    looks:
      "list, list-installed, list-upgradable, list-changed-conffiles, info, status, files, search, find, depends, whatdepends, print-architecture, compare-versions",
  },
  { names: "debconf-show debconf-get-selections", looks: "*" },
  { names: "needrestart", looks: "-r l $, -rl $, -b $, -k -b $, -p $, -k -p $" },
  { names: "checkrestart checkupdates", looks: "*", unless: "d download" },
  { names: "apt-show-versions apt-listbugs", looks: "*" },
  { names: "rpm-ostree", looks: "status, db list|diff|version, kargs $, ex history" },
  { names: "bootc", looks: "status, upgrade --check" },
  {
    names: "ostree",
    valued: "repo",
    looks: "admin status, refs, log, show, ls, diff, remote list|show-url|refs|summary, config get",
  },
  {
    names: "nix",
    valued: "extra-experimental-features",
    looks:
      "flake show|metadata|info, store info|ping|ls|cat|path-info|verify|diff-closures, path-info, search, show-config, config show|check, profile list|history|diff-closures, registry list, why-depends, log, hash file|path, doctor",
    unless: "commit-lock-file recreate-lock-file arg expr impure",
    consequences: { deletes_data: /^(?:store (?:gc|delete)|profile (?:remove|wipe-history))(?:\s|$)(?!.*--dry-run)/ },
    obeys: NIX_OBEYS,
  },
  {
    names: "nix-env",
    obeys: { when: /^-i|^--install|(?:^|\s)-\w*f/, options: "f file" },
    looks: "-q, -qa, --query, -qaP, --list-generations, --version",
    consequences: { deletes_data: /^(?!.*--dry-run)(?:.*\s)?(?:-e|--uninstall|--delete-generations)(?=\s|$)/ },
  },
  { names: "nix-channel", looks: "--list, --list-generations" },
  {
    names: "nix-store",
    looks: "-q, --query, --verify, --print-env, --dump, --version, --read-log, -l",
    unless: "f",
    consequences: { deletes_data: /^--(?:gc|delete)(?!.*--print-)/ },
  },
  { names: "nixos-version nixos-option", looks: "*" },
  {
    names: "nixos-rebuild",
    looks: "dry-build, list-generations",
    obeys: NIX_OBEYS,
  },
  {
    names: "guix",
    looks: "describe, package --list-installed, package -I $, search, show, system list-generations|describe, weather",
  },
  { names: "sysrc", looks: "-a, -A, -n * $, -c" },
  { names: "pkg", looks: "info, audit $, search, query, stats, version, which, check -s|-d, rquery", unless: "F" },
  { names: "debconf-set-selections", applies: { operands: ANY, input: "all" } },
  { names: "rpmspec", sideEffects: RPM_SIDE_EFFECTS },
];
