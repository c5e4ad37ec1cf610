/** Level 5 · Expectations: whether the cache shows what we did. */
import type { Clock } from '#harness';

/** After so long we no longer believe that what we wait for will come. */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * What the cache is worth, as far as what we did ourselves is concerned. `unknown`: nobody can say, because we have
 * only begun, or because something was not answered. `pending`: it has yet to show something. `fulfilled`: it shows all
 * of it. `expired`: it has had its time to.
 */
export type ExpectationState = 'unknown' | 'pending' | 'fulfilled' | 'expired';

interface Expectation {
  /** The uids of pods that the cache has yet to show. */
  readonly creations: Set<string>;
  /** The uids of pods that the cache has yet to stop showing as active. */
  readonly deletions: Set<string>;
  /** When something was expected last. */
  sinceMs: number;
  /** Was something not answered? */
  doubted: boolean;
  /** While somebody acts: what was seen to come and to go, since an event may be faster than an answer. */
  observed: { readonly creations: Set<string>; readonly deletions: Set<string> } | undefined;
}

export class Expectations {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byKey = new Map<string, Expectation>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  state(key: string): ExpectationState {
    const expectation = this.#byKey.get(key);
    if (!expectation || expectation.doubted) return 'unknown';
    if (expectation.creations.size + expectation.deletions.size === 0) return 'fulfilled';
    return this.#clock.now() - expectation.sinceMs > EXPECTATIONS_TIMEOUT_MS ? 'expired' : 'pending';
  }

  expiresInMs(key: string): number | undefined {
    const expectation = this.#byKey.get(key);
    if (!expectation || this.state(key) !== 'pending') return undefined;
    return expectation.sinceMs + EXPECTATIONS_TIMEOUT_MS + 1 - this.#clock.now();
  }

  begin(key: string): void {
    // Who acts in doubt still waits for what is on its way; who has waited for too long does not.
    const kept = this.state(key) === 'expired' ? undefined : this.#byKey.get(key);
    this.#byKey.set(key, {
      creations: kept?.creations ?? new Set(),
      deletions: kept?.deletions ?? new Set(),
      sinceMs: this.#clock.now(),
      doubted: false,
      observed: { creations: new Set(), deletions: new Set() },
    });
  }

  doubt(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation) expectation.doubted = true;
  }

  end(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation) expectation.observed = undefined;
  }

  expectCreations(key: string, uids: readonly string[]): void {
    this.#expect(key, 'creations', uids);
  }

  expectDeletions(key: string, uids: readonly string[]): void {
    this.#expect(key, 'deletions', uids);
  }

  creationObserved(key: string, uid: string): void {
    this.#observe(key, 'creations', uid);
  }

  deletionObserved(key: string, uid: string): void {
    this.#observe(key, 'deletions', uid);
  }

  deletionFailed(key: string, uid: string): void {
    this.#byKey.get(key)?.deletions.delete(uid);
  }

  deleteExpectations(key: string): void {
    this.#byKey.delete(key);
  }

  #expect(key: string, what: 'creations' | 'deletions', uids: readonly string[]): void {
    const expectation = this.#byKey.get(key);
    if (!expectation) return;
    expectation.sinceMs = this.#clock.now();
    for (const uid of uids) if (!expectation.observed?.[what].has(uid)) expectation[what].add(uid);
  }

  #observe(key: string, what: 'creations' | 'deletions', uid: string): void {
    const expectation = this.#byKey.get(key);
    expectation?.[what].delete(uid);
    expectation?.observed?.[what].add(uid);
  }
}
