// Interpreters of other languages.
import { codeProgram } from "./code.ts";
import type { EffectRule, ProgramRecord } from "./record.ts";
import { runsTexts } from "./runs-texts.ts";

/** Code in another language is not read; `python3 -m json.tool` is a way to print. */
const pythonEffect: EffectRule = ([, ...args]) => {
  if (args.every((arg) => /^(-V+|--version|-h|--help)$/.test(arg)) && args.length > 0) return "reads";
  const [module, first = "", ...more] = args[0] === "-m" ? args.slice(1) : [];
  if (module === "json.tool") return more.filter((arg) => !arg.startsWith("-")).length > 0 ? "unknown" : "reads";
  if (module === "pip") return /^(list|show|freeze|check|--version)$/.test(first) ? "reads" : "unknown";
  return /^(site|platform|sysconfig)$/.test(module ?? "") ? "reads" : "unknown";
};

const onlyVersion: EffectRule = ([, ...args]) =>
  args.length > 0 && args.every((arg) => /^-{1,2}(v|V|version|h|help)$/.test(arg)) ? "reads" : "unknown";

const phpEffect: EffectRule = ([, first = ""]) =>
  /^-([vilm]|-version|-info|-modules|-syntax-check)$/.test(first) ? "reads" : "unknown";

const runsShellScripts = runsTexts((args) =>
  args.flatMap((arg) => [...arg.matchAll(/do shell script "([^"]*)"/g)].map(([, text = ""]) => text)),
);
const runPython = codeProgram({ code: /^-\w*c$/ });
const runScript = codeProgram({ code: /^(-e|-p|-pe|--eval|--print|eval)$/ });
const runPerl = codeProgram({ code: /^-\w*[eE]$/ });
const runExpression = codeProgram({ code: /^-e$/ });

export const LANGUAGES: readonly ProgramRecord[] = [
  { names: "python", runs: runPython, effect: pythonEffect, versions: true },
  { names: "python2 python3", effect: pythonEffect, kinds: true },
  { names: "pypy", runs: runPython, versions: true },
  { names: "pypy3", effect: pythonEffect },
  { names: "node", runs: runScript, effect: onlyVersion, versions: true },
  { names: "nodejs deno", runs: runScript, effect: onlyVersion },
  { names: "tsx", runs: runScript },
  { names: "perl ruby", runs: runPerl, effect: onlyVersion, versions: true },
  { names: "php", runs: codeProgram({ code: /^-r$/ }), effect: phpEffect, versions: true },
  { names: "lua", runs: runExpression, effect: onlyVersion, versions: true },
  { names: "luajit", runs: runExpression, versions: true },
  { names: "Rscript", runs: runExpression, effect: onlyVersion },
  { names: "julia", runs: runExpression },
  { names: "java", effect: onlyVersion },
  { names: "osascript", runs: runsShellScripts, effect: onlyVersion },
];
