// Does in directories what a Dockerfile of two stages says, for want of an engine: copies, runs, and reports how the image starts.
// What its ignore file leaves out is not there to be copied.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join, matchesGlob, relative } from "node:path";
import { promisify } from "node:util";

export type Image = {
  /** Where the last WORKDIR is. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly health_check: readonly string[];
  readonly from: readonly string[];
};

type Build = { readonly context: string; readonly dockerfile: string; readonly into: string };

export async function buildImage({ context, dockerfile, into }: Build): Promise<Image> {
  const lines = (await readFile(join(context, dockerfile), "utf8")).split("\n");
  const ignored = await ignoredBy(join(context, `${dockerfile}.dockerignore`));
  const image = {
    root: "",
    env: {},
    user: "root",
    command: [] as string[],
    health_check: [] as string[],
    from: [] as string[],
  };
  const stages = new Map<string, string>();
  let stage = "";
  for (const line of lines.filter((text) => text !== "" && !text.startsWith("#"))) {
    const [word = "", ...rest] = line.split(" ");
    const told = rest.join(" ");
    if (word === "FROM") {
      const [base = "", , name = "last"] = rest;
      image.from.push(base);
      stage = join(into, name);
      stages.set(name, stage);
    } else if (word === "WORKDIR") {
      image.root = join(stage, told);
      await mkdir(image.root, { recursive: true });
    } else if (word === "COPY") await copy(rest, { context, ignored, stages, root: image.root });
    else if (word === "RUN") await promisify(execFile)("sh", ["-c", told], { cwd: image.root, timeout: 100_000 });
    else if (word === "ENV") Object.assign(image.env, Object.fromEntries(rest.map((pair) => pair.split("="))));
    else if (word === "USER") image.user = told;
    else if (word === "CMD") image.command = JSON.parse(told);
    else if (word === "HEALTHCHECK") image.health_check = JSON.parse(told.slice(told.indexOf("[")));
    else if (word !== "EXPOSE") throw new Error(`unknown instruction ${word}`);
  }
  return image;
}

type Copying = {
  readonly context: string;
  readonly ignored: (path: string) => boolean;
  readonly stages: ReadonlyMap<string, string>;
  readonly root: string;
};

async function copy(words: readonly string[], { context, ignored, stages, root }: Copying): Promise<void> {
  const from = /^--from=(.+)$/.exec(words[0] ?? "")?.[1];
  const paths = from === undefined ? words : words.slice(1);
  const base = from === undefined ? context : (stages.get(from) ?? "");
  const target = paths.at(-1) ?? "";
  for (const source of paths.slice(0, -1)) {
    const into = join(root, target.endsWith("/") ? join(target, source.split("/").at(-1) ?? "") : target);
    if (from !== undefined) await cp(join(base, source), into, { recursive: true, verbatimSymlinks: true });
    else await copyFiles(join(base, source), into, (file) => !ignored(relative(context, file)));
  }
}

async function copyFiles(source: string, into: string, wanted: (file: string) => boolean): Promise<void> {
  if (!(await stat(source)).isDirectory()) return cp(source, into);
  for (const name of await readdir(source, { recursive: true })) {
    const file = join(source, name);
    if (wanted(file) && (await stat(file)).isFile()) await cp(file, join(into, name));
  }
}

/** The last rule that names a file, or a directory it lies in, is the one that counts. */
async function ignoredBy(file: string): Promise<(name: string) => boolean> {
  const rules = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return (name) => {
    const places = name.split("/").map((_part, index, all) => all.slice(0, index + 1).join("/"));
    const last = rules.findLast((rule) => places.some((place) => matchesGlob(place, rule.replace(/^!/, ""))));
    return last !== undefined && !last.startsWith("!");
  };
}
