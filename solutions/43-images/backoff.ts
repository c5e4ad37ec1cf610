/** Level 5 · Back-off. */
import type { PullWaits } from '#given/43-images';
import type { Clock } from '#harness';

const INITIAL_MS = 10_000;
const MAX_MS = 300_000;
/** The age of a failure that no longer affects the next back-off. */
const FORGOTTEN_MS = 2 * MAX_MS;

interface Entry {
  readonly waitMs: number;
  readonly failedAtMs: number;
  readonly why: string;
}

export class PullBackOff implements PullWaits {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  blocked(key: string): { readonly why: string } | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#sinceMs(entry) < entry.waitMs ? entry : undefined;
  }

  failed(key: string, why: string): void {
    const last = this.#entries.get(key);
    const counts = last !== undefined && this.#sinceMs(last) <= FORGOTTEN_MS;
    const waitMs = counts ? Math.min(2 * last.waitMs, MAX_MS) : INITIAL_MS;
    this.#entries.set(key, { waitMs, failedAtMs: this.#clock.monotonicMs(), why });
  }

  forgetOld(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#sinceMs(entry) > FORGOTTEN_MS) this.#entries.delete(key);
    }
  }

  #sinceMs({ failedAtMs }: Entry): number {
    return this.#clock.monotonicMs() - failedAtMs;
  }
}
