// `npm run demo -- --console`: after the story the server goes on with its data, and some things wait, so that the console can be
// clicked through. Each Enter gives another one-time link.
import { createInterface } from "node:readline";
import { CHECK_PAGE, check, cmd, constraints, contract, PUBLISH, type Scene } from "./scene.ts";

/** Never resolves: the demo is stopped by a signal. */
export async function leaveRunning(scene: Scene): Promise<never> {
  const { story } = scene;
  await haveThingsWait(scene);
  story.heading("The console");
  story.say("The server goes on until you press Ctrl-C. This link opens its console, once, within a minute:");
  await showLink(scene);
  story.line("\nPress Enter for another one.");
  const lines = createInterface({ input: process.stdin });
  lines.on("line", () => void showLink(scene));
  return new Promise(() => {});
}

async function showLink({ server, story }: Scene): Promise<void> {
  const { body } = await server.orch().post("/console/links", { name: "Demo" });
  story.line(`\n  ${body.url}`);
}

const ANY_PROGRAM = constraints([]);

/** A run and a promotion to decide, a task to teach, and a task that runs for a while. */
async function haveThingsWait(scene: Scene): Promise<void> {
  const { post } = scene.server.orch();
  const submit = (task_id: string, over: Record<string, unknown>) =>
    post(
      "/v1/tasks",
      contract(scene, task_id, { delegation_mode: "teach_if_unknown", constraints: ANY_PROGRAM, ...over }),
    );
  await submit("deploy-next", { constraints: constraints([], ["changes what visitors see"]) });
  await submit("look-at-page", { intent: "triage", success_criteria: ["the page names its version"] });
  await submit("watch-page", { intent: "health_check", success_criteria: ["the page is published"], wait_seconds: 2 });
  await post("/v1/teach", {
    task_id: "watch-page",
    steps: [cmd('for n in $(seq 600); do echo "look $n: $(date +%T)"; sleep 1; done'), CHECK_PAGE],
  });
  await post("/v1/teach", {
    intent: "restart",
    target: scene.site.target,
    steps: [PUBLISH, check('test -s "$ORCH_TARGET_WEB_ROOT/index.html"')],
  });
  await expectThemToWait(scene);
}

const WAITING = { "deploy-next": "need_approval", "look-at-page": "need_input", "watch-page": "running" };

async function expectThemToWait({ server, story }: Scene): Promise<void> {
  const found = Object.keys(WAITING).map(async (task_id) => (await server.orch().get(`/v1/tasks/${task_id}`)).body);
  const states = Object.fromEntries((await Promise.all(found)).map(({ task_id, status }) => [task_id, status]));
  const what = `a run waits for a yes, a task waits to be taught, and one runs (${JSON.stringify(states)})`;
  story.expectThat(JSON.stringify(states) === JSON.stringify(WAITING), what);
}
