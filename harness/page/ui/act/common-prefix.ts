/** Returns the longest beginning that all words have; empty for no words. */
export function commonPrefix(words: readonly string[]): string {
  const [first = '', ...others] = words;
  let length = first.length;
  for (const word of others) {
    while (!word.startsWith(first.slice(0, length))) length--;
  }
  return first.slice(0, length);
}
