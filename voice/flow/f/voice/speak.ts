// Makes a smart speaker say a text, through the voice server [1.B.3]. Runs on the flow engine, where the server has the name
// `voice` on the internal network and its token is the secret variable f/voice/speak_token. It imports nothing (D-160).

const VOICE_URL = process.env["VOICE_URL"] ?? "http://voice:3500";
const TOKEN_VARIABLE = "f/voice/speak_token";

/** The server refuses at once what it could not begin within this time. */
const MAX_WAIT_S = 90;
/** For the rest: a speech that has begun takes as long as the provider. */
const ANSWER_S = 30;

/** `device` is a name of the voice server's table, or a serial number; `volume` is 0 to 100. */
export async function main(
  device: string,
  text: string,
  volume?: number,
  priority?: "announcement" | "normal" | "low",
) {
  const token = await readVariable(TOKEN_VARIABLE);
  const asked = {
    device,
    text,
    max_wait_s: MAX_WAIT_S,
    ...(volume != null && { volume }),
    ...(priority && { priority }),
  };
  const response = await fetch(`${VOICE_URL}/speak`, {
    method: "POST",
    headers: { "Content-Type": "application/json; charset=utf-8", Authorization: `Bearer ${token}` },
    body: JSON.stringify(asked),
    signal: AbortSignal.timeout((MAX_WAIT_S + ANSWER_S) * 1_000),
  }).catch((error: Error) => {
    throw new Error(`speak failed: ${VOICE_URL} gave no answer (${error.message}); ${whatToCheck(error)}`);
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`speak failed: HTTP ${response.status} ${answer.slice(0, 500)}`);
  return JSON.parse(answer);
}

const whatToCheck = ({ name }: Error): string =>
  name === "TimeoutError"
    ? "the server is slow or does not answer: see its log; the text may have been spoken"
    : "is this worker on its network?";

async function readVariable(path: string): Promise<string> {
  const { BASE_INTERNAL_URL, BASE_URL, WM_WORKSPACE, WM_TOKEN } = process.env;
  const response = await fetch(`${BASE_INTERNAL_URL ?? BASE_URL}/api/w/${WM_WORKSPACE}/variables/get_value/${path}`, {
    headers: { Authorization: `Bearer ${WM_TOKEN}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return String(await response.json());
  throw new Error(`variable ${path} cannot be read: HTTP ${response.status}; it holds the server's VOICE_TOKEN`);
}
