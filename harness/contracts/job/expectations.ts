import type { Clock } from '../../sim/index.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ExpectationsTimeout */
const EXPECTATIONS_TIMEOUT_MS = 300_000;

/** The effect of a write that the cache is going to show. */
export type ExpectedPods = 'creations' | 'deletions';

/**
 * The numbers of pods that a controller has created or deleted, and that its cache does not show yet. The key is the uid
 * of a Job.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ControllerExpectations
 */
export class CountedExpectations {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byKey = new Map<string, { creations: number; deletions: number; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Returns whether the cache shows everything that is expected, or has not done so for five minutes. */
  areSatisfied(key: string): boolean {
    return this.expiryMs(key) === 0;
  }

  /** Returns the ms until the expectations expire; 0 if the cache shows everything, or if they have expired. */
  expiryMs(key: string): number {
    const expected = this.#byKey.get(key);
    if (!expected || (expected.creations <= 0 && expected.deletions <= 0)) return 0;
    return Math.max(0, expected.sinceMs + EXPECTATIONS_TIMEOUT_MS + 1 - this.#clock.now());
  }

  /** Expects this many pods, before the requests. It replaces earlier expectations. */
  expect(key: string, what: ExpectedPods, count: number): void {
    const expected = { creations: 0, deletions: 0, sinceMs: this.#clock.now() };
    expected[what] = count;
    this.#byKey.set(key, expected);
  }

  /** Records that the cache shows one of them, or never will. */
  observed(key: string, what: ExpectedPods, count = 1): void {
    const expected = this.#byKey.get(key);
    if (expected) expected[what] -= count;
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The pods whose tracking finalizer this controller has removed, while the cache still shows it. Such a pod is counted
 * already. The key is the uid of a Job.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/tracking_utils.go uidTrackingExpectations
 */
export class AwaitedFinalizers {
  readonly #byKey = new Map<string, Set<string>>();

  /** Returns the uids of these pods. The set does not change later. */
  of(key: string): ReadonlySet<string> {
    const uids = this.#byKey.get(key);
    return uids ? new Set(uids) : NONE;
  }

  /** Expects that these pods lose their finalizer, before the requests. */
  expect(key: string, uids: readonly string[]): void {
    if (uids.length === 0) return;
    this.#byKey.set(key, new Set([...this.of(key), ...uids]));
  }

  /** Records that the cache shows the pod without finalizer, or never will. */
  observed(key: string, uid: string): void {
    const uids = this.#byKey.get(key);
    uids?.delete(uid);
    if (uids?.size === 0) this.#byKey.delete(key);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}
