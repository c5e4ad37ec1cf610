import type { Message } from '../../protocol/message.ts';

/** A mark on its way. */
export interface Mark {
  readonly message: Message;
  /** Real ms, on the clock of the painter. */
  readonly bornMs: number;
  readonly durationMs: number;
}

/** A wire that carries too much for single marks: it lights up, with a count. */
export interface Pulse {
  readonly way: Message['way'];
  readonly kind: Message['kind'];
  count: number;
  failures: number;
  readonly bornMs: number;
  endMs: number;
}

/** Marks a second at most. Further messages merge into pulses. */
export const MARKS_MAX = 60;

/** The real time that a mark travels, unless the run is slow enough to show its latency. */
export const TRAVEL_MS = 400;

/** The longest travel: longer ones would hide what follows. */
const TRAVEL_MS_MAX = 4000;

/** The virtual latency of a message whose beginning is unknown: a typical one of the cluster's network. */
const LATENCY_MS = 10;

/** The life of a pulse after its last message. */
const PULSE_MS = 500;

/** The marks and pulses of the present moment. Pure: its clock is an argument. */
export class MarkField {
  #marks: Mark[] = [];
  readonly #pulses = new Map<string, Pulse>();
  /** Births of the last second, oldest first. */
  #births: number[] = [];

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  get pulses(): Iterable<Pulse> {
    return this.#pulses.values();
  }

  /** Whether there is nothing to draw. */
  get isCalm(): boolean {
    return this.#marks.length === 0 && this.#pulses.size === 0;
  }

  /**
   * Adds messages that have travelled.
   *
   * @param nowMs real ms
   * @param speed virtual seconds per real second
   */
  add(messages: readonly Message[], nowMs: number, speed: number): void {
    this.#births = this.#births.filter((bornMs) => nowMs - bornMs < 1000);
    for (const message of messages) {
      if (this.#births.length >= MARKS_MAX) {
        this.#merge(message, nowMs);
        continue;
      }
      this.#births.push(nowMs);
      this.#marks.push({ message, bornMs: nowMs, durationMs: travelMs(message, speed) });
    }
  }

  #merge(message: Message, nowMs: number): void {
    const key = `${message.kind} ${message.way.join(' ')}`;
    const pulse = this.#pulses.get(key);
    const failures = hasFailed(message) ? 1 : 0;
    if (!pulse) {
      const { way, kind } = message;
      this.#pulses.set(key, { way, kind, count: 1, failures, bornMs: nowMs, endMs: nowMs + PULSE_MS });
      return;
    }
    pulse.count += 1;
    pulse.failures += failures;
    pulse.endMs = nowMs + PULSE_MS;
  }

  /** Removes the marks and pulses that have ended. */
  advance(nowMs: number): void {
    if (this.#marks.some((mark) => hasEnded(mark, nowMs)))
      this.#marks = this.#marks.filter((mark) => !hasEnded(mark, nowMs));
    for (const [key, { endMs }] of this.#pulses) if (endMs <= nowMs) this.#pulses.delete(key);
  }

  clear(): void {
    this.#marks = [];
    this.#births = [];
    this.#pulses.clear();
  }
}

/** Whether a message is drawn as a failure. A `get` that finds nothing is an answer like any other: apply begins with it. */
export function hasFailed({ isFailure, verb, outcome }: Message): boolean {
  return isFailure && !(verb === 'get' && outcome === 'NotFound');
}

/** Returns the real time that a mark travels. */
export function travelMs({ atMs, sinceMs, way }: Message, speed: number): number {
  const latencyMs = sinceMs === undefined ? LATENCY_MS * Math.max(1, way.length - 1) : atMs - sinceMs;
  const leastMs = TRAVEL_MS * Math.max(1, (way.length - 1) / 2);
  return Math.min(TRAVEL_MS_MAX, Math.max(leastMs, speed > 0 ? latencyMs / speed : 0));
}

const hasEnded = ({ bornMs, durationMs }: Mark, nowMs: number): boolean => nowMs - bornMs >= durationMs;
