// The direction rules of ARCHITECTURE.md, from the bottom of the house to its top:
// guard <- proof <- domain <- policy <- ports <- tasks <- features/{agents, skills} <- graphs <- { worker, evidence, operations } <- features
// <- adapters <- app.
const inner =
  "src/(guard|domain|engine/policy|proof|engine/tasks|schema|engine/evidence)/|src/ports\\.ts$|src/features/(agents/(?!model/|backends)|skills/[^/]+$)";

// Code that talks to the world outside: a process, a socket, a file, a model, a terminal.
const adapters =
  "src/(execution|gate|store|wakeups|api/http|api/mcp|cli|mcp-client|ollama|features/(agents/model|live-output|skills/process))/|src/features/agents/backends\\.ts$";

// Files of a feature that are beside an adapter: its commands, its rows, its settings, its checks of the doctor, and what is composed by name.
const besideAdapters =
  "^src/features/(rows\\.ts$|agents/(model/|backends)|live-output/|keeping/(backup/|keeping\\.ts$)|skills/(kit|process|trial)/|[^/]+/([\\w-]*commands|command-table|[\\w-]*rows|settings|doctor)\\.ts$)";

/** The tests of a workspace are beside its sources, and import what they test. */
const tests = "^src/[^/]+/test/";

/** A folder may import itself, the folders named here, and these packages. */
const only = (name, from, to, comment) => ({
  name,
  severity: "error",
  ...(comment === undefined ? {} : { comment }),
  from: typeof from === "string" ? { path: from, pathNot: tests } : from,
  to: { pathNot: `^(${to})` },
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      comment: "What a command loads when it runs may read the table of commands.",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import"] } },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "generated" } },

    only(
      "guard-imports-its-parsers-only",
      { path: "^src/guard/", pathNot: ["^src/guard/(command\\.ts|orch-guard\\.cjs)$", tests] },
      "src/guard/|node_modules/(unbash|yaml)/|(node:)?(zlib|buffer)$",
      "A product of its own. It reads no file; its command does.",
    ),
    {
      name: "guard-has-one-door",
      severity: "error",
      from: { path: "^(src|graphs|capabilities)/", pathNot: ["^src/guard/", tests] },
      to: { path: "^src/guard/", pathNot: "^src/guard/(guard|codes)\\.ts$" },
    },
    {
      name: "execution-has-one-door",
      severity: "error",
      from: { path: "^(src|graphs|capabilities)/", pathNot: "^src/execution/" },
      to: { path: "^src/execution/", pathNot: "^src/execution/execution\\.ts$" },
    },
    only(
      "execution-knows-ports-and-domain",
      "^src/execution/(?!flow/)",
      "src/(execution|domain|redact|http-client)/|src/(ports|own-file|proof/proof|process/[\\w-]+|config/config|log/log|features/agents/agent-services)\\.ts$|node_modules/(zod|p-queue)/|(node:)?[a-z_]+(/promises)?$",
      "A package of its own: what it takes of the rest of orch, and its dependencies.",
    ),
    only(
      "domain-is-pure",
      "^src/domain/",
      "src/domain/|src/features/records\\.ts$|src/guard/codes\\.ts$|node_modules/zod/|(node:)?crypto$",
      "It reads one list of what features record.",
    ),
    {
      name: "what-features-record-is-pure",
      severity: "error",
      from: { path: "^src/features/records\\.ts$" },
      to: {
        path: "^src/(app|cli|config|api/http|api/mcp|api/operations|store|engine/tasks|engine/worker)/",
        reachable: true,
      },
    },
    only(
      "what-features-fold-is-pure",
      "^src/features/(folds\\.ts$|[^/]+/(events|fold)\\.ts$)",
      "src/domain/|src/features/|src/engine/tasks/(fold|steps-fold)\\.ts$|node_modules/zod/",
      "The same journal gives the same state.",
    ),
    {
      name: "features-start-no-process",
      severity: "error",
      from: { path: "^src/features/", pathNot: "^src/features/skills/process/" },
      to: { path: "^(node:)?(child_process|cluster|vm)$" },
    },
    {
      name: "features-decide-nothing",
      comment: "A human decides on an approval and answers for a step: their operations alone pass that on.",
      severity: "error",
      from: { path: "^src/features/", pathNot: "^src/features/(approvals/operations|procedures/teach)\\.ts$" },
      to: { path: "^src/api/operations/(decide|resolve-step)\\.ts$" },
    },
    {
      name: "features-write-no-status",
      comment: "They ask the engine: an operation, or what RunningServer offers.",
      severity: "error",
      from: { path: "^src/features/" },
      to: { path: "^src/engine/tasks/(transitions|answer-pause)\\.ts$" },
    },
    {
      name: "a-feature-knows-no-other-feature",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: "^src/features/[^/]+/", pathNot: "^src/features/$1/" },
    },
    {
      name: "features-know-no-composition-root",
      severity: "error",
      from: { path: "^src/features/" },
      to: { path: "^(src/app|graphs)/" },
    },
    {
      name: "features-know-no-adapter",
      severity: "error",
      from: { path: "^src/features/", pathNot: besideAdapters },
      to: { path: `^(${adapters})`, pathNot: "^src/wakeups/port\\.ts$" },
    },
    {
      name: "what-is-beside-an-adapter-knows-no-other",
      comment:
        "Commands know the command line, rows the store; the doctor of the flow engine asks it as the backend does.",
      severity: "error",
      from: { path: "^src/features/[^/]+/([\\w-]*commands|command-table|[\\w-]*rows|settings|doctor)\\.ts$" },
      to: { path: `^(${adapters})`, pathNot: "^src/(cli|store|execution)/" },
    },
    {
      name: "live-output-knows-http",
      severity: "error",
      from: { path: "^src/features/live-output/" },
      to: {
        path: `^(${adapters})|^src/(engine/tasks|engine/worker)/`,
        pathNot: "^src/(api/http/(?!openapi|console)|features/live-output/)",
      },
    },
    only(
      "drafts-of-procedures-know-tasks",
      "^src/features/procedures/(propose-sop|parametrised-step|unneeded-work)\\.ts$",
      "src/(features/procedures|engine/tasks|proof|engine/policy|guard|domain)/|src/ports\\.ts$|node_modules/zod/",
      "A thread of judgements runs them.",
    ),
    only(
      "the-thread-of-sqlite-loads-little",
      "^src/store/sqlite-(thread|file)\\.ts$",
      "src/store/(sqlite|sqlite-file|peers)\\.ts$|src/domain/errors\\.ts$|node_modules/@prisma/|(node:)?(fs|path|worker_threads)",
    ),
    only("policy-is-pure", "^src/engine/policy/", "src/(engine/policy|domain|guard|proof)/|node_modules/zod/"),
    only("ports-name-the-domain-only", "^src/ports\\.ts$", "src/domain/|src/features/records\\.ts$|node_modules/zod/"),
    only(
      "checker-of-chaos-is-independent",
      "^test/chaos/checker/",
      "test/chaos/checker/|node_modules/(zod|canonicalize)/|(node:)?crypto$",
      "A mistake that the checker shares with orch would prove itself.",
    ),
    only(
      "proof-imports-the-guard-and-its-parser",
      "^src/proof/",
      "src/proof/|src/guard/(guard|codes)\\.ts$|node_modules/unbash/",
      "A product of its own.",
    ),
    {
      name: "proof-has-one-door",
      severity: "error",
      from: { path: "^(src|graphs|capabilities)/", pathNot: ["^src/proof/", tests] },
      to: { path: "^src/proof/", pathNot: "^src/proof/proof\\.ts$" },
    },
    only(
      "tasks-know-no-graph-and-no-adapter",
      "^src/engine/tasks/",
      "src/(engine/tasks|proof|engine/policy|domain)/|src/features/(folds|[\\w-]+/fold)\\.ts$|src/(ports|schema/parse-input)\\.ts$|node_modules/(zod|diff|croner)/",
      "It reads what features make of a journal.",
    ),
    only(
      "agent-knows-tasks",
      {
        path: "^src/features/agents/",
        pathNot: "^src/features/agents/(model/|(backends|settings|shapes|verify)\\.ts$)",
      },
      "src/(features/agents|engine/tasks|proof|engine/policy|guard|domain)/|src/(ports|schema/parse-input)\\.ts$|node_modules/zod/",
    ),
    {
      name: "agent-knows-neither-its-model-nor-its-backends",
      severity: "error",
      from: { path: "^src/features/agents/", pathNot: "^src/features/agents/(model/|backends\\.ts$)" },
      to: { path: "^src/features/agents/(model/|backends\\.ts$)" },
    },
    only(
      "agent-backends-know-the-port",
      "^src/features/agents/backends\\.ts$",
      "src/features/agents/(backends|port)\\.ts$|src/domain/|node_modules/@langchain/",
    ),
    only(
      "agent-model-knows-the-port-and-ollama",
      "^src/features/agents/model/",
      "src/features/agents/(model/|port\\.ts$|agent-message\\.ts$)|src/(ollama|domain)/|node_modules/",
    ),
    only(
      "skills-know-tasks",
      { path: "^src/features/skills/[^/]+$", pathNot: "/(commands|command-table|shapes|verify)\\.ts$" },
      "src/(features/skills|engine/tasks|engine/policy|domain)/|src/ports\\.ts$|node_modules/zod/|(node:)?async_hooks$",
    ),
    only(
      "graphs-know-services-and-no-adapter",
      { path: "^graphs/", pathNot: "^graphs/studio\\.ts$" },
      "graphs/|src/(engine/tasks|features/agents|proof|engine/policy|domain)/|src/features/([\\w-]+/fold|skills/[\\w-]+|procedures/propose-sop)\\.ts$|src/ports\\.ts$|node_modules/(zod|@langchain)/|(node:)?(async_hooks|diagnostics_channel)$",
      "graphs/studio.ts is the composition root with overrides for LangGraph Studio.",
    ),
    {
      name: "graphs-know-no-adapter",
      severity: "error",
      from: { path: "^graphs/", pathNot: "^graphs/studio\\.ts$" },
      to: { path: `^${adapters}` },
    },
    {
      name: "nothing-below-the-graphs-imports-one",
      severity: "error",
      from: { path: `^(${inner})` },
      to: { path: "^graphs/" },
    },
    only(
      "evidence-is-pure",
      "^src/engine/evidence/",
      "src/(engine/evidence|engine/tasks|engine/policy|domain|schema)/|src/features/verify\\.ts$|node_modules/zod/",
      "It iterates over the rules of the features.",
    ),
    only(
      "rules-of-features-are-pure",
      "^src/features/(verify|[^/]+/verify)\\.ts$",
      "src/features/([^/]+/verify\\.ts$|agents/)|src/engine/evidence/(bundle|readings|verify/rule)\\.ts$|src/(engine/tasks|engine/policy|domain)/",
    ),
    {
      name: "operations-and-worker-know-no-adapter-and-no-graph",
      severity: "error",
      from: { path: "^src/(api/operations|engine/worker)/" },
      to: { path: `^(${adapters}|graphs/)`, pathNot: "^src/wakeups/port\\.ts$" },
    },
    {
      name: "adapters-do-not-know-one-another",
      severity: "error",
      from: { path: "^src/(execution|gate|store|wakeups|api/http|api/mcp|cli|mcp-client)/", pathNot: tests },
      to: {
        path: "^src/(execution|gate|store|wakeups|api/http|api/mcp|cli|mcp-client|features/live-output)/",
        pathNot: "^src/$1/",
      },
    },
    {
      name: "adapters-know-neither-graph-nor-worker",
      severity: "error",
      from: { path: `^${adapters}`, pathNot: tests },
      to: { path: "^(graphs|src/(engine/worker|engine/tasks))/" },
    },
    only(
      "judge-runs-pure-code",
      "^src/judge/",
      "src/(judge|features/agents|engine/tasks|proof|engine/policy|guard|domain)/|src/(ports|own-file|features/procedures/(propose-sop|parametrised-step|unneeded-work))\\.ts$|(node:)?(worker_threads|v8)$",
      "What a thread runs reads nothing and writes nothing.",
    ),
    only(
      "traces-know-the-domain",
      "^src/features/traces/",
      "src/(features/traces|domain)/|src/engine/tasks/thread\\.ts$|src/log/log\\.ts$|node_modules/(zod|@opentelemetry/api)/|(node:)?(diagnostics_channel|timers/promises)$",
    ),
    only(
      "wakeups-know-ports-and-domain",
      "^src/wakeups/",
      "src/(wakeups|domain)/|src/ports\\.ts$|node_modules/(pg-boss|p-queue|zod)/|(node:)?(os|timers/promises)$",
      "What they write within a transaction of the store comes to them as a parameter.",
    ),
    only(
      "console-knows-shapes-and-the-domain",
      { path: "^src/console/", pathNot: ["^src/console/build\\.ts$", tests] },
      "src/console/|src/api/operations/shapes|src/features/[^/]+/shapes\\.ts$|src/domain/|node_modules/",
      "It runs in the browser, where nothing of Node is.",
    ),
    only("ollama-knows-the-domain-and-http", "^src/ollama/", "src/(ollama|domain|http-client)/|node_modules/"),
    {
      name: "nobody-imports-the-composition-root",
      comment: "src/orch.ts is the program; graphs/studio.ts composes the service with overrides.",
      severity: "error",
      from: {
        path: "^(src|graphs|capabilities)/",
        pathNot: "^(src/(app/|orch\\.ts$|tools/eval/eval\\.ts$)|graphs/studio\\.ts$)",
      },
      to: { path: "^src/app/" },
    },
    {
      name: "nothing-but-tests-imports-the-console",
      severity: "error",
      from: { pathNot: "^(src/console|test)/" },
      to: { path: "^src/console/" },
    },
    {
      name: "nobody-imports-a-capability",
      severity: "error",
      from: { pathNot: "^(test|capabilities)/" },
      to: { path: "^capabilities/" },
    },
    {
      name: "capabilities-know-the-skill-api-ports-and-domain",
      severity: "error",
      from: { path: "^capabilities/" },
      to: { path: "^(src|graphs)/", pathNot: "^src/(features/skills/api\\.ts|ports\\.ts|domain/)" },
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
