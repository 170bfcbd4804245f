// `npm run demo -- --console` leaves a server that answers, with a link that logs in and the things to click that it speaks of, and
// ends with everything that it started.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logIn } from "../support/console.ts";

const DEMO = join(import.meta.dirname, "demo/demo.ts");
const STORY_MS = 240_000;

test("the demo for the console leaves a server to click through, until it is stopped", async () => {
  const demo = spawn(process.execPath, [DEMO, "--console"], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(demo, "exit");
  let printed = "";
  try {
    const link = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no link was printed:\n${printed}`)), STORY_MS);
      demo.stdout.setEncoding("utf8").on("data", (part: string) => {
        printed += part;
        const [, found] = /(http:\/\/\S+#link=[\w-]+)\s/.exec(printed) ?? [];
        if (found === undefined) return;
        clearTimeout(late);
        resolve(found);
      });
      void exited.then(([code]) => reject(new Error(`it ended with ${code}:\n${printed}`)));
    });
    const { origin, hash } = new URL(link);
    const { headers, answer } = await logIn(origin, { link: hash.replace("#link=", "") });
    expect(answer).toMatchObject({ name: "Demo" });
    const read = async (path: string) => (await fetch(origin + path, { headers })).json();
    const waiting = ["plan", "promotion", "teaching"].map((kind) => expect.objectContaining({ kind }));
    expect(await read("/v1/inbox")).toMatchObject({ items: expect.arrayContaining(waiting) });
    expect(await read("/v1/tasks?status=running")).toMatchObject({ tasks: [{ task_id: "watch-page" }] });
    expect((await fetch(`${origin}/console/`)).status).toBe(200);
    demo.kill("SIGTERM");
    await exited;
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
  } finally {
    demo.kill("SIGKILL");
  }
}, 300_000);
