// Package managers of operating systems.
import { words } from "../words/options.ts";
import {
  byOptions,
  type EffectRule,
  given,
  type MoreVerbs,
  options,
  type ProgramRecord,
  unlessDry,
  verbs,
} from "./record.ts";
import { runsTexts } from "./runs-texts.ts";

const PACKAGES = "changes packages";

export const manager = (reading: string, change: string, more?: MoreVerbs): EffectRule =>
  verbs(PACKAGES, reading, change, more);

const apt = unlessDry(
  "s simulate just-print dry-run recon no-act print-uris",
  manager(
    "list show search policy depends rdepends showsrc changelog madison check indextargets moo version",
    `install remove purge autoremove autopurge reinstall upgrade dist-upgrade full-upgrade safe-upgrade update clean autoclean
    distclean build-dep source download edit-sources satisfy hold unhold markauto unmarkauto dselect-upgrade`,
    { valued: "-t -o -c --target-release --option --config-file" },
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

const rpmBased = manager(
  `list info search provides whatprovides repolist repoquery check-update check updateinfo deplist grouplist groupinfo
  repoinfo needs-restarting repograph repodiff`,
  `install remove erase update upgrade upgrade-minimal downgrade reinstall autoremove clean makecache swap distro-sync
  localinstall groupinstall mark config-manager copr builddep download`,
  {
    valued: "-c --config -x --exclude --enablerepo --disablerepo --installroot -d -e",
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

export const PACKAGE_MANAGERS: readonly ProgramRecord[] = [
  { names: "apt apt-get aptitude", runs: runsHooks, effect: apt },
  {
    names: "apt-cache",
    effect: manager(
      "show search policy depends rdepends pkgnames stats showpkg showsrc dump dumpavail madison unmet",
      "gencaches add",
    ),
  },
  { names: "apt-mark", effect: manager("showhold showmanual showauto", "hold unhold manual auto minimize-manual") },
  { names: "apt-config", effect: manager("dump shell", "") },
  { names: "apt-file", effect: manager("search find list show", "update purge") },
  { names: "unattended-upgrade unattended-upgrades", effect: unlessDry("dry-run", { changes: PACKAGES }) },
  { names: "add-apt-repository apt-key dpkg-reconfigure", effect: { changes: PACKAGES } },
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
  },
  { names: "dpkg-query apt-listchanges debsums popularity-contest", effect: "reads" },
  { names: "deborphan", effect: options({ why: PACKAGES, changes: "A R Z add-keep del-keep zero-keep k keep-file" }) },
  { names: "rpm", effect: rpm },
  { names: "yum dnf dnf5 microdnf", effect: rpmBased },
  {
    names: "zypper",
    effect: manager(
      `search se info if list-updates lu repos lr packages pa patches pch services ls locks ll ps patch-check pchk products
      pd what-provides wp needs-rebooting`,
      `install in remove rm update up dist-upgrade dup patch refresh ref addrepo ar removerepo rr modifyrepo mr addlock al
      removelock rl clean cc verify ve`,
      { valued: "-R --root" },
    ),
  },
  {
    names: "apk",
    effect: manager("info list search policy version stats dot audit", "add del upgrade update fix fetch cache"),
  },
  { names: "pacman yay paru", effect: pacman },
  {
    names: "brew",
    prints: "anything",
    printsSetup: "shellenv",
    effect: manager(
      "list ls info search outdated deps uses doctor config leaves desc log cat",
      "install uninstall remove rm upgrade update reinstall cleanup tap untap link unlink pin unpin autoremove bundle",
      { rules: [["services", manager("list info", "start stop restart run kill cleanup")]] },
    ),
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
  },
  {
    names: "flatpak",
    effect: manager(
      "list info search remotes remote-ls remote-info history ps",
      "install uninstall update upgrade remote-add remote-delete override repair",
    ),
  },
];
