// What JSON the server parses for the code of a skill, on its event loop: the time follows from how many values a text holds, and not
// from its length. Text of 24 MB that is all brackets takes 7 s (D-252).

/** Of all that is in the values of one line, and of what is around them. */
export const MOST_VALUES = 200_000;
export const MOST_AROUND_VALUES = 32_000;
const MOST_LEVELS = 100;

/** Why a text is not to be parsed; null when it may be. */
export type Obstacle = (text: string) => string | null;

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');

/** For texts that hold so many values together. */
export function valuesWithin(most: number): Obstacle {
  let values = 0;
  return (text) => {
    let levels = 0;
    let isQuoted = false;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (isQuoted) {
        if (sign === BACKSLASH) at += 1;
        else if (sign === QUOTE) isQuoted = false;
      } else if (sign === QUOTE) isQuoted = true;
      else if (sign === COMMA) values += 1;
      else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
        values += 1;
        levels += 1;
      } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) levels -= 1;
      if (values > most) return `it holds more than ${most} values; keep them in one text, or in several steps`;
      if (levels > MOST_LEVELS) return `it is nested deeper than ${MOST_LEVELS} levels; flatten it`;
    }
    return null;
  };
}

export function parseWithin(text: string, obstacleTo: Obstacle) {
  const obstacle = obstacleTo(text);
  if (obstacle !== null) throw new Error(obstacle);
  return JSON.parse(text);
}
