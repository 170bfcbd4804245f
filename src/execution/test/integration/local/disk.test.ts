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

test.each<[string, string | Buffer, string | object, string]>([
  ["a script", "ls\n", whole("ls\n"), digestOf("ls\n")],
  ["an empty one", "", whole(""), digestOf("")],
  ["one of 64 KiB", "x".repeat(65_536), whole("x".repeat(65_536)), digestOf("x".repeat(65_536))],
  ["one of a byte more", "x".repeat(65_537), "too long", sha("x".repeat(65_537))],
  [
    "one of 3 MiB with a letter of two bytes where it is cut",
    `x${"\u00e9".repeat(1.5e6)}`,
    "too long",
    sha(`x${"\u00e9".repeat(1.5e6)}`),
  ],
  ["a program", "\x7fELF\0", "no text", sha("\x7fELF\0")],
  ["a text with a NUL", "ls\n\0\nid\n", whole("ls\n\nid\n"), sha("ls\n\0\nid\n")],
  [
    "a text in another encoding",
    Buffer.from([0x6c, 0x73, 0xe9]),
    whole("ls\uFFFD"),
    sha(Buffer.from([0x6c, 0x73, 0xe9])),
  ],
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

test("a file of more than 64 KiB, a program and a missing file are not", async () => {
  const paths = [written("long", "x".repeat(65_537)), written("program", "\x7fELF\0"), at("missing"), directory];
  expect(await Promise.all(paths.map(textAt))).toEqual([null, null, null, null]);
});

test("a pipe, a device and a file of the kernel are not, and keep nothing waiting", async () => {
  execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
  expect(await Promise.all([at("pipe"), "/dev/zero", "/dev/tty"].map(textAt))).toEqual([null, null, null]);
});

test("what is hidden is not read, by any link", async () => {
  mkdirSync(at("data"));
  symlinkSync(written("data/token", "secret\n"), at("to-token"));
  const hiding = textAtOf(createDisk([at("data")], asItIs));
  expect([await hiding(at("data/token")), await hiding(at("to-token")), await hiding(at("a.sh"))]).toEqual([
    ...[null, null, whole("ls\n")],
  ]);
});

test("for an agent no file is read that its commands could not read", async () => {
  const place = (name: string) => {
    mkdirSync(at(name));
    return written(`${name}/a.sh`, `${name}\n`);
  };
  const [hidden, home, named, other] = ["hidden", "home", "home/named", "other"].map(place) as [
    ...[string, string, string, string],
  ];
  for (const target of [hidden, home]) symlinkSync(target, at(`home/named/to-${target.split("/").at(-2)}`));
  const forAgents = (account: { uid: number; gid: number } | null) =>
    createDiskForAgents({
      hidden: [at("hidden")],
      writable: [],
      account,
      home: at("home"),
      judgedAs: asItIs,
      places: { all: () => [] },
    });
  const contract = aContract({ target: { compose_dir: at("home/named") } });
  const read = (path: string, account: { uid: number; gid: number } | null = null) =>
    textAtOf(forAgents(account)(contract))(path);
  expect([await read(hidden), await read(home), await read(at("home/named/to-hidden"))]).toEqual([null, null, null]);
  expect([await read(at("home/named/to-home")), await read(named)]).toEqual([null, whole("home/named\n")]);
  // Below the /tmp of the machine, and an agent has its own.
  expect(await read(other)).toBe(null);
});

test("for an agent of another account no file is read that this account could not read", async () => {
  const directory = mkdtempSync("/opt/orch-text-");
  const path = join(directory, "a.sh");
  writeFileSync(path, "ls\n", { mode: 0o600 });
  const read = () => {
    const disk = createDiskForAgents({
      hidden: [],
      writable: [],
      judgedAs: asItIs,
      account: { uid: 65_534, gid: 65_534 },
      home: "/nonexistent",
      places: { all: () => [] },
    })(aContract());
    return textAtOf(disk)(path);
  };
  try {
    chmodSync(directory, 0o755);
    expect(await read()).toBe(null);
    chmodSync(path, 0o644);
    expect(await read()).toEqual(whole("ls\n"));
    chmodSync(directory, 0o700);
    expect(await read()).toBe(null);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("for an agent nothing is read while its directory is named by a link that an agent could have made", async () => {
  const place = at("linked-place");
  mkdirSync(place);
  symlinkSync(at("other"), join(place, "sub"));
  const contract = aContract({ target: { compose_dir: join(place, "sub") } });
  const read = (places: readonly string[]) => {
    const disk = createDiskForAgents({
      hidden: [],
      writable: [],
      judgedAs: asItIs,
      account: null,
      home: "/nonexistent",
      places: { all: () => places },
    })(contract);
    return textAtOf(disk)(at("other/a.sh"));
  };
  expect([await read([]), await read([place])]).toEqual([whole("other\n"), null]);
});
