// What is read of a script: a short regular file, and nothing that could keep the reader waiting.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { aContract } from "../../../../../test/support/builders.ts";
import { digestOf } from "../../../../domain/json.ts";
import { createDisk, createDiskForAgents, textAtOf } from "../../../local/disk.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-text-"));
afterAll(() => rmSync(directory, { recursive: true }));
const asItIs = (text: string): string => text;
const disk = createDisk([], asItIs);
const textAt = textAtOf(disk);
const whole = (text: string) => ({ text, judged: text });
const at = (name: string): string => join(directory, name);
const written = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

test("a short file is read, also through a link", async () => {
  symlinkSync(written("a.sh", "ls\n"), at("link"));
  expect([await textAt(at("a.sh")), await textAt(at("link"))]).toEqual([whole("ls\n"), whole("ls\n")]);
});

const sha = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

const LARGE = `x${"\u00e9".repeat(1.5e6)}`;
const LATIN = Buffer.from([0x6c, 0x73, 0xe9]);

test.each<[string, string | Buffer, string | object, string]>([
  ["a script", "ls\n", whole("ls\n"), digestOf("ls\n")],
  ["an empty one", "", whole(""), digestOf("")],
  ["one of 64 KiB", "x".repeat(65_536), whole("x".repeat(65_536)), digestOf("x".repeat(65_536))],
  ["one of a byte more", "x".repeat(65_537), "too long", sha("x".repeat(65_537))],
  ["one of 3 MiB with a letter of two bytes where it is cut", LARGE, "too long", sha(LARGE)],
  ["a program", "\x7fELF\0", "no text", sha("\x7fELF\0")],
  ["a text with a NUL", "ls\n\0\nid\n", whole("ls\n\nid\n"), sha("ls\n\0\nid\n")],
  ["a text in another encoding", LATIN, whole("ls\uFFFD"), sha(LATIN)],
])("promises 2.1: the digest is of the whole of %s", async (name, bytes, content, digest) => {
  writeFileSync(at(`whole ${name}`), bytes);
  expect(await disk.read(at(`whole ${name}`))).toEqual({ digest, content });
});

test("a directory is listed with what its links lead to", async () => {
  mkdirSync(at("listed/sub"), { recursive: true });
  written("listed/a.sh", "");
  symlinkSync(at("listed/a.sh"), at("listed/b.sh"));
  symlinkSync(at("listed/sub"), at("listed/linked"));
  symlinkSync(at("nowhere"), at("listed/broken"));
  const entries = (await disk.list(at("listed"))) ?? [];
  expect(entries.map(({ name, is }) => `${name} ${is}`).toSorted()).toEqual([
    "a.sh file",
    "b.sh file",
    "linked linked directory",
    "sub directory",
  ]);
  expect([await disk.list(at("listed/a.sh")), await disk.list(at("nowhere"))]).toEqual([null, null]);
});

test("a long file, a program, a directory, a pipe, a device and a file of the kernel have no text, and keep nothing waiting", async () => {
  execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
  const paths = [written("long", "x".repeat(65_537)), written("program", "\x7fELF\0"), at("missing"), directory];
  for (const path of [...paths, at("pipe"), "/dev/zero", "/dev/tty"])
    expect([path, await textAt(path)]).toEqual([path, null]);
});

test("what is hidden is not read, by any link", async () => {
  mkdirSync(at("data"));
  symlinkSync(written("data/token", "secret\n"), at("to-token"));
  const hiding = textAtOf(createDisk([at("data")], asItIs));
  expect([await hiding(at("data/token")), await hiding(at("to-token")), await hiding(at("a.sh"))]).toEqual([
    ...[null, null, whole("ls\n")],
  ]);
});

type Account = { uid: number; gid: number } | null;

/** Reads for an agent, whose task is in this directory. */
function forAgent(compose_dir: string | null, account: Account = null, places: readonly string[] = []) {
  const disks = createDiskForAgents({
    hidden: [at("hidden")],
    writable: [],
    account,
    home: at("home"),
    judgedAs: asItIs,
    places: { all: () => places },
  });
  return textAtOf(disks(aContract(compose_dir === null ? {} : { target: { compose_dir } })));
}

test("for an agent no file is read that its commands could not read", async () => {
  const place = (name: string) => {
    mkdirSync(at(name));
    return written(`${name}/a.sh`, `${name}\n`);
  };
  const [hidden = "", home = "", named = "", other = ""] = ["hidden", "home", "home/named", "other"].map(place);
  for (const target of [hidden, home]) symlinkSync(target, at(`home/named/to-${target.split("/").at(-2)}`));
  const read = forAgent(at("home/named"));
  // The last one is below the /tmp of the machine, and an agent has its own.
  for (const path of [hidden, home, at("home/named/to-hidden"), at("home/named/to-home"), other])
    expect([path, await read(path)]).toEqual([path, null]);
  expect(await read(named)).toEqual(whole("home/named\n"));
});

test("for an agent of another account no file is read that this account could not read", async () => {
  const directory = mkdtempSync("/opt/orch-text-");
  const path = join(directory, "a.sh");
  writeFileSync(path, "ls\n", { mode: 0o600 });
  const read = forAgent(null, { uid: 65_534, gid: 65_534 });
  try {
    chmodSync(directory, 0o755);
    expect(await read(path)).toBe(null);
    chmodSync(path, 0o644);
    expect(await read(path)).toEqual(whole("ls\n"));
    chmodSync(directory, 0o700);
    expect(await read(path)).toBe(null);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("for an agent nothing is read while its directory is named by a link that an agent could have made", async () => {
  const place = at("linked-place");
  mkdirSync(place);
  symlinkSync(at("other"), join(place, "sub"));
  const read = (places: readonly string[]) => forAgent(join(place, "sub"), null, places)(at("other/a.sh"));
  expect([await read([]), await read([place])]).toEqual([whole("other\n"), null]);
});
