import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COMPILE_CACHE } from "./test/support/orch-process.ts";

// For the workers and for every process that they start.
process.env["NODE_COMPILE_CACHE"] ??= COMPILE_CACHE;
// Nothing that a test imports reports to its maker.
process.env["MASTRA_TELEMETRY_DISABLED"] = "1";

// What takes minutes, and says of one kind of work what others say of all, or of data that seldom changes: every night (.ci/nightly),
// and with ORCH_TESTS=all.
const LONG = `
  conformance/agent-backend.plain
  conformance/agent-backend.toy
  conformance/mcp-server-inspector
  conformance/npm-tool-servers
  conformance/row-sum.postgresql
  conformance/row-sum.sqlite
  conformance/saver-postgresql
  conformance/store-faults.postgresql
  conformance/store-schema
  conformance/tool-server-client
  conformance/wakeups-faults
  conformance/wakeups-killed
  conformance/wakeups-postgresql
  contract/flow/differential
  contract/http/generated-clients
  contract/mcp/follow-next
  contract/notes/conformance
  contract/notes/content-corpus
  contract/notes/record-to-notes
  contract/notes/skill.operations
  contract/notes/skill.profiles
  contract/notes/skill.property
  contract/notes/skill.restart
  contract/notes/skill.together
  contract/notes/skill.traces
  contract/notes/user-moves
  e2e/agent/injection
  e2e/agent/keys
  e2e/agent/killed
  e2e/agent/network
  e2e/agent/planted
  e2e/backup/killed
  e2e/bad-input/approvals
  e2e/bad-input/contract
  e2e/bad-input/database
  e2e/bad-input/full-disk
  e2e/bad-input/start
  e2e/bad-input/targets
  e2e/bad-input/teaching
  e2e/cli/eval-agent
  e2e/cli/eval-routing
  e2e/cli/evidence
  e2e/cli/follow
  e2e/cli/freeze
  e2e/cli/mcp
  e2e/cli/no-server
  e2e/cli/run-again
  e2e/cli/shells
  e2e/cluster-demo
  e2e/cluster/database-away
  e2e/cluster/drain
  e2e/cluster/flow-engine
  e2e/cluster/late-result
  e2e/cluster/live-output
  e2e/cluster/lost-server
  e2e/cluster/two-versions
  e2e/console/accessible
  e2e/console/deciding
  e2e/console/operate
  e2e/console/pages
  e2e/console/pictures
  e2e/console/procedures
  e2e/console/reconnect
  e2e/console/scorecard
  e2e/console/servers
  e2e/console/session
  e2e/console/tasks
  e2e/console/tasks.looks
  e2e/cookie/failure
  e2e/demo.console
  e2e/doctor
  e2e/doctor.flow-engine
  e2e/doctor.services
  e2e/documents/guides
  e2e/hostile-texts
  e2e/left-work
  e2e/leftovers
  e2e/library/library
  e2e/notes/killed
  e2e/package/compiled
  e2e/package/image
  e2e/package/installed
  e2e/recovery/exclusive
  e2e/recovery/flow-engine
  e2e/recovery/freeze
  e2e/recovery/hanging-disk
  e2e/recovery/kill
  e2e/recovery/kill-done
  e2e/recovery/labels
  e2e/recovery/newer-journal
  e2e/recovery/parked
  e2e/recovery/reconcile
  e2e/recovery/schedule-kill
  e2e/recovery/set-back-kill
  e2e/recovery/shutdown
  e2e/recovery/tool-call
  e2e/recovery/verify-kill
  e2e/recovery/version-kill
  e2e/recovery/webhook
  e2e/secret-files
  e2e/secrets.agent
  e2e/skill-commands
  e2e/skill-commands.trials
  e2e/studio
  e2e/studio.agent
  e2e/supervisor-over-mcp
  e2e/time-zones
  e2e/traces/traces
  e2e/umask
  e2e/voice/container
  integration/engine/worker/altered-rows
  integration/engine/worker/failing-calls
  integration/extending
  integration/features/agents/lost-answers
  integration/features/agents/verify
  integration/features/keeping/backup/archive
  integration/features/keeping/backup/before-migration
  integration/features/keeping/backup/shared-database
  integration/features/procedures/propose-sop
  integration/features/skills/careless-handlers
  integration/features/skills/find-skills
  integration/features/skills/kit/check-skill
  integration/features/skills/lost-handlers
  integration/features/skills/misbehaving-code
  integration/features/skills/skill-approvals
  integration/features/skills/skill-calls
  integration/features/skills/skill-steps
  integration/graphs/flow-engine
  integration/graphs/flow-engine.restart
  integration/proof/finishes
  integration/proof/labelled-rows
  integration/proof/mends
  integration/proof/score
  integration/proof/trials
  integration/proof/trials-kept
  integration/store/earlier-schemas
  integration/store/power-cut
  integration/tools/eval/adversarial
  src/execution/test/contract/flow-engine/follow
  src/execution/test/integration/local/confinement/confined.ends
  src/execution/test/integration/local/confinement/confined.writes
  src/execution/test/integration/local/confinement/hiding
  src/execution/test/integration/local/control/control
  src/execution/test/integration/local/control/control-hostile
  src/execution/test/integration/local/control/control-loops
  src/execution/test/integration/local/git-config
  src/execution/test/integration/local/left-processes
  src/guard/test/guard/hostile-memory
`;
const exclude =
  process.env["ORCH_TESTS"] === "all"
    ? []
    : LONG.trim()
        .split(/\s+/)
        .map((name) => `${name.startsWith("src/") ? "" : "test/"}${name}.test.ts`);

// One project per tier of test (see CONTRIBUTING.md); a workspace has its tests beside its sources. A worker runs all its files in one process:
// to load their shared modules for each file would take longer than many of the tests.
const tier = (name: string, options: object = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`, `src/*/test/${name}/**/*.test.ts`],
    exclude,
    isolate: false,
    // What a test waits for comes, however busy the machine is. Limits of time only end a test that hangs.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    ...options,
  },
});

/** Large files first, and before them those that take longest: begun last, one would be waited for alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) =>
      /\/e2e\/(recovery\/kill|demo|chaos)\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Tests wait for subprocesses and clocks more than they compute: with three, a fifth of two cores was idle.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    globalSetup: ["test/support/build-flow-script.ts"],
    projects: [
      tier("unit", { setupFiles: ["test/unit/forbid-processes.ts"] }),
      tier("integration"),
      tier("contract"),
      tier("guard", { testTimeout: 180_000 }),
      tier("conformance", { globals: true }),
      tier("e2e", { testTimeout: 300_000 }),
    ],
  },
});
