/** A comparison that failed, as Vitest tells of it, both without colours. */
export interface Comparison {
  /** `expected 1 to be 2`, and whatever the test put before it. */
  readonly message: string;
  /** What was expected and what came, line by line; empty when there is nothing to compare. */
  readonly diff: string;
}

/** The message, and below it what differs: where that takes more than a line, or the message was cut short. */
export function compared({ message, diff }: Comparison): string {
  const lines = diff.trim() === '' ? [] : diff.trim().split('\n');
  if (lines.length === 0) return message;
  const told = withoutTautology(message);
  const enough = lines.length <= 5 && !message.includes('…');
  return enough ? told : `${told}\n\n${excerpt(lines).join('\n')}`;
}

/** Vitest cuts both sides of a comparison short, until they look the same. */
function withoutTautology(message: string): string {
  return message.replace(
    /expected ([^\n]+) to (?:deeply|strictly) equal \1$/m,
    'what came is not what was expected: see the lines marked - and +',
  );
}

/** The lines that differ and those around them, as many as a screen has room for. */
function excerpt(lines: readonly string[]): readonly string[] {
  const linesMax = 24;
  if (lines.length <= linesMax) return lines;
  const around = 3;
  const heading = lines.slice(0, 2);
  const body = lines.slice(2);
  const changed = body.flatMap((line, index) => (/^[-+]/.test(line) ? [index] : []));
  const near = body.flatMap((_, index) =>
    changed.some((at) => Math.abs(at - index) <= around) ? [index] : [],
  );
  const shown = near.flatMap((index, n) => [
    ...(index === (near[n - 1] ?? -1) + 1 ? [] : ['  …']),
    body[index] ?? '',
  ]);
  const cut = shown.length > linesMax ? [...shown.slice(0, linesMax - 1), '  …'] : shown;
  return [...heading, '', ...cut];
}
