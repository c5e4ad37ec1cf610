/** Returns whether the words of a command ask for its usage. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}
