/** Nobody reads more characters than this, and a terminal takes seconds for them. A screen has about 5,000. */
const CHARACTERS_MAX = 20_000;

/** Cuts a text that is too long to read. */
export function readable(text: string): string {
  if (text.length <= CHARACTERS_MAX) return text;
  return `${text.slice(0, CHARACTERS_MAX)}… and ${text.length - CHARACTERS_MAX} characters more`;
}
