// Asks the running server how its last questions to the routing model went.
import type { Env } from "../config/config.ts";
import { findConnection } from "../config/connection.ts";
import { listInbox } from "../operations/shapes/inbox.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { getJson } from "./get-json.ts";

/** Null where nothing is to be said, or no server answers. */
export async function noticeOf(environment: Env, server: Promise<Diagnosis>): Promise<string | null> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return null;
  const { url, token } = await findConnection(environment);
  const answer = await getJson(`${url}${listInbox.path}?limit=1`, { authorization: `Bearer ${token.value ?? ""}` });
  const read = "fault" in answer ? null : listInbox.output.safeParse(answer.body);
  const notices = read?.success === true ? read.data.notices : [];
  return notices.length === 0 ? null : notices.join(" ");
}
