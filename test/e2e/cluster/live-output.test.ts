// What a step writes is seen on every server of the database: three of them, of which the third has no address.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LivePiece } from "../../../src/domain/live-output.ts";
import { readEvents } from "../../../src/http-client/event-stream.ts";
import { cmd } from "../../support/builders.ts";
import { type Cluster, createCluster, type Member } from "../../support/cluster.ts";
import { freePort } from "../../support/free-port.ts";
import { TOKEN } from "../../support/orch-process.ts";
import { ask } from "../../support/read-journals.ts";
import { STARTS_MS, server, settled, submit, teach } from "./scene.ts";

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 25_000, interval: 50 });

/** Writes a line each 0.2 s, until a file is there. */
const writing = (word: string, task_id: string) =>
  `i=0; until test -e ../${task_id}.go; do i=$((i + 1)); echo "${word} $i of $(basename $HOME)"; sleep 0.2; done; test -e ../${task_id}.go`;

/** Everything that has come so far of the stream of a task. */
function follow(at: Member, task_id: string) {
  const abort = new AbortController();
  const seen: { readonly kind: string; readonly piece?: LivePiece }[] = [];
  const read = async () => {
    const response = await fetch(`${at.url}/v1/tasks/${task_id}/journal/stream?output=live`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      signal: abort.signal,
    });
    for await (const { event = "", data } of readEvents(response.body ?? new ReadableStream())) {
      const value = JSON.parse(data);
      seen.push(event === "output" ? { kind: event, piece: value } : { kind: value.kind ?? event });
    }
  };
  const ended = read().catch(() => undefined);
  const text = () => seen.map(({ piece }) => piece?.text ?? "").join("");
  const kinds = () => seen.map(({ kind }) => kind).filter((kind) => /^(output|step_|taken_up)/.test(kind));
  return { text, kinds, ended, close: () => abort.abort() };
}

const withoutRepeats = (kinds: readonly string[]) => kinds.filter((kind, n) => kind !== kinds[n - 1]);

describe.skipIf(server === null)("what a step writes on another server", () => {
  let cluster: Cluster;
  let members: Record<"a" | "b" | "c", Member>;
  beforeAll(async () => {
    if (server === null) throw new Error("PostgreSQL is not installed");
    cluster = await createCluster(await server.createDatabase());
    const start = async (name: string, reached: boolean) => {
      const port = await freePort();
      const ORCH_LABELS = name === "c" ? "at:c" : `at:${name},pair`;
      const address = reached ? { ORCH_SERVER_URL: `http://127.0.0.1:${port}` } : {};
      return cluster.start(name, { env: { ORCH_PORT: String(port), ORCH_LABELS, ...address } });
    };
    const [a, b, c] = await Promise.all([start("a", true), start("b", true), start("c", false)]);
    members = { a, b, c };
  }, STARTS_MS);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  const letGo = (task_id: string) => writeFileSync(join(cluster.directory, `${task_id}.go`), "");

  test("is seen while it runs, after its start and before its end, without the secrets of that server", async () => {
    const [head, tail] = [TOKEN.slice(0, 12), TOKEN.slice(12)];
    await submit(members.b, "seen", { runs_on: ["at:a"] });
    const onB = follow(members.b, "seen");
    const onC = follow(members.c, "seen");
    await teach(members.b, "seen", [cmd(`printf '${head}'; sleep 0.6; echo '${tail}'; ${writing("line", "seen")}`)]);
    await until(onB.text).toContain("line 3 of a");
    await until(onC.text).toContain("line 3 of a");
    expect(onB.kinds()).not.toContain("step_finished");
    letGo("seen");
    await Promise.all([onB.ended, onC.ended]);
    for (const { kinds, text } of [onB, onC]) {
      expect(withoutRepeats(kinds()).slice(0, 4)).toEqual(["taken_up", "step_started", "output", "step_finished"]);
      expect(text()).toContain("[redacted]");
      expect(text()).not.toContain(tail);
      expect(text().match(/line 1 of a/g)).toHaveLength(1);
    }
  });

  test("is not seen where it has no address: the journal goes on without it", async () => {
    await submit(members.b, "unseen", { runs_on: ["at:c"] });
    const onA = follow(members.a, "unseen");
    const onC = follow(members.c, "unseen");
    await teach(members.b, "unseen", [cmd(writing("line", "unseen"))]);
    await until(onC.text).toContain("line 8 of c");
    letGo("unseen");
    await onA.ended;
    expect(withoutRepeats(onA.kinds()).slice(0, 3)).toEqual(["taken_up", "step_started", "step_finished"]);
    await onC.ended;
  });

  test("is opened by no token, and what opens it opens nothing else", async () => {
    const [row = {}] = await ask(cluster.database_url, "SELECT url, output_secret FROM server WHERE name = 'a'");
    const [address, secret] = [String(row["url"]), String(row["output_secret"])];
    const path = "/internal/tasks/none/output";
    const asked = async (at: string, token: string) =>
      (await fetch(address + at, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await asked(path, TOKEN)).toBe(401);
    expect(await asked(path, secret)).toBe(404);
    expect(await asked("/v1/tasks", secret)).toBe(401);
    const { body } = await members.b.get("/v1/servers");
    expect(body.servers.map(({ url }: { url: string | null }) => url)).toContain(address);
    expect(JSON.stringify(body)).not.toContain(secret);
    const { body: diagnosis } = await members.b.get("/v1/diagnosis");
    const others = diagnosis.checks.find(({ name }: { name: string }) => name === "other servers");
    expect(others).toMatchObject({ state: "falls_back", found: "the others do not see what steps write on c" });
    for (const { output } of Object.values(members)) expect(output()).not.toContain(secret);
  });

  test("goes on with that of its successor when its server is killed", async () => {
    await submit(members.b, "passed-on", { runs_on: ["pair"] });
    const onC = follow(members.c, "passed-on");
    const taught = await teach(members.a, "passed-on", [{ kind: "check", value: writing("line", "passed-on") }]);
    expect(taught.status, JSON.stringify(taught.body)).toBe(200);
    await until(onC.text).toMatch(/line 3 of [ab]/);
    const first = /line 3 of a/.test(onC.text()) ? "a" : "b";
    const next = first === "a" ? "b" : "a";
    await members[first].kill("SIGKILL");
    await until(onC.text).toContain(`line 3 of ${next}`);
    expect(members.c.output().match(/live_output_unreachable/g)).toHaveLength(1);
    letGo("passed-on");
    await onC.ended;
    expect((await settled(members.c, "passed-on")).status).toBe("ok");
    expect(withoutRepeats(onC.kinds()).slice(0, 7)).toEqual([
      "taken_up",
      "step_started",
      "output",
      "taken_up",
      "step_started",
      "output",
      "step_finished",
    ]);
  });
});
