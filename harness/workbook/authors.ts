import type { Source } from './sources.ts';

/** The places that are still to be written by the author of a kata, as `file:line AUTHOR: what`. */
export function leftToAuthors({ file, text }: Source): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const [what] = /AUTHOR: .*/.exec(line) ?? [];
    return what === undefined ? [] : [`${file}:${index + 1} ${what}`];
  });
}
