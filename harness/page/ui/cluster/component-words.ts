import type { ComponentView, Lag } from '../../protocol/view.ts';
import { texts } from '../texts.ts';

const words = texts.component;

/** The state of a component in a line, and whether it needs attention. */
export interface ComponentWords {
  readonly text: string;
  readonly tone: 'soft' | 'warn' | 'bad' | 'ink';
}

/** Words a component's line: `queue 2 · pods 3 behind`, `pods held back, 3 behind`, `gave up: TypeError: …`. */
export function wordsOf({ state, error, queued, caches, lag }: ComponentView): ComponentWords {
  const first = error?.message.split('\n')[0];
  if (state === 'gave up') return { text: first ? `${words.gaveUp}: ${first}` : words.gaveUp, tone: 'bad' };
  if (state === 'crashed') return { text: words.crashed, tone: 'bad' };
  // The line is narrow: a fault matters more than an empty queue.
  const queue = lag === 'held' && queued === 0 ? undefined : words.queue(queued);
  const text = [queue, cacheWords(caches)].filter(Boolean).join(' · ');
  return { text, tone: needsAttention(lag) ? 'warn' : queued > 0 ? 'ink' : 'soft' };
}

/** Returns whether a lag is more than the usual time of an event on its way. */
export function needsAttention(lag: Lag): boolean {
  return lag === 'late' || lag === 'held';
}

/** Words a chip's lag: `−2`, `held`. */
export function briefLag({ lag, behind }: ComponentView): string {
  return lag === 'held' ? words.heldShort : words.behindShort(behind);
}

function cacheWords(caches: ComponentView['caches']): string | undefined {
  if (caches.length === 0) return undefined;
  const held = caches.filter(({ lag }) => lag === 'held');
  if (held.length > 0) {
    const behind = held.reduce((sum, each) => sum + each.behind, 0);
    const names = held.map(({ resource }) => shortResource(resource)).join(', ');
    return words.held(held.length === caches.length ? undefined : names, behind);
  }
  const [late] = caches.filter(({ lag }) => lag === 'late').toSorted((a, b) => b.behind - a.behind);
  if (late) return words.behind(shortResource(late.resource), late.behind);
  return caches.some(({ revision }) => revision === undefined) ? words.fills : words.current;
}

/** Describes a component for a screen reader and a tooltip. */
export function labelOfComponent(component: ComponentView): string {
  const { name, owner, state, starts, error, queued, caches, lag } = component;
  const facts = [
    name,
    owner === 'yours' ? words.yourCode : words.reference,
    state,
    error?.message.split('\n')[0],
    starts > 1 && words.started(starts),
    words.queueLong(queued),
    caches.length > 0 && (needsAttention(lag) ? lagWords(component) : words.currentLong),
  ];
  return facts.filter(Boolean).join(', ');
}

const lagWords = ({ caches }: ComponentView): string =>
  caches
    .filter(({ lag }) => needsAttention(lag))
    .map(({ resource, behind, lag }) =>
      lag === 'held'
        ? words.heldLong(shortResource(resource), behind)
        : words.behindLong(shortResource(resource), behind),
    )
    .join(', ');

/** `job` for `job-controller`. */
export const briefName = (name: string): string => name.replace(/-controller$/, '');

/** `replicasets` for `replicasets.apps`. */
export const shortResource = (resource: string): string => resource.split('.')[0] ?? resource;
