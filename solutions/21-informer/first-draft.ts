/** The functions of the short way, as a first draft: no wait is longer than the maximum, whatever the random factor. */
import type { Clock, Random } from '#harness';

const FIRST_MS = 800;
const MAX_MS = 30_000;
const QUIET_MS = 120_000;

export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  #calls = 0;
  #lastCallMs = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  nextMs(): number {
    const nowMs = this.#clock.now();
    if (nowMs - this.#lastCallMs > QUIET_MS) this.#calls = 0;
    this.#lastCallMs = nowMs;
    const factor = 1 + this.#random.float();
    return Math.min(FIRST_MS * 2 ** this.#calls++ * factor, MAX_MS);
  }
}
