/**
 * Returns whether a command that only reads goes on reading while time passes. Such a command is an action, because its
 * output arrives over time.
 */
export function waitsForTime(line: string): boolean {
  const [own = ''] = line.split(/\s--\s/);
  const words = own.trim().split(/\s+/);
  const has = (...some: readonly string[]): boolean => some.some((word) => words.includes(word));
  if (has('--watch=false')) return false;
  if (has('-w', '--watch', '--watch=true', '--watch-only', 'wait')) return true;
  return (has('rollout') && has('status')) || (has('logs') && has('-f', '--follow', '--follow=true'));
}
