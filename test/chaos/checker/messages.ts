// The messages: what a reader with a cursor got while it happened is the whole list, and the whole list is what the journals report.
import type { Finding, History, Message } from "./history.ts";

const MESSAGES = [
  "reported",
  "sop_trial_failed",
  "sop_set_back",
  "sop_failing",
  "verification_missed",
  "no_server",
  "late_result",
];

export function messageFindings({ live, full, bundles }: History): Finding[] {
  const finding = (text: string, task_id: string | null) => ({ kind: "message", task_id, text });
  const differences = full.flatMap((message, place) => {
    const got = live.filter((one) => isSame(one, message)).length;
    const before = full[place - 1];
    return [
      ...(got === 1 ? [] : [finding(`message ${message.cursor} was read ${got} times`, message.thread_id)]),
      ...(before === undefined || before.cursor < message.cursor
        ? []
        : [finding(`message ${message.cursor} follows ${before.cursor}`, message.thread_id)]),
    ];
  });
  const strange = live
    .filter((message) => !full.some((one) => isSame(one, message)))
    .map((message) => finding(`message ${message.cursor} was read and is not in the list`, message.thread_id));
  const unlike = bundles.flatMap(({ task_id, journal }) => {
    const reported = journal.filter(({ kind }) => MESSAGES.includes(kind)).length;
    const listed = full.filter(({ thread_id }) => thread_id === task_id).length;
    return reported === listed
      ? []
      : [finding(`its journal has ${reported} messages, and the list ${listed} of it`, task_id)];
  });
  return [...differences, ...strange, ...unlike];
}

const isSame = (one: Message, other: Message): boolean =>
  one.cursor === other.cursor &&
  one.thread_id === other.thread_id &&
  one.at === other.at &&
  one.outcome.reason_code === other.outcome.reason_code;
