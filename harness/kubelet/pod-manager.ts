import type { Pod } from '../api/objects.ts';
import { fullName, isMirrorPod, isStaticPod } from './static-pod.ts';

/**
 * The pods that should run on this node: the API's pods bound to it, and its static pods. Mirror pods are kept
 * separately: they represent static pods in the API.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod/pod_manager.go Manager
 */
export class PodManager {
  readonly #pods = new Map<string, Pod>();
  readonly #mirrors = new Map<string, Pod>();

  /** Stores a new or changed pod. */
  set(pod: Pod): void {
    if (isMirrorPod(pod)) this.#mirrors.set(fullName(pod.metadata), pod);
    else this.#pods.set(pod.metadata.uid, pod);
  }

  /** Deletes a pod. */
  delete(pod: Pod): void {
    const name = fullName(pod.metadata);
    if (!isMirrorPod(pod)) this.#pods.delete(pod.metadata.uid);
    else if (this.#mirrors.get(name)?.metadata.uid === pod.metadata.uid) this.#mirrors.delete(name);
  }

  /** Returns all pods except mirror pods. */
  list(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  /** Returns the mirror pods, including those of deleted static pods. */
  mirrors(): readonly Pod[] {
    return [...this.#mirrors.values()];
  }

  /** Returns the mirror pod of a static pod; undefined if it does not exist, and for any other pod. */
  mirrorOf(pod: Pod): Pod | undefined {
    return isStaticPod(pod) ? this.#mirrors.get(fullName(pod.metadata)) : undefined;
  }

  /** Returns the static pod of a mirror pod; undefined if it does not exist, and for any other pod. */
  staticPodOf(mirrorPod: Pod): Pod | undefined {
    if (!isMirrorPod(mirrorPod)) return undefined;
    const name = fullName(mirrorPod.metadata);
    return this.list().find((pod) => isStaticPod(pod) && fullName(pod.metadata) === name);
  }
}
