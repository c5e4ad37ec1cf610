/**
 * Makes a text from another machine safe to show: one line, without control characters of a terminal, and without invisible
 * characters that reorder or hide text.
 *
 * @param max the largest number of characters; a longer text is cut
 */
export function shownText(text: string, max: number): string {
  const clean = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return [...clean].slice(0, max).join('').trim();
}

/** Returns the number of terminal columns that a text takes: two for a wide character, none for a combining one. */
export function cellsOf(text: string): number {
  return [...text].reduce((sum, char) => sum + (/\p{M}/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Pads or cuts a text to a number of terminal columns. */
export function fitted(text: string, columns: number): string {
  let shown = text;
  while (cellsOf(shown) > columns) shown = `${[...shown].slice(0, shown.endsWith('…') ? -2 : -1).join('')}…`;
  return shown + ' '.repeat(columns - cellsOf(shown));
}
