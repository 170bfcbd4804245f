// What was typed and not taught yet, so that a reload or a refusal loses nothing. It lives as long as the tab.
const PREFIX = "orch.teach.";

export const draftOf = (key: string): string | null => sessionStorage.getItem(`${PREFIX}${key}`);

export const keepDraft = (key: string, text: string): void => sessionStorage.setItem(`${PREFIX}${key}`, text);

export const forgetDraft = (key: string): void => sessionStorage.removeItem(`${PREFIX}${key}`);
