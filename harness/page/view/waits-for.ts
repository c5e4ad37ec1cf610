import type { Observation } from '../../cluster/observation.ts';
import type { QueueState } from '../../cluster/queue-contents.ts';
import type { Waited } from '../protocol/details.ts';
import type { ComponentView } from '../protocol/view.ts';
import { sayMs } from './span.ts';

/** The present state of a process. All times are virtual ms since the simulation began. */
interface Waiting {
  readonly component: Pick<ComponentView, 'state' | 'waitsFor'>;
  readonly observed: Observation | undefined;
  readonly queues: readonly QueueState[];
  /** Its pending tasks: timers, answers and events on their way. */
  readonly tasks: readonly { readonly atMs: number; readonly what: string }[];
  readonly nowMs: number;
  /** The objects whose change it waits for. */
  readonly objects: readonly Waited[];
}

/** The number of answers, events or timers that are listed at most. */
const LISTED_MAX = 5;
/** The number of objects that are listed at most. */
const OBJECTS_MAX = 12;

/**
 * Describes what a process waits for, most urgent first: answers, events on their way, events that a fault holds back,
 * changes of objects, timers, the next events of its watches.
 */
export function waitsFor({ component, observed, queues, tasks, nowMs, objects }: Waiting): readonly Waited[] {
  if (!observed) {
    return [{ text: component.state === 'crashed' ? 'its next start' : 'nothing: it has given up' }];
  }
  const later = queues.flatMap((queue) => queue.later);
  const retries = later.filter(({ atMs }) => atMs === undefined);
  const planned = new Set(later.map(({ atMs }) => atMs));
  const timers = tasks.filter(({ what, atMs }) => what === 'timer' && !planned.has(atMs));
  const moving = tasks.filter(({ what }) => what !== 'timer');
  const watches = observed.watches;
  const held = watches.filter(({ isHeld }) => isHeld);
  const free = watches.filter(({ isHeld }) => !isHeld);
  const texts = (all: readonly string[]): readonly Waited[] => all.map((text) => ({ text }));
  return [
    ...texts(component.waitsFor === undefined ? [] : [`the first object of ${component.waitsFor}`]),
    ...texts(
      few(
        queues.flatMap(({ processing }) => processing),
        (item) => `the end of its work on ${itemText(item)}`,
      ),
    ),
    ...texts(
      few(moving, ({ what }) =>
        /^(event|end of) /.test(what) ? `${what}, which is on its way` : `an answer to ${what}`,
      ),
    ),
    ...texts(held.length > 0 ? [`events of ${names(held)}, which a fault holds back`] : []),
    ...objects.slice(0, OBJECTS_MAX),
    ...texts([
      ...(objects.length > OBJECTS_MAX ? [`and ${objects.length - OBJECTS_MAX} more objects`] : []),
      ...few(
        later.filter(({ atMs }) => atMs !== undefined),
        ({ item, atMs = 0 }) => `${itemText(item)} again in ${sayMs(atMs - nowMs)}`,
      ),
      ...few(retries, ({ item }) => `the retry of ${itemText(item)}`),
      ...(free.length > 0 ? [`an event of ${names(free)}`] : []),
      ...(timers[0] ? [`${routine(timers.length)}, the next in ${sayMs(timers[0].atMs - nowMs)}`] : []),
    ]),
  ];
}

function routine(count: number): string {
  return count === 1 ? 'a timer of its routine' : `${count} timers of its routine`;
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
