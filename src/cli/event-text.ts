// The text of one event, without its time and its name.

/** `state` selects the colour of `about`. */
export type EventText = {
  readonly about: string;
  readonly text: string;
  readonly state?: string;
  readonly more?: readonly string[];
};
