// The engine's own command line pushes the speak script, as voice/README.md describes, and the files arrive unchanged.
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startEmptyEngine, wmill } from "../../support/engine-command-line.ts";

const FOLDER = join(import.meta.dirname, "../../../voice/flow");

/** A copy, because the command line writes a file of its own into it. */
let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "voice-flow-"));
  await cp(FOLDER, place, { recursive: true });
});
afterAll(() => rm(place, { recursive: true }));

const Pushed = z.object({
  path: z.literal("f/voice/speak"),
  language: z.literal("bun"),
  kind: z.literal("script"),
  content: z.string(),
  lock: z.string(),
  schema: z.object({ order: z.array(z.string()), required: z.array(z.string()) }),
});

test("the folder lints clean", async () => {
  const told = await wmill(place, "lint", ".", "--json", "--locks-required", "--fail-on-warn");
  expect(JSON.parse(told)).toMatchObject({ success: true, warnings: [], issues: [] });
});

test("the engine receives script and lock byte for byte, and the parameters of `main` [1.B.3.script]", async () => {
  await using engine = await startEmptyEngine();
  await wmill(place, ...engine.remote, "folder", "push", "voice");
  await wmill(place, ...engine.remote, "script", "push", "f/voice/speak.ts");
  const written = engine.written();
  expect(written.map(({ url }) => url.replace(/\?.*/, ""))).toEqual([
    "/api/w/lab/folders/create",
    "/api/w/lab/scripts/create",
  ]);
  const pushed = Pushed.parse(JSON.parse(written[1]?.body ?? ""));
  expect(pushed.content).toBe(await readFile(join(FOLDER, "f/voice/speak.ts"), "utf8"));
  expect(pushed.lock).toBe(await readFile(join(FOLDER, "f/voice/speak.script.lock"), "utf8"));
  const takes = /main\(([^)]*)\)/.exec(pushed.content)?.[1]?.match(/\w+(?=\??:)/g);
  expect(pushed.schema.order).toEqual(takes);
  expect(pushed.schema.required).toEqual(["device", "text"]);
});
