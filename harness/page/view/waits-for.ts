import type { Observation } from '../../cluster/observation.ts';
import type { QueueState } from '../../cluster/queue-contents.ts';
import type { ComponentView } from '../protocol/view.ts';

/** The present state of a process. All times are virtual ms since the simulation began. */
interface Waiting {
  readonly component: Pick<ComponentView, 'state'>;
  readonly observed: Observation | undefined;
  readonly queues: readonly QueueState[];
  /** Its pending tasks: timers, answers and events on their way. */
  readonly tasks: readonly { readonly atMs: number; readonly what: string }[];
  readonly nowMs: number;
}

/** The number of answers, events or timers that are listed at most. */
const LISTED_MAX = 5;

/**
 * Describes what a process waits for, most urgent first: answers, events on their way, timers, the next events of its
 * watches.
 */
export function waitsFor({ component, observed, queues, tasks, nowMs }: Waiting): readonly string[] {
  if (!observed) return [component.state === 'crashed' ? 'its next start' : 'nothing: it has given up'];
  const later = queues.flatMap((queue) => queue.later);
  const retries = later.filter(({ atMs }) => atMs === undefined);
  const planned = new Set(later.map(({ atMs }) => atMs));
  const timers = tasks.filter(({ what, atMs }) => what === 'timer' && !planned.has(atMs));
  const moving = tasks.filter(({ what }) => what !== 'timer');
  const watches = observed.watches;
  const held = watches.filter(({ isHeld }) => isHeld);
  const free = watches.filter(({ isHeld }) => !isHeld);
  return [
    ...few(
      queues.flatMap(({ processing }) => processing),
      (item) => `the end of its work on ${itemText(item)}`,
    ),
    ...few(moving, ({ what }) =>
      /^(event|end of) /.test(what) ? `${what}, which is on its way` : `an answer to ${what}`,
    ),
    ...few(
      later.filter(({ atMs }) => atMs !== undefined),
      ({ item, atMs = 0 }) => `the time of ${itemText(item)}, in ${seconds(atMs - nowMs)}`,
    ),
    ...few(retries, ({ item }) => `the retry of ${itemText(item)}`),
    ...(timers[0]
      ? [
          `${timers.length === 1 ? 'a timer' : `${timers.length} timers`}, the next in ${seconds(timers[0].atMs - nowMs)}`,
        ]
      : []),
    ...(held.length > 0 ? [`events of ${names(held)}, which a fault holds back`] : []),
    ...(free.length > 0 ? [`an event of ${names(free)}`] : []),
  ];
}

/** Returns an item of a queue as text: most are keys. */
export function itemText(item: unknown): string {
  if (typeof item === 'string') return item === '' ? '(empty)' : item;
  return typeof item === 'symbol' ? (item.description ?? 'item') : (JSON.stringify(item) ?? String(item));
}

function few<T>(all: readonly T[], say: (each: T) => string): readonly string[] {
  const more = all.length - LISTED_MAX;
  return [...all.slice(0, LISTED_MAX).map(say), ...(more > 0 ? [`and ${more} more of these`] : [])];
}

function names(watches: Observation['watches']): string {
  const all = [...new Set(watches.map(({ object }) => object))].sort();
  const shown = all.slice(0, LISTED_MAX + 1);
  const more = all.length - shown.length;
  return more > 0
    ? `${shown.join(', ')} or ${more} other resources`
    : shown.join(' or ').replace(/ or (?=.* or )/g, ', ');
}

function seconds(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
