/** Level 3 · The cache. */
import { scheduling } from '#given/33-bind';
import { keyOf, keyToString, type Pod } from '#harness';

export class SchedulerCache extends scheduling.CachedNodes {
  addPod(pod: Pod): void {
    this.removePod(pod);
    this.states.set(pod.metadata.uid, { pod, assumed: false });
    this.occupy(pod);
  }

  removePod({ metadata: { uid } }: Pod): void {
    const known = this.states.get(uid);
    if (!known) return;
    this.states.delete(uid);
    this.vacate(known.pod);
  }

  assumePod(pod: Pod, nodeName: string): Pod {
    const known = this.states.get(pod.metadata.uid);
    if (known) {
      throw new Error(
        `Failed to assume pod ${keyToString(keyOf(pod))}: it is in the cache already, on ${known.pod.spec.nodeName}.`,
      );
    }
    const assumed = { ...pod, spec: { ...pod.spec, nodeName } };
    this.states.set(pod.metadata.uid, { pod: assumed, assumed: true });
    this.occupy(assumed);
    return assumed;
  }

  forgetPod(pod: Pod): boolean {
    if (!this.isAssumedPod(pod)) return false;
    this.removePod(pod);
    return true;
  }
}
