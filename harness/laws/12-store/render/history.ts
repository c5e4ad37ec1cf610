import type { WatchResponse } from '../../../contracts/store/index.ts';
import type { Event } from '../history.ts';
import { sayAnswer, sayError, sayEvent, sayRange, sayRequest } from './values.ts';

/** A row of the timeline. */
interface Row {
  readonly actor: string;
  readonly verb: string;
  readonly object?: string;
  readonly note?: string;
}

/** Returns the row of an entry in the timeline; undefined if the entry is not shown. */
export function render(event: Event): Row | undefined {
  switch (event.kind) {
    case 'starts':
      return { actor: 'store', verb: 'starts', object: `process ${event.process + 1}` };
    case 'opened':
      return { actor: 'store', verb: 'serves', object: `process ${event.process + 1}` };
    case 'unopened':
      return { actor: 'store', verb: 'fails to open', note: sayError(event.error) };
    case 'crash':
      return { actor: 'store', verb: 'ends', object: `process ${event.process + 1}` };
    case 'call':
      return { actor: event.by, verb: `calls #${event.op}`, object: sayRequest(event.request) };
    case 'answer':
      return { actor: 'store', verb: `answers #${event.op}`, object: sayAnswer(event.answer) };
    case 'watch': {
      const { startRevision } = event.request;
      const from = startRevision === undefined ? 'the next revision' : `revision ${startRevision}`;
      return {
        actor: event.by,
        verb: `watches w${event.watch}`,
        object: `${sayRange(event.request)} from ${from}`,
      };
    }
    case 'response':
      return { actor: 'store', verb: `sends w${event.watch}`, object: sayResponse(event.response) };
    case 'asks':
      return { actor: `w${event.watch}`, verb: 'requestProgress' };
    case 'stops':
      return { actor: `w${event.watch}`, verb: 'stop' };
    case 'ends':
      return {
        actor: 'store',
        verb: `ends w${event.watch}`,
        ...('error' in event && { note: sayError(event.error) }),
      };
    case 'rest':
      return { actor: 'clients', verb: 'are at rest' };
  }
}

function sayResponse({ revision, events, compactRevision }: WatchResponse): string {
  if (compactRevision !== undefined) return `compactRevision ${compactRevision}`;
  return events.length === 0
    ? `progress ${revision}`
    : `${events.map(sayEvent).join(', ')} (revision ${revision})`;
}
