/**
 * Returns a question with the words that the user may mean: `Did you mean "reset" or "remove"?` Empty if no word is
 * similar.
 *
 * @param typed a word that is not in `words`: half typed, or with one or two wrong letters
 */
export function didYouMean(typed: string, words: readonly string[]): string {
  const lower = typed.toLowerCase();
  const begun = words.filter((word) => lower !== '' && word.toLowerCase().startsWith(lower));
  const distances = words.map((word) => distance(lower, word.toLowerCase()));
  const least = Math.min(...distances);
  const similar =
    least <= Math.min(2, typed.length / 3) ? words.filter((_, index) => distances[index] === least) : [];
  const meant = begun.length > 0 ? begun : similar;
  return meant.length === 0 ? '' : `Did you mean ${meant.map((word) => `"${word}"`).join(' or ')}?`;
}

/** Returns how many letters must be added, removed or replaced to get from one word to the other (Levenshtein). */
function distance(from: string, to: string): number {
  const letters = [...to];
  let row = [0, ...letters.keys()].map((_, column) => column);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (const [column, other] of letters.entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
