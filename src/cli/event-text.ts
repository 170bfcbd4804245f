// The text of one event, before the time and its name are put in front.

/** `state` gives the name its colour. */
export type EventText = {
  readonly about: string;
  readonly text: string;
  readonly state?: string;
  readonly more?: readonly string[];
};
