/** Level 7 · When it breaks: how long to wait before the next try. */
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
    // Without jitter, all clients that lost the same server would come back to it at the same instant.
    return ms * (1 + this.#random.float());
  }
}
