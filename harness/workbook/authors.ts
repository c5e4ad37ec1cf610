import type { Source } from './sources.ts';

/** Returns the places that the author of a kata still has to write, as `file:line AUTHOR: what`. */
export function leftToAuthors({ file, text }: Source): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const [what] = /AUTHOR: .*/.exec(line) ?? [];
    return what === undefined ? [] : [`${file}:${index + 1} ${what}`];
  });
}
