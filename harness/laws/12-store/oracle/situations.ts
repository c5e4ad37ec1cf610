import type { Order } from './linearize.ts';
import type { Verdicts } from './verdicts.ts';

/** Notes the situations of the laws that the calls of a history reached. */
export function meetCalls({ placed }: Order, { met }: Verdicts): void {
  let writes = 0;
  for (const [i, { call, state }] of placed.entries()) {
    const { request, answer, process } = call;
    const before = placed[i - 1]?.state;
    const hasWritten = state.revision > (before?.revision ?? 1);
    if (hasWritten) writes++;
    if (!hasWritten && request.call === 'transact' && writes > 0) met.add('oneCounter');
    if (state.events.length > 1 && !hasWritten) met.add('allOrNothing');
    if (answer?.kind === 'range' && request.call === 'range') {
      const { revision, limit = 0 } = request.request;
      if (limit > 0 && answer.result.more) met.add('ranges');
      if (revision !== undefined && revision < state.revision) met.add('snapshot');
      if (placed.some(({ call: other }) => other.from < call.to && call.from < other.to && other !== call))
        met.add('linearizable');
    }
    if (process > 0 && answer && i > 0 && state.revision > 1) met.add('durable');
    if (request.call === 'expire' && hasWritten) met.add('leases');
    if (answer?.kind === 'refused' && answer.code === 'Compacted') met.add('compacted');
  }
}
