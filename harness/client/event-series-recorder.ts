import type * as core from '#api/core/v1';
import { type EventV1, type KubeObject, keyOf, type New } from '../api/objects.ts';
import { eventsV1 } from '../api/resource.ts';
import { isAlreadyExists, isNotFound, StatusError } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import { type Clock, formatMicroTime, type Random } from '../sim/index.ts';
import { eventNames, referenceTo } from './event-names.ts';
import { retryAfterMs } from './event-recorder.ts';

interface EventSeriesRecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The reporting component: `default-scheduler`. */
  readonly reportingController: string;
  /** The instance of the component: `default-scheduler-node-1`. */
  readonly reportingInstance: string;
  /** The action for each reason: `Binding` for `Scheduled`. */
  readonly actions: Readonly<Record<string, string>>;
  /** Once it is aborted, the recorder sends no further event. */
  readonly signal: AbortSignal;
}

/** Maximum number of tries for an event while the server is unreachable. */
const TRIES_MAX = 12;
const RETRY_MS = 10_000;
/** The interval between writes of the counts of series, … */
const REFRESH_MS = 1_800_000;
/** … and the time after its last occurrence when an event ends. */
const FINISH_MS = 360_000;

/**
 * Creates a recorder of events.k8s.io Events. Repeated events form one series, whatever their messages. The second
 * event starts the series. Later ones are only counted, and the count is written now and then.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/events/event_broadcaster.go eventBroadcasterImpl, event_recorder.go
 *
 * Differs: the port has no action parameter, so the reason determines it; a rejection with Retry-After is retried here;
 * in upstream, the REST client below retries it.
 */
export function newEventSeriesRecorder(options: EventSeriesRecorderOptions): EventRecorder {
  return new Recorder(options);
}

type SentEvent = New<EventV1> & { metadata: { readonly namespace: string; readonly name: string } };

/** A remembered event. Its count changes. */
interface Remembered {
  event: SentEvent;
  seenMs: number;
}

class Recorder implements EventRecorder {
  readonly #options: EventSeriesRecorderOptions;
  readonly #newName: (about: string) => string;
  readonly #begunMs: number;
  readonly #remembered = new Map<string, Remembered>();
  #ticks = false;

  constructor(options: EventSeriesRecorderOptions) {
    this.#options = options;
    this.#newName = eventNames(options.clock, options.random);
    this.#begunMs = options.clock.now();
  }

  event(
    object: KubeObject | core.ObjectReference,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const { actions, clock, reportingController, reportingInstance, signal } = this.#options;
    if (signal.aborted) return;
    this.#startTicking();
    const regarding = referenceTo(object);
    const { namespace = 'default', name = '' } = regarding;
    const seenMs = clock.now();
    const event: SentEvent = {
      metadata: { namespace, name: this.#newName(name) },
      eventTime: formatMicroTime(seenMs),
      reportingController,
      reportingInstance,
      action: actions[reason] ?? reason,
      reason,
      regarding,
      note: message,
      type,
    };
    const toSend = this.#remember(event, seenMs);
    if (toSend) void this.#insist(toSend);
  }

  /** Returns the event to send, if any. */
  #remember(event: SentEvent, seenMs: number): SentEvent | undefined {
    // The message is not part of the key.
    const { type, action, reason, regarding } = event;
    const key = JSON.stringify([type, action, reason, regarding]);
    const known = this.#remembered.get(key);
    if (!known) {
      this.#remembered.set(key, { event, seenMs });
      return event;
    }
    const isSeries = known.event.series !== undefined;
    const count = (known.event.series?.count ?? 1) + 1;
    known.event = { ...known.event, series: { count, lastObservedTime: formatMicroTime(seenMs) } };
    known.seenMs = seenMs;
    return isSeries ? undefined : known.event;
  }

  /** Writes the event, with retries until it fails permanently. Never rejects. */
  async #insist(event: SentEvent): Promise<void> {
    const { clock, random, signal } = this.#options;
    for (let tries = 1; ; tries++) {
      const error = await this.#write(event);
      if (error === undefined || signal.aborted || isFinal(error, event) || tries >= TRIES_MAX) return;
      // The jitter keeps clients from returning all at once when the server does.
      const delayMs = retryAfterMs(error) ?? RETRY_MS * (1 + random.float() / 4);
      await clock.sleep(delayMs, signal).catch(() => {});
    }
  }

  /** Resolves with the error if the event could not be written. */
  async #write(event: SentEvent): Promise<unknown> {
    const { client, signal } = this.#options;
    try {
      if (event.series) {
        const body = { series: event.series };
        try {
          await client.patch(eventsV1, keyOf(event), { type: 'strategic', body }, { signal });
          return undefined;
        } catch (error) {
          // The event was never stored, or was deleted since: create it with the whole count.
          if (!isNotFound(error)) throw error;
        }
      }
      await client.create(eventsV1, event, { signal });
      return undefined;
    } catch (error) {
      return error ?? new Error('It was not written.');
    }
  }

  #startTicking(): void {
    if (this.#ticks) return;
    this.#ticks = true;
    void this.#every(REFRESH_MS, async ({ event }) => {
      if (event.series) await this.#write(event);
    });
    void this.#every(FINISH_MS, async (remembered, key) => {
      const { event, seenMs } = remembered;
      if (seenMs >= this.#options.clock.now() - FINISH_MS) return;
      const error = event.series ? await this.#write(event) : undefined;
      if (error === undefined || isFinal(error, event)) this.#remembered.delete(key);
    });
  }

  /** Runs `run` for each remembered event, every `periodMs` since the start. */
  async #every(periodMs: number, run: (remembered: Remembered, key: string) => Promise<void>): Promise<void> {
    const { clock, signal } = this.#options;
    while (!signal.aborted) {
      const sinceMs = (clock.now() - this.#begunMs) % periodMs;
      await clock.sleep(periodMs - sinceMs, signal).catch(() => {});
      for (const [key, remembered] of [...this.#remembered]) {
        if (signal.aborted) return;
        await run(remembered, key);
      }
    }
  }
}

/**
 * Returns whether retrying is useless: the server would reject the event again. Exceptions are a request that did not
 * reach the server, and a series whose event is just being created.
 */
function isFinal(error: unknown, { series }: SentEvent): boolean {
  if (!(error instanceof StatusError) || retryAfterMs(error) !== undefined) return false;
  return !(series && isAlreadyExists(error));
}
