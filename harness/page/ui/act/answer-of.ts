import type { Entry } from './transcript.ts';

/**
 * Returns the line of an output that says most: the first line of an answer to a request, `HTTP 200 from web-1 on node-1`,
 * and the last line of a command. Empty before there is output.
 */
export function answerOf({ kind, pieces }: Pick<Entry, 'kind' | 'pieces'>): string {
  const lines = pieces
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.at(kind === 'action' ? 0 : -1) ?? '';
}
