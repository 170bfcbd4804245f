// A directory of its own for the doctor to look at, and the proof that it changed nothing there.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { doctor } from "../../src/doctor/doctor.ts";
import type { DoctorCheck } from "../../src/doctor/examination.ts";
import { freePort } from "./free-port.ts";
import { temporaryDirectory } from "./orch-process.ts";

export type DoctorDirectory = Awaited<ReturnType<typeof doctorDirectory>>;

export async function doctorDirectory() {
  const directory = await temporaryDirectory();
  const state = join(directory.path, "state");
  const unused_port = String(await freePort());

  /** Every file with its mode and content. */
  const everything = () =>
    readdirSync(directory.path, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => {
        const path = join(directory.path, name);
        const found = statSync(path);
        return [name, found.mode.toString(8), found.isFile() ? readFileSync(path, "latin1") : null];
      });

  /** The checks by name, of an environment in which nothing else is set. */
  const examine = async (
    environment: Record<string, string> = {},
    options: { readonly deep?: boolean } = {},
  ): Promise<ReadonlyMap<string, DoctorCheck>> => {
    const before = everything();
    const checks = await doctor(
      { HOME: directory.path, ORCH_DATA_DIR: state, ORCH_PORT: unused_port, ...environment },
      options,
    );
    expect(everything(), "nothing was changed").toEqual(before);
    const helpless = checks.filter(({ state, fix }) => fix === null && state !== "works" && state !== "off");
    expect(helpless, "what is wrong comes with what to do").toEqual([]);
    return new Map(checks.map((check) => [check.name, check]));
  };

  return {
    path: directory.path,
    /** The data directory, which is not there yet. */
    state,
    /** A port on which no program listens. */
    unused_port,
    examine,
    checkOf: async (name: string, environment?: Record<string, string>) => (await examine(environment)).get(name),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}
