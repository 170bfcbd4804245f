// Preloaded into the server (`node --import`): makes the next version of it from its source, with a kind of event that this version does not
// know, a higher level and migrations of its own (`NEWER_MIGRATIONS`). Every claim of a task whose id begins with `newer` has such an event.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** What is replaced in a file. A text that is not there any more is a mistake of this module. */
const CHANGES: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  [
    "/src/domain/journal.ts",
    [
      [
        "  cancel_requested: ENGINE_EVENTS.cancel_requested,",
        '  of_a_newer_version: { body: z.strictObject({ note: z.string() }), level: 99, text: () => ({ about: "newer", text: "" }) },\n  cancel_requested: ENGINE_EVENTS.cancel_requested,',
      ],
    ],
  ],
  [
    "/src/engine/tasks/transitions.ts",
    [
      [
        'events: [{ kind: "taken_up", body }],',
        'events: [{ kind: "taken_up", body }, ...(task_id.startsWith("newer") ? [{ kind: "of_a_newer_version", body: { note: "n" } }] : [])],',
      ],
    ],
  ],
  ["/package.json", [['"version": "', '"version": "1']]],
  [
    "/src/store/migration-plan.ts",
    [
      [
        'const FOLDER = join(import.meta.dirname, "../../prisma/migrations");',
        'const FOLDER = process.env["NEWER_MIGRATIONS"];',
      ],
    ],
  ],
]);

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

registerHooks({
  load(url, context, next) {
    const path = url.startsWith("file:") ? fileURLToPath(url) : "";
    const changes = path.startsWith(ROOT) ? CHANGES.get(path.slice(ROOT.length)) : undefined;
    const loaded = next(url, context);
    if (changes === undefined) return loaded;
    const source = changes.reduce(
      (text, [before, after]) => {
        if (!text.includes(before)) throw new Error(`${path} does not contain ${JSON.stringify(before)}`);
        return text.replace(before, after);
      },
      readFileSync(path, "utf8"),
    );
    return { ...loaded, source };
  },
});
