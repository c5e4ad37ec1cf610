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

/** From this many events on that differ only in their messages, they are combined. */
const SIMILAR_MAX = 10;
/** They are forgotten this long after the last of them. */
const SIMILAR_FOR_MS = 600_000;
/** Burst of events of one type about one object, … */
const SPAM_BURST = 25;
/** … and the interval in ms until one more is allowed. */
const SPAM_REFILL_MS = 300_000;
/** Maximum number of entries in each cache. */
const ENTRIES_MAX = 4_096;

/** Distinct messages, and the time of the last one. */
interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** The part of an event that was sent already. */
type Observed = Pick<SentEvent, 'metadata' | 'firstTimestamp' | 'count'>;

/** A token bucket. */
interface Bucket {
  tokens: number;
  countedAtMs: number;
}

/**
 * Reduces the events of one recorder before they are sent. Counts repeated events, combines events that differ only in
 * their messages, and drops events if an object has too many of one type.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/record/events_cache.go EventCorrelator
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #newName: (about: string) => string;
  readonly #similar = new LruCache<Similar>(ENTRIES_MAX);
  readonly #observed = new LruCache<Observed>(ENTRIES_MAX);
  readonly #buckets = new LruCache<Bucket>(ENTRIES_MAX);

  /** @param newName returns the name of a new event about the object of this name */
  constructor(clock: Clock, newName: (about: string) => string) {
    this.#clock = clock;
    this.#newName = newName;
  }

  /**
   * Returns the event to send: the given event or a combined one. A count of 1 means a new event; a higher count
   * updates the event of this name. Returns `undefined` if the object has too many events.
   */
  correlate(event: SentEvent): SentEvent | undefined {
    const [combined, key] = this.#aggregate(event);
    // Dropped events are counted, too.
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
    // Events about different parts of an object are not repetitions.
    const { fieldPath = '' } = event.involvedObject;
    if (messages.size < SIMILAR_MAX) return [event, [key, fieldPath, event.message].join('\n')];
    // Upstream removes an arbitrary one.
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
