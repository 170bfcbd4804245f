// Says in one sentence what went wrong and what to do. The library's errors are recognised by their text. Of another error the
// plain words are shown: its text may quote a response of the provider, so everything that could be a secret is left out.

const AGAIN = "Run the tool again and log in anew.";

const BROKEN_OFF = `The provider broke off the connection during the login. ${AGAIN}`;

const BY_WORDS: readonly (readonly [string, string])[] = [
  [
    "Proxy Server could not be initialized",
    "The proxy cannot listen on its port: the port is in use, or this user may not open it. Choose another with --port.",
  ],
  ["No tokens in Register response", `The provider did not accept the login: it gave no tokens for it. ${AGAIN}`],
  ["in Exchange response", `The provider accepted the login, but gave no cookies for the Japanese site. ${AGAIN}`],
  ["Cannot find package", "The login library is not installed. Run npm ci first."],
  ["mkdtemp", "No temporary directory can be made. Set TMPDIR to a directory that this user can write to."],
  ["socket hang up", BROKEN_OFF],
  // Broken off before the provider has sent the site of the account; the library then requests it nevertheless.
  ["www.undefined", BROKEN_OFF],
];

const messageOf = (error: unknown): string => {
  if (typeof error === "string") return error;
  return error instanceof Error ? error.message : "";
};

const nameOf = (error: unknown): string =>
  error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : "unknown error";

/** The code of a Node error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(error.code) ? error.code : undefined;
}

export const isPrompt = (error: unknown): boolean => messageOf(error).includes("Please open");

export function explainError(error: unknown): string {
  if (error instanceof SyntaxError)
    return `The provider answered the login with something that cannot be read. Wait some minutes. ${AGAIN}`;
  const message = messageOf(error);
  const known = BY_WORDS.find(([words]) => message.includes(words));
  if (known !== undefined) return known[1];
  const code = codeOf(error) ?? "";
  if (/CERT|ISSUER|SIGNATURE|^ERR_(SSL|TLS)|^EPROTO$/.test(code))
    return `The connection to the provider is not safe (${code}): a third party may read along. Check the network.`;
  if (/^(ECONN|ENET|EHOST|EAI_|ENOTFOUND|ETIMEDOUT|EPIPE)/.test(code))
    return `The connection to the provider failed during the login (${code}). Check the network. ${AGAIN}`;
  const shown = [nameOf(error), ...(code === "" ? [] : [code])].join(", ");
  // The library does not check the provider's responses and fails where they differ from its assumptions.
  if (error instanceof TypeError) return `The login library cannot use what the provider answered (${shown}). ${AGAIN}`;
  const words = plainWords(message);
  const said = words === "" ? shown : typeof error === "string" ? words : `${shown}: ${words}`;
  return `The login failed (${said}). ${AGAIN}`;
}

const LEFT_OUT = "[left out]";
const MAX_WORDS = 40;

/** Words of letters and small numbers. Anything quoted, long, or with other signs could be a cookie, a token or a password. */
function plainWords(text: string): string {
  const words = text.replace(/(["'`]).*?(\1|$)/gs, " = ").split(/\s+/);
  const shown = words.filter((word) => word !== "").map((word) => (PLAIN.test(word) ? word : LEFT_OUT));
  const distinct = shown.filter((word, position) => word !== LEFT_OUT || shown[position - 1] !== LEFT_OUT);
  return distinct.length <= MAX_WORDS ? distinct.join(" ") : `${distinct.slice(0, MAX_WORDS).join(" ")} ...`;
}

const PLAIN = /^[(]?([A-Za-z]{1,20}|\d{1,5})[).,:;!?]{0,2}$/;

export function explainPort(port: number, code: string): string {
  if (code === "EADDRINUSE")
    return `Port ${port} is in use. End the program that listens there, or choose another with --port.`;
  if (code === "EACCES" || code === "EPERM")
    return `This user may not open port ${port}. Choose one above 1023 with --port.`;
  return `The proxy cannot listen on port ${port} (${code}). Choose another with --port.`;
}
