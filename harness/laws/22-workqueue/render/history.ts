import { type Event, sayError, sayItem } from '../history.ts';

/** Returns the row of an entry in the timeline; undefined if the entry is not shown. */
export function render(
  event: Event,
): { actor: string; verb: string; object?: string; note?: string } | undefined {
  switch (event.kind) {
    case 'add':
    case 'addRateLimited':
    case 'forget':
      return { actor: event.by, verb: event.kind, object: sayItem(event.item) };
    case 'addAfter':
      return { actor: event.by, verb: event.kind, object: sayItem(event.item), note: `${event.delayMs} ms` };
    case 'len':
      return { actor: 'len', verb: 'returns', object: String(event.count) };
    case 'requeues':
    case 'says':
    case 'rest':
      return undefined;
    case 'ask':
      return { actor: event.worker, verb: 'calls get' };
    case 'got':
      return { actor: event.worker, verb: 'get returns', object: sayItem(event.item) };
    case 'done':
      return { actor: event.worker, verb: 'calls done', object: sayItem(event.item) };
    case 'end':
      return { actor: event.worker, verb: 'get returns', object: 'undefined' };
    case 'shutDown':
      return { actor: 'closer', verb: 'shutDown' };
    case 'drain':
      return { actor: 'closer', verb: 'shutDownWithDrain' };
    case 'drained':
      return { actor: 'closer', verb: 'shutDownWithDrain returns' };
    case 'begin':
      return { actor: 'workers', verb: 'call sync', object: sayItem(event.item) };
    case 'success':
      return { actor: 'sync', verb: 'resolves', object: sayItem(event.item) };
    case 'failure':
      return { actor: 'sync', verb: 'fails', object: sayItem(event.item), note: sayError(event.error) };
    case 'told':
      return {
        actor: 'onError',
        verb: 'is called for',
        object: sayItem(event.item),
        note: sayError(event.error),
      };
    case 'muster':
      return { actor: 'closer', verb: 'adds an item for each worker' };
    case 'abort':
      return { actor: 'closer', verb: 'abort' };
    case 'returned':
      return { actor: 'runWorkers', verb: 'returns' };
    case 'rejected':
      return { actor: 'runWorkers', verb: 'rejects', note: sayError(event.error) };
    case 'uncaught':
      return { actor: 'runWorkers', verb: 'rejects uncaught', note: sayError(event.error) };
  }
}
