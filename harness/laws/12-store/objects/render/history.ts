import type { ObjectEvent } from '../history.ts';
import { sayCall, sayObjectAnswer, sayOptions, saySelection, sayWatchEvent } from './values.ts';

/** A row of the timeline. */
interface Row {
  readonly actor: string;
  readonly verb: string;
  readonly object?: string;
  readonly note?: string;
}

/** Returns the row of an entry in the timeline; undefined if the entry is not shown. */
export function render(event: ObjectEvent): Row | undefined {
  switch (event.kind) {
    case 'call':
      return { actor: event.by, verb: `calls #${event.op}`, object: sayCall(event.call) };
    case 'answer':
      return { actor: 'apiserver', verb: `answers #${event.op}`, object: sayObjectAnswer(event.answer) };
    case 'stored':
      return event.writes.length === 0
        ? undefined
        : {
            actor: 'store',
            verb: 'has written',
            object: event.writes
              .map(({ key, value }) => `${value === undefined ? 'no ' : ''}${key}`)
              .join(', '),
            note: `revision ${event.revision}`,
          };
    case 'watch':
      return {
        actor: event.by,
        verb: `watches w${event.watch}`,
        object: `${saySelection(event.selection)}${sayOptions(event.options)}`,
      };
    case 'event':
      return { actor: 'apiserver', verb: `sends w${event.watch}`, object: sayWatchEvent(event.event) };
    case 'ends':
      return {
        actor: 'apiserver',
        verb: `ends w${event.watch}`,
        ...(event.refusal && { note: sayObjectAnswer(event.refusal) }),
      };
    case 'disturbed':
      return {
        actor: 'nemesis',
        verb: {
          hold: 'holds the watches of the store',
          cut: 'ends the watches of the store',
          compact: 'compacts the store',
          released: 'releases the watches of the store',
        }[event.what],
        ...(event.revision !== undefined && { object: `at ${event.revision}` }),
      };
    case 'abort':
      return { actor: 'apiservers', verb: 'end' };
    case 'rest':
      return { actor: 'clients', verb: 'are at rest' };
    case 'asked':
    case 'opened':
      return undefined;
  }
}
