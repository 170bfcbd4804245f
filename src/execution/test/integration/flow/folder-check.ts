// What the engine's own linters do not look at in the folder that is pushed to it: keys that mean nothing, files that are not
// there, a lock that is another script's, and names that do not fit together.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const FLOW_FOLDER = join(import.meta.dirname, "../../../flow");
const FLOW = "f/orch/execute_task_steps.flow";

/** Exactly what the engine writes for a script without dependencies. */
const LOCK = '{\n  "dependencies": {}\n}\n//bun.lock\n<empty>';

const Names = z.array(z.string());
const Settings = z.strictObject({
  defaultTs: z.literal("bun"),
  includes: z.tuple([z.literal("f/orch/**")]),
  skipVariables: z.literal(true),
  skipResources: z.literal(true),
  skipSecrets: z.literal(true),
  nonDottedPaths: z.literal(false),
});
const Folder = z.strictObject({
  summary: z.string(),
  display_name: z.string(),
  owners: z.tuple([]),
  extra_perms: z.strictObject({}),
});
const Property = z.strictObject({
  type: z.enum(["object", "array"]),
  description: z.string(),
  items: z.strictObject({ type: z.literal("object") }).optional(),
});
const Script = z.strictObject({
  type: z.literal("rawscript"),
  language: z.literal("bun"),
  content: z.string(),
  lock: z.string(),
  input_transforms: z.record(z.string(), z.strictObject({ type: z.literal("javascript"), expr: z.string() })),
});
const Module = z.strictObject({
  id: z.literal("run_steps"),
  summary: z.string(),
  timeout: z.strictObject({ type: z.literal("static"), value: z.literal(86_400) }),
  value: Script,
});
const Flow = z.strictObject({
  summary: z.string(),
  description: z.string(),
  value: z.strictObject({ same_worker: z.literal(true), modules: z.tuple([Module]) }),
  schema: z.strictObject({
    $schema: z.url(),
    type: z.literal("object"),
    order: Names,
    properties: z.record(z.string(), Property),
    required: Names,
  }),
});

/** The texts of a folder, by path. */
export async function readFolder(folder = FLOW_FOLDER): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = async (path: string) => [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** What is wrong with it, nothing when it can be pushed. */
export function faultsOf(files: ReadonlyMap<string, string>): string[] {
  const read = <T>(path: string, schema: z.ZodType<T>): { readonly data?: T; readonly faults: readonly string[] } => {
    const { data, error } = schema.safeParse(parse(files.get(path) ?? ""));
    const faults = error?.issues.map((issue) => `${path}: ${issue.path.join(".")} ${issue.message}`) ?? [];
    return data === undefined ? { faults } : { data, faults };
  };
  const flow = read(`${FLOW}/flow.yaml`, Flow);
  const faults = [
    ...read("wmill.yaml", Settings).faults,
    ...read("f/orch/folder.meta.yaml", Folder).faults,
    ...flow.faults,
  ];
  return flow.data === undefined ? faults : [...faults, ...misfits(flow.data, files)];
}

function misfits({ value, schema }: z.infer<typeof Flow>, files: ReadonlyMap<string, string>): string[] {
  const { content, lock, input_transforms } = value.modules[0].value;
  const inlined = (text: string) => files.get(`${FLOW}/${text.replace(/^!inline /, "")}`);
  const script = inlined(content);
  if (script === undefined || inlined(lock) === undefined) return [`${content} or ${lock} is not there`];
  const names = /^export async function main\(([^)]*)\)/m.exec(script)?.[1]?.split(",") ?? [];
  const args = names.map((name) => name.replace(/:.*/s, "").trim());
  const lists = [Object.keys(input_transforms), schema.order, Object.keys(schema.properties), schema.required];
  const given = Object.entries(input_transforms).filter(([name, { expr }]) => expr !== `flow_input.${name}`);
  const foreign = [...script.matchAll(/(?:\bfrom|\bimport|\brequire)\b[\s(]*["']([^"']+)["']/g)];
  return [
    ...(args.length === 0 ? ["there is no main"] : []),
    ...lists.filter((list) => list.join() !== args.join()).map((list) => `main takes ${args}, which is not ${list}`),
    ...given.map(([name, { expr }]) => `${name} is given ${expr}`),
    ...(inlined(lock) === LOCK ? [] : ["the lock is not that of a script without dependencies"]),
    ...foreign.filter(([, name]) => !name?.startsWith("node:")).map(([, name]) => `the script imports ${name}`),
  ];
}
