/**
 * Static pods of one full name take turns: a changed manifest is another pod, by its uid, and the one before it has to end first.
 * They come in the order in which they were told of.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go allowStaticPodStart
 */
export class StaticPodTurns {
  readonly #holders = new Map<string, string>();
  readonly #waiting = new Map<string, readonly string[]>();
  readonly #mayStart: (uid: string) => boolean;

  /** @param mayStart whether one that waits is wanted still */
  constructor(mayStart: (uid: string) => boolean) {
    this.#mayStart = mayStart;
  }

  /** Takes one more that waits. */
  add(name: string, uid: string): void {
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), uid]);
  }

  /** Takes the turn, if it is this one's. To take it again does no harm. */
  take(name: string, uid: string): boolean {
    const holder = this.#holders.get(name);
    if (holder !== undefined) return holder === uid;
    // One that is not wanted any more does not stand in the way of those behind it.
    const waiting = (this.#waiting.get(name) ?? []).filter(this.#mayStart);
    if (waiting[0] !== uid) return false;
    this.#holders.set(name, uid);
    if (waiting.length > 1) this.#waiting.set(name, waiting.slice(1));
    else this.#waiting.delete(name);
    return true;
  }

  /** Whose turn it is. */
  holderOf(name: string): string | undefined {
    return this.#holders.get(name);
  }

  /** Gives the turn back, if this one has it. */
  release(name: string, uid: string): void {
    if (this.#holders.get(name) === uid) this.#holders.delete(name);
  }
}
