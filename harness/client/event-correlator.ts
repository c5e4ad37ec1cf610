import type { Event, New } from '../api/objects.ts';
import type { Clock } from '../sim/index.ts';
import { LruCache } from './lru-cache.ts';

/** An event as it is sent. */
export type SentEvent = New<Event> & {
  metadata: { readonly namespace: string; readonly name: string };
  involvedObject: NonNullable<Event['involvedObject']>;
  source: { readonly component: string; readonly host?: string };
  firstTimestamp: string;
  lastTimestamp: string;
  count: number;
  type: string;
  reason: string;
  message: string;
};

/** With so many that differ in their messages only, they are combined. */
const SIMILAR_MAX = 10;
/** So long after the last of them they are forgotten. */
const SIMILAR_FOR_MS = 600_000;
/** So many of one type about one object at once, … */
const SPAM_BURST = 25;
/** … and then one more in so many ms. */
const SPAM_REFILL_MS = 300_000;
/** So much is remembered, of each. */
const ENTRIES_MAX = 4_096;

/** Messages, and when the last of them came. */
interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** What was sent of an event. */
type Observed = Pick<SentEvent, 'metadata' | 'firstTimestamp' | 'count'>;

/** A token bucket. */
interface Bucket {
  tokens: number;
  countedAtMs: number;
}

/**
 * What becomes of the events of one recorder before they are sent: those that say the same again are counted, those
 * that differ in their words only become one, and an object that has too many of one type is cut short.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/record/events_cache.go EventCorrelator
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #newName: (about: string) => string;
  readonly #similar = new LruCache<Similar>(ENTRIES_MAX);
  readonly #observed = new LruCache<Observed>(ENTRIES_MAX);
  readonly #buckets = new LruCache<Bucket>(ENTRIES_MAX);

  /** `newName` gives a new event about the object of this name its own. */
  constructor(clock: Clock, newName: (about: string) => string) {
    this.#clock = clock;
    this.#newName = newName;
  }

  /**
   * The event to send: the one given, or another that says more. A count of 1 is a new one, a higher one raises that of
   * the event of this name. `undefined` when its object had too many.
   */
  correlate(event: SentEvent): SentEvent | undefined {
    const [combined, key] = this.#aggregate(event);
    // Also what is never sent is counted.
    const observed = this.#observe(combined, key);
    return this.#isSpam(observed) ? undefined : observed;
  }

  /** Upstream: EventAggregator.EventAggregate */
  #aggregate(event: SentEvent): [event: SentEvent, key: string] {
    const nowMs = this.#clock.now();
    const key = aggregateKeyOf(event);
    let similar = this.#similar.get(key);
    if (!similar || nowMs - similar.lastMs > SIMILAR_FOR_MS) similar = { messages: new Set(), lastMs: nowMs };
    const { messages } = similar;
    messages.add(event.message);
    similar.lastMs = nowMs;
    this.#similar.set(key, similar);
    // What is about another part of the object says something else.
    const { fieldPath = '' } = event.involvedObject;
    if (messages.size < SIMILAR_MAX) return [event, [key, fieldPath, event.message].join('\n')];
    // Upstream takes any of them.
    for (const oldest of messages) {
      messages.delete(oldest);
      break;
    }
    const { metadata, involvedObject, lastTimestamp, message } = event;
    const combined = {
      ...event,
      metadata: { ...metadata, name: this.#newName(involvedObject.name ?? '') },
      firstTimestamp: lastTimestamp,
      message: `(combined from similar events): ${message}`,
      reportingComponent: '',
    };
    return [combined, key];
  }

  /** Upstream: eventLogger.eventObserve */
  #observe(event: SentEvent, key: string): SentEvent {
    const last = this.#observed.get(key);
    const observed = last ? { ...event, ...last, count: last.count + 1 } : event;
    const { metadata, firstTimestamp, count } = observed;
    this.#observed.set(key, { metadata, firstTimestamp, count });
    return observed;
  }

  /** Upstream: EventSourceObjectSpamFilter.Filter */
  #isSpam({ involvedObject, type }: SentEvent): boolean {
    const nowMs = this.#clock.now();
    const key = [objectKeyOf(involvedObject), type].join('\n');
    const known = this.#buckets.get(key) ?? { tokens: SPAM_BURST, countedAtMs: nowMs };
    const refilled = Math.max(0, nowMs - known.countedAtMs) / SPAM_REFILL_MS;
    const tokens = Math.min(SPAM_BURST, known.tokens + refilled);
    const isSpam = tokens < 1;
    this.#buckets.set(key, { tokens: isSpam ? tokens : tokens - 1, countedAtMs: nowMs });
    return isSpam;
  }
}

function aggregateKeyOf({ involvedObject, type, reason }: SentEvent): string {
  return [objectKeyOf(involvedObject), type, reason].join('\n');
}

function objectKeyOf({
  kind,
  namespace,
  name,
  uid,
  apiVersion,
}: NonNullable<Event['involvedObject']>): string {
  return [kind, namespace, name, uid, apiVersion].join('\n');
}
