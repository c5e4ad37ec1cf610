import type { Event } from '../../api/objects.ts';
import { processCalled } from '../../cluster/component-table.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, type DeedKind, podsIn } from './deed.ts';

/**
 * Describes the operations of a kubelet that appear only in its events. Other events are left out, because the writes
 * of their authors show the same.
 */
export function eventDeeds(
  entry: JournalEntry<Event>,
  ownerOf: (podUID: string | undefined) => string | undefined,
): readonly Deed[] {
  const { object: event, type, actor } = entry;
  if (type !== 'ADDED' || processCalled(actor)?.name !== 'kubelet') return [];
  const { involvedObject: about, reason = '', message = '' } = event;
  const container = /\{(.+)\}$/.exec(about?.fieldPath ?? '')?.[1] ?? '';
  const phrase = PHRASES[reason]?.({ container, message });
  if (about?.kind !== 'Pod' || !phrase) return [];
  const owner = ownerOf(about.uid);
  const { kind, before, after = '' } = phrase;
  return [
    {
      entry: entry as unknown as JournalEntry,
      kind,
      group: `${before} ${owner ?? 'bare'} ${after}`,
      tell: (deeds) => {
        const names = deeds.map((deed) => (deed.entry.object as Event).involvedObject?.name ?? '');
        return `${before} ${podsIn([...new Set(names)], owner)}${after}`;
      },
    },
  ];
}

/** A sentence about pods: the text before and after them. */
interface Phrase {
  readonly kind: DeedKind;
  readonly before: string;
  readonly after?: string;
}

type Told = { readonly container: string; readonly message: string };

/** Phrases by the reason of the event. */
const PHRASES: Readonly<Record<string, (told: Told) => Phrase | undefined>> = {
  Pulling: ({ message }) => ({ kind: 'image', before: `pulls ${quoted(message)} for` }),
  Pulled: ({ message }) => ({
    kind: 'image',
    before: `${message.startsWith('Successfully') ? 'has pulled' : 'already has'} ${quoted(message)} for`,
  }),
  Created: ({ container }) => ({ kind: 'container', before: `creates container ${container} in` }),
  Started: ({ container }) => ({ kind: 'container', before: `starts container ${container} in` }),
  Killing: ({ container }) => ({ kind: 'container', before: `stops container ${container} in` }),
  Unhealthy: ({ message }) => ({
    kind: 'probe',
    before: `probes`,
    after: `: ${(message.split(':')[0] ?? '').toLowerCase()}`,
  }),
  BackOff: ({ container, message }) =>
    message.startsWith('Back-off restarting')
      ? { kind: 'container', before: `waits before it restarts container ${container} in` }
      : { kind: 'image', before: `waits before it pulls ${quoted(message)} again for` },
  FailedCreatePodSandBox: () => ({ kind: 'sandbox', before: 'cannot create a sandbox for' }),
  FailedMount: () => ({ kind: 'other', before: 'cannot mount the volumes of' }),
};

/** Returns the image in a message. */
function quoted(message: string): string {
  return /"([^"]+)"/.exec(message)?.[1] ?? 'the image';
}
