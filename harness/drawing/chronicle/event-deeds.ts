import type { Event } from '../../api/objects.ts';
import { processCalled } from '../../cluster/component-table.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, type DeedKind, podsIn } from './deed.ts';

/** What a kubelet did, of which only its events tell: of other events nothing, because their authors' writes say it. */
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

/** A sentence about pods: what stands before them, and after. */
interface Phrase {
  readonly kind: DeedKind;
  readonly before: string;
  readonly after?: string;
}

type Told = { readonly container: string; readonly message: string };

/** By the reason of the event. */
const PHRASES: Readonly<Record<string, (told: Told) => Phrase | undefined>> = {
  Pulling: ({ message }) => ({ kind: 'image', before: `pulls ${quoted(message)} for` }),
  Pulled: ({ message }) => ({
    kind: 'image',
    before: `has ${quoted(message)}${message.startsWith('Successfully') ? '' : ' already'} for`,
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
      ? { kind: 'container', before: `waits before it starts container ${container} again in` }
      : { kind: 'image', before: `waits before it pulls ${quoted(message)} again for` },
  FailedCreatePodSandBox: () => ({ kind: 'sandbox', before: 'cannot make a sandbox for' }),
  FailedMount: () => ({ kind: 'other', before: 'cannot mount the volumes of' }),
};

/** The image that a message names. */
function quoted(message: string): string {
  return /"([^"]+)"/.exec(message)?.[1] ?? 'the image';
}
