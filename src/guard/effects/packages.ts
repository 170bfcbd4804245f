// Package managers of operating systems.
import { parseOptions } from "../shell/options.ts";
import {
  changes,
  changing,
  type Family,
  given,
  options,
  optionTable,
  READS,
  type Rule,
  reads,
  UNSURE,
  unlessDry,
  verbs,
  words,
} from "./effect.ts";

const PACKAGES = "changes packages";

export const manager = (reading: string, change: string, rest: Partial<Parameters<typeof verbs>[0]> = {}): Rule =>
  verbs({ why: PACKAGES, reads: reading, changes: change, ...rest });
export const sub = (reading: string, change: string): Rule => manager(reading, change);

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
const rpm: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, optionTable("f p root dbpath eval qf queryformat E"));
  if (given(parsed, words("q query V verify K checksig eval E showrc querytags version"))) return READS;
  const acting = "i e U F install erase upgrade freshen reinstall import initdb rebuilddb setperms setugids restore";
  return given(parsed, words(acting)) ? changes(PACKAGES) : UNSURE;
};

/** The first letter is the kind of work. */
const pacman: Rule = ([, ...args]) => {
  const [mode = ""] = args;
  if (/^(-Q[a-z]*|-S[sigl]+|-F[slx]*|-T|-V|-Dk|--query|--version)$/.test(mode)) return READS;
  return /^-{1,2}[A-Z]|^--(sync|remove|upgrade|database|files)$/.test(mode) ? changes(PACKAGES) : UNSURE;
};

const rpmBased = manager(
  `list info search provides whatprovides repolist repoquery check-update check updateinfo deplist grouplist groupinfo
  repoinfo`,
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

export const PACKAGE_MANAGERS: Family = [
  ["apt apt-get aptitude", apt],
  [
    "apt-cache",
    manager(
      "show search policy depends rdepends pkgnames stats showpkg showsrc dump dumpavail madison unmet",
      "gencaches add",
    ),
  ],
  ["apt-mark", manager("showhold showmanual showauto", "hold unhold manual auto minimize-manual")],
  ["apt-config", manager("dump shell", "")],
  ["apt-file", manager("search find list show", "update purge")],
  ["add-apt-repository apt-key unattended-upgrade dpkg-reconfigure", changing(PACKAGES)],
  [
    "dpkg",
    options({
      why: PACKAGES,
      changes: `i r P install remove purge unpack configure set-selections add-architecture remove-architecture
        clear-selections update-avail merge-avail triggers-only x X e extract vextract control b build`,
      reads: `l L s S p C V c I list listfiles status search print-avail audit verify contents info get-selections
        print-architecture print-foreign-architectures compare-versions field f`,
      otherwise: UNSURE,
    }),
  ],
  ["dpkg-query apt-listchanges debsums deborphan popularity-contest", reads],
  ["rpm", rpm],
  ["yum dnf dnf5 microdnf", rpmBased],
  [
    "zypper",
    manager(
      `search se info if list-updates lu repos lr packages pa patches pch services ls locks ll ps patch-check pchk products
      pd what-provides wp needs-rebooting`,
      `install in remove rm update up dist-upgrade dup patch refresh ref addrepo ar removerepo rr modifyrepo mr addlock al
      removelock rl clean cc verify ve`,
      { valued: "-R --root" },
    ),
  ],
  ["apk", manager("info list search policy version stats dot audit", "add del upgrade update fix fetch cache")],
  ["pacman yay paru", pacman],
  [
    "brew",
    manager(
      "list ls info search outdated deps uses doctor config leaves desc log cat",
      "install uninstall remove rm upgrade update reinstall cleanup tap untap link unlink pin unpin autoremove bundle",
      { rules: [["services", sub("list info", "start stop restart run kill cleanup")]] },
    ),
  ],
  [
    "snap",
    manager(
      "list info find version changes services connections interfaces warnings tasks get logs",
      `install remove
    revert enable disable set unset start stop restart connect disconnect alias unalias switch`,
      { rules: [["refresh", options({ dry: "list time", otherwise: changes(PACKAGES) })]] },
    ),
  ],
  [
    "flatpak",
    manager(
      "list info search remotes remote-ls remote-info history ps",
      "install uninstall update upgrade remote-add remote-delete override repair",
    ),
  ],
];
