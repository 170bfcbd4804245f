// Makes a smart speaker say a text, through the voice server [1.B.3]. Runs on the flow engine, where the server has the name
// `voice` on the internal network and its token is the secret variable f/voice/speak_token. It imports nothing (D-160).

const VOICE_URL = process.env["VOICE_URL"] ?? "http://voice:3500";
const TOKEN_VARIABLE = "f/voice/speak_token";

/** A speech waits for those before it. After this time the script gives up, and a speech that still waits is not spoken. */
const LIMIT_MS = 120_000;

/** `device` is a name of the voice server's table, or a serial number; `volume` is 0 to 100. */
export async function main(device: string, text: string, volume?: number) {
  const token = await readVariable(TOKEN_VARIABLE);
  const response = await fetch(`${VOICE_URL}/speak`, {
    method: "POST",
    headers: { "Content-Type": "application/json; charset=utf-8", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ device, text, ...(volume != null && { volume }) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  }).catch((error: Error) => {
    throw new Error(`speak failed: ${VOICE_URL} gave no answer (${error.message}); is this worker on its network?`);
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`speak failed: HTTP ${response.status} ${answer.slice(0, 500)}`);
  return JSON.parse(answer);
}

async function readVariable(path: string): Promise<string> {
  const { BASE_INTERNAL_URL, BASE_URL, WM_WORKSPACE, WM_TOKEN } = process.env;
  const response = await fetch(`${BASE_INTERNAL_URL ?? BASE_URL}/api/w/${WM_WORKSPACE}/variables/get_value/${path}`, {
    headers: { Authorization: `Bearer ${WM_TOKEN}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return String(await response.json());
  throw new Error(`variable ${path} cannot be read: HTTP ${response.status}; it holds the server's VOICE_TOKEN`);
}
