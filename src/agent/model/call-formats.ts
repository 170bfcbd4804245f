// How models set a tool call off from the text around it (spec section 1, agent backends). JSON stands between `open` and
// `close`: the arguments where the opening tells the name, calls where it does not. All patterns are sticky and bounded.

export type CallFormat = {
  readonly open: RegExp;
  readonly close: RegExp;
  /** Left out where the JSON is proof enough. */
  readonly must_close?: true;
  /** A list of calls in quotation marks is none. */
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
  // Mistral, from its eleventh tokenizer on and before
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
  // Whatever else: JSON alone, in a fence or on lines of its own
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

/** What a model says to itself; where nothing closes it, it goes to the end. */
export const THOUGHT_FORMATS: readonly Pick<CallFormat, "open" | "close">[] = [
  { open: /<think(?:ing)?>/y, close: /<\/think(?:ing)?>/g },
  { open: /\[THINK\]/y, close: /\[\/THINK\]/g },
  { open: /<\|channel\|>analysis<\|message\|>/y, close: /<\|end\|>|(?=<\|(?:start|channel)\|>)/g },
  { open: /<\|channel>thought/y, close: /<channel\|>/g },
];

/** The template of some models has opened the thinking before they begin. */
export const THOUGHT_END = /<\/think(?:ing)?>|\[\/THINK\]/y;

/** Control tokens around the final answer of gpt-oss. */
export const SEPARATOR = /<\|start\|>assistant|<\|channel\|>(?:final|commentary)<\|message\|>|<\|(?:end|return)\|>/y;

/** Where a model goes on to make up what its tools have answered. */
export const MADE_UP = /^Observation:|<tool_response>|<[｜|]tool▁outputs?▁begin|<\|(?:im_start|start_header_id)\|>/my;

/** Where any of the above may begin. */
export const LANDMARK =
  /^[ \t]*(?=[{[])|^Action:|^Observation:|<(?:[|｜]|tool|function|\/?think)|\[(?:TOOL_CALLS|\/?THINK)\]|```/gm;
