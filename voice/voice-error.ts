// What can go wrong with a speak request: a closed set of codes, each with its HTTP status (D-150). Messages are written here
// and by the callers; none contains a cookie, a token or an id.

const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  host_refused: 403,
  not_found: 404,
  unknown_device: 404,
  unknown_speech: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  queue_full: 429,
  throttled: 429,
  internal_error: 500,
  /** The provider responded with an error; `upstream_status` is its HTTP status. */
  upstream_error: 502,
  /** The provider sent a response that this version does not know. */
  upstream_changed: 502,
  upstream_unreachable: 502,
  /** A page in place of an answer: the cookie may still be right. */
  upstream_blocked: 502,
  cookie_missing: 503,
  /** There is one, and it cannot be read. */
  cookie_unreadable: 503,
  cookie_expired: 503,
  /** The provider wants the owner of the account to confirm something. */
  account_challenge: 503,
  csrf_missing: 503,
  /** It waited for longer than its caller wanted. */
  expired: 503,
  starting: 503,
  stopping: 503,
  upstream_timeout: 504,
} as const;

type VoiceErrorCode = keyof typeof STATUS;

type Details = {
  /** The wrong field of the request. */
  readonly field?: string;
  /** Seconds, sent as Retry-After. */
  readonly retry_after?: number;
  readonly upstream_status?: number;
  /** Whether the device may have spoken, or may still do so. */
  readonly perhaps_spoken?: boolean;
};

export class VoiceError extends Error {
  readonly code: VoiceErrorCode;
  readonly details: Details;

  constructor(code: VoiceErrorCode, message: string, details: Details = {}) {
    super(message);
    this.name = "VoiceError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** The error for the caller. */
export function asVoiceError(error: unknown, stopping: AbortSignal): VoiceError {
  if (error instanceof VoiceError) return error;
  if (stopping.aborted) return new VoiceError("stopping", "The server stops; this was not spoken.");
  return new VoiceError("internal_error", "The voice server failed; its log has the details.");
}
