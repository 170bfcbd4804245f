// The formats in which models mark a tool call in their text (D-142). JSON is between `open` and `close`: the arguments
// when the opening contains the name, else whole calls. The patterns of a call format are sticky and bounded.

export type CallFormat = {
  readonly open: RegExp;
  readonly close: RegExp;
  /** Set when the JSON alone does not prove a call. */
  readonly must_close?: true;
  /** Set when the format is not a call inside a code fence. */
  readonly outside_fences?: true;
};

export const CALL_FORMATS: readonly CallFormat[] = [
  // Llama 3.1
  {
    open: /(?:<tool_call>\s{0,8})?<function=(?<name>[\w.-]{1,128})>\s{0,8}(?=\{)/y,
    close: /\s{0,8}<\/function>(?:\s{0,8}<\/tool_call>)?/y,
  },
  // Hermes, Qwen, Granite, Phi-4
  {
    open: /<(\|?)(?:tool_calls?|tools|function_calls?)\1>\s{0,8}/y,
    close: /\s{0,8}<\|?\/(?:tool_calls?|tools|function_calls?)\|?>/y,
  },
  // Llama 3.x
  { open: /<\|python_tag\|>\s{0,8}/y, close: /\s{0,8}<\|eo[mt]_id\|>/y },
  // Mistral: from its eleventh tokenizer on, then before it
  {
    open: /\[TOOL_CALLS\]\s{0,8}(?<name>[\w.-]{1,128})(?:\[CALL_ID\][\w-]{1,64})?(?:\[ARGS\])?\s{0,8}(?=\{)/y,
    close: /\s{0,8}\[\/TOOL_CALLS\]/y,
  },
  { open: /\[TOOL_CALLS\]\s{0,8}/y, close: /\s{0,8}\[\/TOOL_CALLS\]/y },
  // DeepSeek V3 and R1 with a fence, V3.1 without
  {
    open: /(?:<[｜|]tool▁calls▁begin[｜|]>\s{0,8})?<[｜|]tool▁call▁begin[｜|]>\s{0,8}(?:function<[｜|]tool▁sep[｜|]>)?(?<name>[\w.-]{1,128})(?:<[｜|]tool▁sep[｜|]>)?\s{0,8}(?:```(?:json)?\s{0,8})?(?=\{)/y,
    close: /(?:\s{0,8}```)?\s{0,8}<[｜|]tool▁call▁end[｜|]>(?:\s{0,8}<[｜|]tool▁calls▁end[｜|]>)?/y,
  },
  // gpt-oss
  {
    open: /<\|channel\|>commentary to=functions\.(?<name>[\w-]{1,128})\s{0,8}(?:<\|constrain\|>)?(?:json)?<\|message\|>\s{0,8}(?=\{)/y,
    close: /\s{0,8}<\|call\|>/y,
  },
  // ReAct
  {
    open: /^Action:[ \t]{0,8}(?<name>[\w.-]{1,128})[ \t]{0,8}\r?\nAction Input:\s{0,8}(?:```(?:json)?\s{0,8})?(?=\{)/my,
    close: /\s{0,8}```/y,
  },
  // Any model: JSON alone, in a fence or on separate lines
  {
    open: /```(?:json|tool_calls?|tool)?[ \t]{0,8}\r?\n\s{0,64}(?=[{[])/y,
    close: /\s{0,64}(?:```|$)/y,
    must_close: true,
  },
  {
    open: /^[ \t]*(?=[{[])/my,
    close: /[ \t]{0,64}[;,]?[ \t]{0,64}(?![^\r\n])/y,
    must_close: true,
    outside_fences: true,
  },
];

/** The reasoning of a model. Without a closing mark it extends to the end of the text. */
export const THOUGHT_FORMATS: readonly Pick<CallFormat, "open" | "close">[] = [
  { open: /<think(?:ing)?>/y, close: /<\/think(?:ing)?>/g },
  { open: /\[THINK\]/y, close: /\[\/THINK\]/g },
  { open: /<\|channel\|>analysis<\|message\|>/y, close: /<\|end\|>|(?=<\|(?:start|channel)\|>)/g },
  { open: /<\|channel>thought/y, close: /<channel\|>/g },
];

/** The end of reasoning that the template of some models opens before the text begins. */
export const THOUGHT_END = /<\/think(?:ing)?>|\[\/THINK\]/y;

/** Control tokens around the final answer of gpt-oss. */
export const SEPARATOR = /<\|start\|>assistant|<\|channel\|>(?:final|commentary)<\|message\|>|<\|(?:end|return)\|>/y;

/** The beginning of tool output that a model invents after its calls. */
export const MADE_UP = /^Observation:|<tool_response>|<[｜|]tool▁outputs?▁begin|<\|(?:im_start|start_header_id)\|>/my;

/** Every position where one of the above may begin. */
export const LANDMARK =
  /^[ \t]*(?=[{[])|^Action:|^Observation:|<(?:[|｜]|tool|function|\/?think)|\[(?:TOOL_CALLS|\/?THINK)\]|```/gm;
