/** Level 7 · When it breaks: the back-off before the next attempt. */
import type { Clock, Random } from '#harness';

const BACKOFF_MS_MIN = 800;
const BACKOFF_MS_MAX = 30_000;
const BACKOFF_RESET_MS = 120_000;

export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  #baseMs = BACKOFF_MS_MIN;
  #lastMs: number;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#lastMs = clock.now();
  }

  nextMs(): number {
    const now = this.#clock.now();
    if (now - this.#lastMs > BACKOFF_RESET_MS) this.#baseMs = BACKOFF_MS_MIN;
    this.#lastMs = now;
    const ms = this.#baseMs;
    this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);
    // Without jitter, all clients of a failed server would reconnect at the same instant.
    return ms * (1 + this.#random.float());
  }
}
