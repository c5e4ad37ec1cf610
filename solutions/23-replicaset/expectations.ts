/** Level 5 · Expectations: what was done and is not in the cache yet. */
import type { Clock, ExpectationState, Expected } from '#harness';

/** After so many ms a controller no longer believes that the cache will show what it waits for. */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

interface Expectation {
  /** The uids of pods that the cache has yet to show, and of those that it has yet to stop showing as active. */
  readonly awaited: Readonly<Record<Expected, Set<string>>>;
  /** What was seen since the controller began to act: an event may be faster than an answer. */
  readonly observed: Readonly<Record<Expected, Set<string>>>;
  /** When it began to act, or expected something last. */
  sinceMs: number;
  doubted: boolean;
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
    const { creations, deletions } = expectation.awaited;
    if (creations.size + deletions.size === 0) return 'fulfilled';
    return this.#isLate(expectation) ? 'expired' : 'pending';
  }

  begin(key: string): void {
    // What was done before is still awaited, unless that has taken too long.
    const before = this.#byKey.get(key);
    const kept = before && !this.#isLate(before) ? before.awaited : undefined;
    this.#byKey.set(key, {
      awaited: kept ?? { creations: new Set(), deletions: new Set() },
      observed: { creations: new Set(), deletions: new Set() },
      sinceMs: this.#clock.now(),
      doubted: false,
    });
  }

  doubt(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation) expectation.doubted = true;
  }

  expect(key: string, what: Expected, uids: readonly string[]): void {
    const expectation = this.#byKey.get(key);
    if (!expectation) return;
    expectation.sinceMs = this.#clock.now();
    const { awaited, observed } = expectation;
    // A pod that no longer counts may be gone before it was seen to come.
    const isOver = (uid: string): boolean => observed[what].has(uid) || observed.deletions.has(uid);
    for (const uid of uids) if (!isOver(uid)) awaited[what].add(uid);
  }

  observed(key: string, what: Expected, uid: string): void {
    const expectation = this.#byKey.get(key);
    expectation?.awaited[what].delete(uid);
    expectation?.observed[what].add(uid);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  #isLate({ sinceMs }: Expectation): boolean {
    return this.#clock.now() - sinceMs > EXPECTATIONS_TIMEOUT_MS;
  }
}
