import type { ComponentView } from '../../protocol/view.ts';
import { texts } from '../texts.ts';

const words = texts.component;

/** The state of a component in a line, and whether it needs attention. */
export interface ComponentWords {
  readonly text: string;
  readonly tone: 'soft' | 'warn' | 'bad' | 'ink';
}

/** Words a component's line: `queue 2 · pods 3 behind`, `gave up: TypeError: …`. */
export function wordsOf({ state, error, queued, caches, behind }: ComponentView): ComponentWords {
  const first = error?.message.split('\n')[0];
  if (state === 'gave up') return { text: first ? `${words.gaveUp}: ${first}` : words.gaveUp, tone: 'bad' };
  if (state === 'crashed') return { text: words.crashed, tone: 'bad' };
  const late = caches.reduce<ComponentView['caches'][number] | undefined>(
    (most, one) => (one.behind > (most?.behind ?? 0) ? one : most),
    undefined,
  );
  const cache =
    caches.length === 0
      ? undefined
      : late === undefined || behind === 0
        ? caches.some(({ revision }) => revision === undefined)
          ? words.fills
          : words.current
        : words.behind(shortResource(late.resource), late.behind);
  const text = [words.queue(queued), cache].filter(Boolean).join(' · ');
  return { text, tone: behind > 0 ? 'warn' : queued > 0 ? 'ink' : 'soft' };
}

/** Describes a component for a screen reader and a tooltip. */
export function labelOfComponent(component: ComponentView): string {
  const { name, owner, state, starts, error, queued, caches, behind } = component;
  const facts = [
    name,
    owner === 'yours' ? words.yourCode : words.reference,
    state,
    error?.message.split('\n')[0],
    starts > 1 && words.started(starts),
    words.queueLong(queued),
    caches.length > 0 && (behind === 0 ? words.currentLong : behindWords(component)),
  ];
  return facts.filter(Boolean).join(', ');
}

const behindWords = ({ caches }: ComponentView): string =>
  caches
    .filter(({ behind }) => behind > 0)
    .map(({ resource, behind }) => words.behindLong(shortResource(resource), behind))
    .join(', ');

/** `replicasets` for `replicasets.apps`. */
export const shortResource = (resource: string): string => resource.split('.')[0] ?? resource;
