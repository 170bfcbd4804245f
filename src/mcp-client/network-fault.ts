// A request that did not come through, as a reply.
import { networkFault as faultOf } from "../http-client/network-fault.ts";
import type { Reply } from "./reply.ts";

export function networkFault(error: TypeError): Reply {
  const { message, sent, is_redirect } = faultOf(error);
  return { is: is_redirect ? "foreign" : sent ? "lost" : "unreachable", message };
}
