import type { StoreHistory } from '../history.ts';
import { sayError, sayRequest } from '../render/values.ts';
import { sessionsOf } from './sessions.ts';
import type { Verdicts } from './verdicts.ts';

/** Judges the life of the processes: each one opens, answers every call, and ends its watches. */
export function judgeLife(history: StoreHistory, verdicts: Verdicts): void {
  const { entries } = history;
  let opened = false;
  let pending = new Map<number, string>();
  for (const [i, entry] of entries.entries()) {
    const { atMs } = entry;
    if (entry.kind === 'starts' || entry.kind === 'crash') {
      opened = false;
      pending = new Map();
    } else if (entry.kind === 'opened') {
      opened = true;
      if (entry.process > 0) verdicts.met.add('answers');
    } else if (entry.kind === 'unopened') {
      verdicts.break('answers', atMs, `The store did not open: ${sayError(entry.error)}`);
      return;
    } else if (entry.kind === 'call')
      pending.set(entry.op, `${entry.by} called ${sayRequest(entry.request)}`);
    else if (entry.kind === 'answer') pending.delete(entry.op);
    else if (entry.kind === 'rest') {
      // A crash at this very moment leaves no time to open.
      if (!opened && !entries.slice(i).some(({ kind }) => kind === 'opened')) {
        verdicts.break('answers', atMs, 'The store has not opened, although it could read its log.');
        return;
      }
      for (const call of pending.values()) verdicts.break('answers', atMs, `${call}, but got no answer.`);
    }
  }
  const last = entries.at(-1)?.atMs ?? 0;
  for (const { by, stopped, crashed, ended, responses } of sessionsOf(history)) {
    const isOver =
      stopped !== undefined ||
      crashed !== undefined ||
      responses.at(-1)?.response.compactRevision !== undefined;
    if (isOver && !ended) {
      const why =
        stopped !== undefined
          ? 'its client stopped it'
          : crashed !== undefined
            ? 'the process of the store ended'
            : 'it was compacted';
      verdicts.break('answers', last, `A watch of ${by} has not ended, although ${why}.`);
    }
  }
}
