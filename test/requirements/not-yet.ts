// Requirements that no test shows yet, each with the reason. A change that shows one cites it and removes its line here.
export const NOT_YET: Readonly<Record<string, string>> = {};
