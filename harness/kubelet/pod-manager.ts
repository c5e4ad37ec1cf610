import type { Pod } from '../api/objects.ts';
import { fullName, isMirrorPod, isStaticPod } from './static-pod.ts';

/**
 * The pods that this node is to have: those of the API that are bound to it, and its own static ones. A mirror pod is not one
 * of them: it stands in the API for a static pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod/pod_manager.go Manager
 */
export class PodManager {
  readonly #pods = new Map<string, Pod>();
  readonly #mirrors = new Map<string, Pod>();

  /** Takes a pod that came or has changed. */
  set(pod: Pod): void {
    if (isMirrorPod(pod)) this.#mirrors.set(fullName(pod.metadata), pod);
    else this.#pods.set(pod.metadata.uid, pod);
  }

  /** Takes that a pod is gone. */
  delete(pod: Pod): void {
    const name = fullName(pod.metadata);
    if (!isMirrorPod(pod)) this.#pods.delete(pod.metadata.uid);
    else if (this.#mirrors.get(name)?.metadata.uid === pod.metadata.uid) this.#mirrors.delete(name);
  }

  /** All of them, without mirror pods. */
  list(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  /** The mirror pods, also of static pods that are gone. */
  mirrors(): readonly Pod[] {
    return [...this.#mirrors.values()];
  }

  /** What stands in the API for a static pod; undefined when nothing does, and for any other pod. */
  mirrorOf(pod: Pod): Pod | undefined {
    return isStaticPod(pod) ? this.#mirrors.get(fullName(pod.metadata)) : undefined;
  }

  /** The static pod for which this one stands; undefined when there is none, and for any other pod. */
  staticPodOf(mirrorPod: Pod): Pod | undefined {
    if (!isMirrorPod(mirrorPod)) return undefined;
    const name = fullName(mirrorPod.metadata);
    return this.list().find((pod) => isStaticPod(pod) && fullName(pod.metadata) === name);
  }
}
