/**
 * The turns of static pods with one full name. A changed manifest is a new pod with a new UID, and the old pod must end
 * first. Pods take turns in the order in which they were added.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go allowStaticPodStart
 */
export class StaticPodTurns {
  readonly #holders = new Map<string, string>();
  readonly #waiting = new Map<string, readonly string[]>();
  readonly #mayStart: (uid: string) => boolean;

  /** @param mayStart whether a waiting pod is still desired */
  constructor(mayStart: (uid: string) => boolean) {
    this.#mayStart = mayStart;
  }

  /** Adds a waiting pod. */
  add(name: string, uid: string): void {
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), uid]);
  }

  /** Takes the turn if the pod is next, or already has it. Returns whether the pod has the turn. */
  take(name: string, uid: string): boolean {
    const holder = this.#holders.get(name);
    if (holder !== undefined) return holder === uid;
    // A pod that is no longer desired must not block the pods after it.
    const waiting = (this.#waiting.get(name) ?? []).filter(this.#mayStart);
    if (waiting[0] !== uid) return false;
    this.#holders.set(name, uid);
    if (waiting.length > 1) this.#waiting.set(name, waiting.slice(1));
    else this.#waiting.delete(name);
    return true;
  }

  /** Returns the UID of the pod that has the turn. */
  holderOf(name: string): string | undefined {
    return this.#holders.get(name);
  }

  /** Releases the turn, if this pod has it. */
  release(name: string, uid: string): void {
    if (this.#holders.get(name) === uid) this.#holders.delete(name);
  }
}
