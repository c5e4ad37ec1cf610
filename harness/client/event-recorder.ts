import type * as core from '#api/core/v1';
import { type KubeObject, keyOf } from '../api/objects.ts';
import { events } from '../api/resource.ts';
import { isNotFound, StatusError } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import { type Clock, formatTime, type Random } from '../sim/index.ts';
import { EventCorrelator, type SentEvent } from './event-correlator.ts';
import { eventNames, referenceTo } from './event-names.ts';

/** Options of an event recorder. */
export interface EventRecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The reporting component: `deployment-controller`. */
  readonly component: string;
  /** The node of the component, if it runs on a node: `node-1`. */
  readonly host?: string | undefined;
  /** Once it is aborted, the recorder sends no further event. */
  readonly signal: AbortSignal;
}

/** Maximum number of events that wait to be sent. Further events are dropped. */
const QUEUE_MAX = 1_000;
/** Maximum number of tries for an event while the server is unreachable. */
const TRIES_MAX = 12;
const RETRY_MS = 10_000;

/**
 * Creates a recorder that counts and combines events with an {@link EventCorrelator} and sends them one after the
 * other. While the server is unreachable, all wait for the first.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/record/event.go eventBroadcasterImpl, recorderImpl
 *
 * Differs: a rejection with Retry-After is retried here; in upstream, the REST client below retries it.
 */
export function newEventRecorder(options: EventRecorderOptions): EventRecorder {
  return new Recorder(options);
}

class Recorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #correlator: EventCorrelator;
  readonly #newName: (about: string) => string;
  readonly #waiting: SentEvent[] = [];
  #sending = false;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#newName = eventNames(options.clock, options.random);
    this.#correlator = new EventCorrelator(options.clock, this.#newName);
  }

  event(
    object: KubeObject | core.ObjectReference,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const { clock, component, host, signal } = this.#options;
    if (signal.aborted || this.#waiting.length >= QUEUE_MAX) return;
    const involvedObject = referenceTo(object);
    const { namespace = 'default', name = '' } = involvedObject;
    const now = formatTime(clock.now());
    this.#waiting.push({
      metadata: { namespace, name: this.#newName(name) },
      involvedObject,
      type,
      reason,
      message,
      source: { component, ...(host ? { host } : {}) },
      reportingComponent: component,
      reportingInstance: host ?? '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    const { signal } = this.#options;
    for (let next = this.#waiting.shift(); next && !signal.aborted; next = this.#waiting.shift()) {
      const event = this.#correlator.correlate(next);
      if (event) await this.#insist(event);
    }
    this.#sending = false;
  }

  /** Writes the event, with retries until it fails permanently. Never rejects. */
  async #insist(event: SentEvent): Promise<void> {
    const { clock, random, signal } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await this.#write(event);
        return;
      } catch (error) {
        const givenUp = signal.aborted || isFinal(error) || tries >= TRIES_MAX;
        if (givenUp) return;
        // The jitter keeps clients from returning all at once when the server does.
        const delayMs = retryAfterMs(error) ?? (tries === 1 ? RETRY_MS * random.float() : RETRY_MS);
        await clock.sleep(delayMs, signal).catch(() => {});
      }
    }
  }

  async #write(event: SentEvent): Promise<void> {
    const { client, signal } = this.#options;
    const { count, lastTimestamp, message } = event;
    if (count > 1) {
      const body = { count, lastTimestamp, message };
      try {
        await client.patch(events, keyOf(event), { type: 'strategic', body }, { signal });
        return;
      } catch (error) {
        // The event was never stored, or was deleted since: create it with the whole count.
        if (!isNotFound(error)) throw error;
      }
    }
    await client.create(events, event, { signal });
  }
}

/**
 * Returns whether retrying is useless: the server would reject the event again. A request that did not reach the server
 * may succeed later.
 */
function isFinal(error: unknown): boolean {
  return error instanceof StatusError && retryAfterMs(error) === undefined;
}

/** Returns the delay that the server requests in an error, in ms, if any. */
export function retryAfterMs(error: unknown): number | undefined {
  const { retryAfterSeconds } = (error instanceof StatusError && error.status.details) || {};
  return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
}
