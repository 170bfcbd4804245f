// The direction rules of ARCHITECTURE.md: domain <- ports <- { graphs, operations, dispatch } <- adapters <- main.
const adapters = "^src/(execution|gate|store|http|mcp|cli|agents|tool-servers)/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "generated" } },
    {
      name: "domain-imports-zod-unbash-and-a-hash-only",
      comment: "The domain is pure: nouns and rules. node:crypto is there for SHA-256.",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { pathNot: "^(src/domain/|node_modules/(zod|unbash)/|crypto$|node:crypto$)" },
    },
    {
      name: "ports-import-the-domain-only",
      severity: "error",
      from: { path: "^src/(agent-)?ports\\.ts$" },
      to: { pathNot: "^(src/ports\\.ts$|src/domain/|node_modules/zod/)" },
    },
    {
      name: "graphs-know-domain-and-ports-only",
      comment: "graphs/studio.ts is the composition root of LangGraph Studio, the one exception.",
      severity: "error",
      from: { path: "^graphs/", pathNot: "^graphs/studio\\.ts$" },
      to: {
        pathNot:
          "^(graphs/|src/domain/|src/(agent-)?ports\\.ts$|node_modules/(zod|@langchain)/|node:|async_hooks$|diagnostics_channel$)",
      },
    },
    {
      name: "operations-and-dispatch-know-no-adapter",
      severity: "error",
      from: { path: "^src/(operations|dispatch)/" },
      to: { path: adapters },
    },
    {
      name: "adapters-do-not-know-one-another",
      severity: "error",
      from: { path: "^src/(execution|gate|store|http|mcp|cli|agents|tool-servers)/" },
      to: { path: adapters, pathNot: "^src/$1/" },
    },
    {
      name: "ollama-knows-the-domain-only",
      comment: "What the gate and the agents share to speak with Ollama: an inner library of adapters.",
      severity: "error",
      from: { path: "^src/ollama/" },
      to: { pathNot: "^(src/(ollama|domain)/|node_modules/)", dependencyTypesNot: ["core"] },
    },
    {
      name: "adapters-know-no-graph",
      severity: "error",
      from: { path: adapters },
      to: { path: "^(graphs|src/dispatch)/" },
    },
    {
      name: "nobody-imports-main",
      comment: "src/orch.ts is the command line, which starts a server by loading it.",
      severity: "error",
      from: { pathNot: "^(test/|src/(orch|main)\\.ts$)" },
      to: { path: "^src/(main|compose)\\.ts$" },
    },
    {
      name: "compose-agent-is-a-part-of-the-composition-roots",
      severity: "error",
      from: { pathNot: "^(test/|src/compose\\.ts$|graphs/studio\\.ts$)" },
      to: { path: "^src/compose-agent\\.ts$" },
    },
    {
      name: "nobody-imports-a-capability",
      severity: "error",
      from: { pathNot: "^(test|capabilities)/" },
      to: { path: "^capabilities/" },
    },
    {
      name: "capabilities-know-approval-ports-and-domain",
      severity: "error",
      from: { path: "^capabilities/" },
      to: { path: "^(src|graphs)/", pathNot: "^src/(approval\\.ts|(agent-)?ports\\.ts|domain/)" },
    },
    {
      name: "voice-and-cookie-stand-alone",
      comment: "Packages of their own: one lives in a container, the other on a personal computer.",
      severity: "error",
      from: { path: "^(voice|cookie)/" },
      to: { path: "^(src|graphs|capabilities|voice|cookie)/", pathNot: "^$1/" },
    },
    {
      name: "nobody-imports-voice-or-cookie",
      severity: "error",
      from: { path: "^(src|graphs|capabilities)/" },
      to: { path: "^(voice|cookie)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "src/store/generated" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
