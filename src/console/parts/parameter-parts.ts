// The parameters in a command: variables of the target, the payload and the task, and the places of a tool's arguments.

const PARAMETER =
  /(\$\{?ORCH_(?:TARGET_[A-Z0-9_]+|PAYLOAD|TASK_ID|BEFORE)(?:[^A-Za-z0-9_{}][^{}]*)?\}|\$ORCH_(?:TARGET_[A-Z0-9_]+|PAYLOAD|TASK_ID|BEFORE)(?![A-Za-z0-9_])|\$\{(?:target|payload)\.[A-Za-z0-9_.]+\})/;

/** Text and parameters by turns, text first. */
export const parameterParts = (text: string): readonly string[] => text.split(PARAMETER);
