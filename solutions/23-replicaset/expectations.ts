/** Level 5 · Expectations: operations that the cache does not show yet. */
import type { ExpectationState, Expected } from '#given/23-replicaset';
import type { Clock } from '#harness';

/** The time in ms after which a controller no longer expects the cache to show an operation. */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

interface Expectation {
  /** The uids of pods whose creation, or whose end, the cache does not show yet. */
  readonly awaited: Readonly<Record<Expected, Set<string>>>;
  /** The pods observed since the controller began to act: an event can arrive before the response. */
  readonly observed: Readonly<Record<Expected, Set<string>>>;
  /** The time when the controller began to act, or last added an expectation. */
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
    // Earlier expectations stay, unless they have expired.
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
    // A pod may be deleted, or inactive, before its creation was observed.
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
