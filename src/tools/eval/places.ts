// The places of a measurement that a task may name, and that an agent must not reach.

export type Places = { readonly outside: string; readonly hidden: string; readonly address: string };

/** The text with the places that it names: `{{outside}}`, `{{hidden}}` and `{{address}}`. */
export const withPlaces = (text: string, places: Places): string =>
  text.replaceAll(/\{\{(outside|hidden|address)\}\}/g, (_match, name: keyof Places) => places[name]);
