/** One line of a log, or a part of a long line. */
interface LogLine {
  /** In ms since 1970. */
  readonly atMs: number;
  /** The time as in the file: `2024-04-17T00:00:00.000000000Z`. */
  readonly time: string;
  readonly stream: 'stdout' | 'stderr';
  /** Includes the newline, except for a part. */
  readonly text: string;
}

/**
 * Parses a line of a log in CRI format: `2024-04-17T00:00:00.000000000Z stdout F hello`.
 *
 * Upstream: kubernetes/cri-client@v0.36.3 pkg/logs/logs.go parseCRILog
 *
 * @returns undefined for a malformed line
 */
export function parseLogLine(line: string): LogLine | undefined {
  const [, time = '', stream, tags = '', text = ''] = LINE.exec(line) ?? [];
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs) || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  const isPart = tags.split(':')[0] === 'P';
  return { atMs, time, stream, text: isPart ? text : `${text}\n` };
}

const LINE = /^(\S+) (\S+) (\S+) (.*)$/s;

/**
 * Returns the last lines of a text.
 *
 * @param count undefined for all lines
 */
export function lastLines(text: string, count: number | undefined): string {
  if (count === undefined) return text;
  let at = text.length;
  for (let lines = 0; lines <= count && at >= 0; lines++) at = text.lastIndexOf('\n', at - 1);
  return text.slice(at + 1);
}
