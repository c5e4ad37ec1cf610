/** A violation of a law: its time, and its description. */
export interface Violation {
  readonly atMs: number;
  readonly message: string;
  /**
   * The name of the object at fault, `web-1`: the timeline shows every row about it. @defaultValue the rows near the
   * violation
   */
  readonly object?: string;
}

/** Returns the timeline with the violation in its place, marked for the reporter. */
export function marked(lines: readonly string[], { atMs, message }: Violation): readonly string[] {
  const before = lines.filter((line) => timeOf(line) <= atMs).length;
  // The reasons stand above the timeline.
  const [headline = ''] = message.split('\n');
  return [...lines.slice(0, before), `✗ ${headline}`, ...lines.slice(before)];
}

function timeOf(line: string): number {
  const [, ms] = /t=\s*([\d.]+)\s*ms/.exec(line) ?? [];
  return ms === undefined ? Number.POSITIVE_INFINITY : Number(ms);
}
