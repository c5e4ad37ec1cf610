/**
 * Returns the lines of `text` that `other` lacks, in order. A line that occurs twice in `text` must occur twice in
 * `other`.
 */
export function linesLost(text: string, other: string): readonly string[] {
  const kept = new Map<string, number>();
  for (const line of other.split('\n')) kept.set(line, (kept.get(line) ?? 0) + 1);
  return text.split('\n').filter((line) => {
    const count = kept.get(line) ?? 0;
    if (count > 0) kept.set(line, count - 1);
    return count === 0 && line.trim() !== '';
  });
}
