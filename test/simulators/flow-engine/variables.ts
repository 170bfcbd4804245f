// The variables of a flow engine on loopback, as its API gives them out (the official client reads them in
// test/contract/voice/script.test.ts).
import { json, type Received, startRequestRecorder, text } from "../../support/request-recorder.ts";
import { failFor, violationsIn } from "./published-api.ts";

const TOKEN = "engine-token";
const WORKSPACE = "lab";
const PREFIX = `/api/w/${WORKSPACE}/variables/get_value/`;

/** By path; they may be changed at any time. */
export async function startVariables(variables: Map<string, string>) {
  const violations: string[] = [];
  const answer = (received: Received) => {
    const said = answerOf(received);
    violations.push(...violationsIn({ ...received, answer: said }));
    return said;
  };
  const answerOf = ({ url, headers }: Received) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return text("Unauthorized", 401);
    const path = url.replace(PREFIX, "");
    const value = variables.get(path);
    return value === undefined ? text(`Not found: Variable ${path} not found`, 404) : json(value);
  };
  const engine = await startRequestRecorder(answer);
  return {
    ...engine,
    token: TOKEN,
    workspace: WORKSPACE,
    /** The settings of the voice server for it. */
    env: { FLOWENGINE_URL: `${engine.url}/`, FLOWENGINE_TOKEN: TOKEN, FLOWENGINE_WORKSPACE: WORKSPACE },
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      failFor(violations);
    },
  };
}
