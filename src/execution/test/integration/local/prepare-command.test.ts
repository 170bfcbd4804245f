// What keeps a command from running because an agent could write where it works.
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aContract } from "../../../../../test/support/builders.ts";
import { anAgentSandbox } from "../../../../../test/support/sandboxes.ts";
import { createAgentPlaces } from "../../../local/agent-places.ts";
import { prepareConfined, preparePlain } from "../../../local/prepare-command.ts";
import { home } from "./a-command.ts";

const aCommand = ({ cwd }: { readonly cwd: string }) =>
  ({ script: "ls", strict: true, cwd, env: {}, limit_ms: 1_000, grace_ms: 0 }) as const;

async function anAgentsPlace() {
  const [place, victim] = ["place", "victim"].map((name) => join(home(), name)) as [string, string];
  for (const path of [
    place,
    victim,
    ...["place/inner", "elsewhere", "victim/deeper"].map((name) => join(home(), name)),
  ])
    mkdirSync(path);
  symlinkSync(victim, join(place, "out"));
  symlinkSync(join(place, "inner"), join(place, "in"));
  symlinkSync(place, join(home(), "mine"));
  const places = createAgentPlaces(join(home(), "places"));
  await places.note([place]);
  return { place, victim, places };
}

const constraints = (...implicit_scope: string[]) => ({ implicit_scope, require_approval_for: [], max_minutes: 1 });

test("a link that an agent could have made leads no contract to another directory [5.4]", async () => {
  const { place, places } = await anAgentsPlace();
  const confined = prepareConfined(anAgentSandbox({}), { places, compose_roots: null });
  const plain = preparePlain(places);
  const refused = async (compose_dir: string, ...scope: string[]) => {
    const contract = aContract({ target: { compose_dir }, constraints: constraints(...scope) });
    const command = aCommand({ cwd: realpathSync.native(compose_dir) });
    return [await confined(command, contract), await plain(command, contract)].map((end) =>
      "refused" in end ? end.refused : null,
    );
  };
  const named = expect.stringContaining(`${place}/out is a link that an agent could have made`);
  expect(await refused(`${place}/out`)).toEqual([named, named]);
  expect(await refused(`${home()}/mine/out/deeper`)).toEqual([named, named]);
  expect(await refused(`${home()}/elsewhere`, `write:${place}/out`)).toEqual([named, null]);
  expect(await refused(`${place}/out/../victim`)).toEqual([named, named]);
  expect(await refused(`${place}/in`)).toEqual([null, null]);
  expect(await refused(`${home()}/mine`)).toEqual([null, null]);
});

test("a directory that is another one since the run began is not worked in [5.4]", async () => {
  const { place, victim, places } = await anAgentsPlace();
  const contract = aContract({ target: { compose_dir: join(place, "inner") } });
  const refused = { refused: expect.stringMatching(/inner was .*victim when the run began, and is not any more$/) };
  const command = aCommand({ cwd: victim });
  expect(await preparePlain(places)(command, contract)).toEqual(refused);
  expect(await prepareConfined(anAgentSandbox({}), { places, compose_roots: null })(command, contract)).toEqual(
    refused,
  );
});

test("where an agent could write, nothing that is not approved runs, because programs read their configuration there [5.4]", async () => {
  const { place, places } = await anAgentsPlace();
  const look = preparePlain(places, anAgentSandbox({}));
  const contract = aContract({ target: {}, constraints: constraints("git:config") });
  const refusals = [place, join(place, "inner"), home()].map(async (cwd) => look(aCommand({ cwd }), contract));
  for (const refusal of await Promise.all(refusals))
    expect(refusal).toEqual({ refused: expect.stringContaining("nothing is tried there before it is approved") });
  // By another spelling of its path the place is not there.
  expect(await look(aCommand({ cwd: join(home(), "elsewhere") }), contract)).toMatchObject({
    sandbox: { hidden: [place] },
  });
});
