// Takes secrets out of text before it is stored, logged or shown to a model (spec section 2: the credential is never
// printed). Known values first, in every form they travel in, then the shapes of well-known credentials.

/** Shorter values would also hide ordinary words. */
const MIN_LENGTH = 8;
const MARK = "[redacted]";

// Every quantifier follows a literal and is bounded, or its end is never searched twice: linear in the text.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MARK],
  [
    /(authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:(?:bearer|basic|digest|token)[ \t]{1,8})?)[^\s"',;]{1,8192}/gi,
    `$1${MARK}`,
  ],
  [/\b(bearer[ \t]{1,8})[\w.~+/=-]{16,8192}/gi, `$1${MARK}`],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, MARK],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,255})/g, MARK],
  [
    /((?:password|passwd|passphrase)\\?["']?[ \t]{0,8}[=:][ \t]{0,8})(?:(["'])(?:(?!\2)[^\n]){1,4096}\2|\\?["']?[^\s"'&,;]{1,4096})/gi,
    `$1$2${MARK}$2`,
  ],
  [/(:\/\/[^\s:@/]{0,256}:)[^\s@/]{1,1024}@/g, `$1${MARK}@`],
];

export type Redact = (text: string) => string;

/** `secrets` are plain values; those under 8 characters are left out. */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.filter(isLong).flatMap(formsOf))].filter(isLong);
  // The longest first, so that a secret inside another does not leave the rest of it standing.
  forms.sort((a, b) => b.length - a.length);
  return (text) => {
    const known = forms.reduce((rest, form) => rest.replaceAll(form, MARK), text);
    return PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), known);
  };
}

const isLong = (text: string): boolean => text.length >= MIN_LENGTH;

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].flatMap((shift) => [base64Core(secret, shift, "base64"), base64Core(secret, shift, "base64url")]),
  ];
}

/** The characters that base64 of any text with the secret `shift` bytes into a group of three has in common. */
function base64Core(secret: string, shift: number, encoding: "base64" | "base64url"): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret, "utf8")]);
  return bytes.toString(encoding).slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
