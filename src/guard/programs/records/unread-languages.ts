// Holds the records of interpreters and builds whose language the guard does not read: a file that the plan wrote for them is a
// question.
import type { Applied, ProgramRecord } from "../record.ts";
import { ANY } from "../rules/select.ts";
import { asksAboutCode, asksAboutCodeWithQuotes } from "../rules/unread-code.ts";

/** The script is the first operand, or standard input. */
const SCRIPT: readonly Applied[] = [
  { options: "f file l load s script S source", operands: "first", stops: true },
  { when: /^(?:-\S*\s*)*$/, input: "all" },
];

/** The word after the verb that runs it: `swift run x`, `zig build`. */
const AFTER_VERB = /^(?:run|test|build|exec|script|b|r|c|cc)(?:\s|$)/;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: `guile racket gracket sbcl clisp ecl hy janet fennel bb clojure clj nu nushell elvish xonsh murex raku perl6
      swipl ocaml runghc runhaskell escript crystal dart jshell kotlin kotlinc kscript coffee scilab maxima newlisp picolisp gforth scala
      scala-cli amm ghci`,
    alwaysBlocked: asksAboutCode,
    obeys: SCRIPT,
  },
  { names: "ghc erl", alwaysBlocked: asksAboutCode },
  {
    names: "stap bpftrace",
    effect: "unknown",
    alwaysBlocked: asksAboutCodeWithQuotes,
    obeys: { operands: "first", valued: "e p c o", holds: /\bsystem\s*\(/ },
  },
  {
    names: "swift",
    obeys: [{ operands: /\.swift$/ }, { when: AFTER_VERB, names: "Package.swift Sources/*.swift Sources/*/*.swift" }],
  },
  {
    names: "zig",
    obeys: [
      { when: /^(?:run|test)\s/, operands: /\.zig$/ },
      { when: /^build(?:\s|$)/, names: "build.zig" },
    ],
  },
  {
    names: "nim nimble",
    obeys: [{ operands: /\.nims?$/ }, { names: "*.nimble config.nims nim.cfg" }],
  },
  {
    names: "mvn mvnw",
    obeys: {
      options: "f file",
      names: "pom.xml .mvn/extensions.xml",
      holds: /<(?:plugin|exec|extension|argument|target|script)/,
    },
  },
  {
    names: "gradle gradlew",
    obeys: {
      options: "b build-file I init-script p",
      names: "build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle",
    },
  },
  { names: "ant", obeys: { options: "f file buildfile", names: "build.xml" } },
  { names: "sbt", obeys: { names: "build.sbt project/*.sbt project/*.scala build.sc build.mill" } },
  { names: "lein", obeys: { names: "project.clj build.boot src/*.clj src/*/*.clj" } },
  { names: "scons", obeys: { options: "f file", names: "SConstruct SConscript" } },
  {
    names: "nix-build home-manager",
    obeys: { options: "f file E expr", operands: ANY, names: "default.nix home.nix flake.nix" },
  },
  {
    names: "tox",
    modules: "tox",
    obeys: [
      { options: "c conf", names: "tox.ini" },
      { names: "pyproject.toml setup.cfg", holds: /\btox\b/ },
    ],
  },
  { names: "nox", modules: "nox", obeys: { options: "f noxfile", names: "noxfile.py" } },
  {
    names: "poe",
    modules: "poethepoet",
    obeys: { options: "C root", names: "pyproject.toml poe_tasks.toml", holds: /poe|tasks/ },
  },
  { names: "gulp", obeys: { options: "f gulpfile", names: "gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts" } },
  { names: "grunt", obeys: { options: "gruntfile", names: "Gruntfile.js Gruntfile.coffee" } },
  { names: "jake", obeys: { options: "f jakefile", names: "Jakefile Jakefile.js" } },
  { names: "mage", obeys: { names: "magefile.go magefiles/*.go" } },
  { names: "rebar3", obeys: { names: "rebar.config rebar.config.script" } },
  { names: "cabal", obeys: { when: AFTER_VERB, operands: /\.hs$/, names: "Setup.hs app/*.hs src/*.hs Main.hs" } },
  { names: "dune", obeys: { names: "dune bin/dune dune-project", holds: /run|system|bash|rule/ } },
  {
    names: "turbo nx lerna run-s run-p npm-run-all wireit",
    obeys: {
      names: "package.json packages/*/package.json apps/*/package.json project.json",
      holds: /"(?:scripts|targets)"/,
    },
  },
  { names: "lefthook", obeys: { names: "lefthook.yml lefthook.yaml .lefthook.yml lefthook-local.yml lefthook.toml" } },
  { names: "cpanm cpan", obeys: { operands: /:\/\/|\.tar\.gz$/ } },
  {
    names: "csh tcsh",
    obeys: [
      { operands: "first", stops: true },
      { when: /^(?:-\S*\s*)*$/, input: "all", holds: /^(?!)/ },
    ],
  },
  {
    names: "bats",
    obeys: {
      operands: ANY,
      valued: "f filter j jobs F formatter o output",
      holds: /\brm\b|\bdd\b|mkfs|\bgit\b|docker|\beval\b|\bsource\b|curl|wget|find\b/,
    },
  },
  { names: "overcommit", obeys: { names: ".overcommit.yml" } },
  { names: "runme", obeys: { names: "README.md" } },
  { names: "dagger", obeys: { names: "dagger.json" } },
  { names: "buck buck2 pants", obeys: { names: "BUCK BUILD BUILD.pants pants.toml" } },
  { names: "xmake premake5", obeys: { names: "xmake.lua premake5.lua" } },
  { names: "autoreconf autoconf automake", obeys: { names: "configure.ac configure.in Makefile.am" } },
  { names: "debuild dpkg-buildpackage", obeys: { names: "debian/rules" } },
  { names: "rpmbuild", obeys: { operands: /\.spec$/ } },
  { names: "makepkg", obeys: { options: "p", names: "PKGBUILD" } },
  { names: "snapcraft", obeys: { names: "snapcraft.yaml snap/snapcraft.yaml" } },
  { names: "flatpak-builder", obeys: { operands: ANY } },
];
