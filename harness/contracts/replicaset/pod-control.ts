import type { KubeObject, New, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import {
  hasReason,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  reasons,
  StatusError,
} from '../../api/status.ts';
import type { ComponentContext } from '../component.ts';
import { ConnectionError, isConnectionRefused } from '../connection-error.ts';
import { newControllerRef } from '../controller-ref.ts';
import { selectorOf } from './selector.ts';

/**
 * The requests of a ReplicaSet controller about pods, and the Events about them. Other controllers create and delete
 * their pods with it, too.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go RealPodControl,
 * pkg/controller/controller_ref_manager.go PodControllerRefManager
 */
export class PodControl {
  readonly #client;
  readonly #recorder;

  constructor({ client, recorder }: Pick<ComponentContext, 'client' | 'recorder'>) {
    this.#client = client;
    this.#recorder = recorder;
  }

  /**
   * Creates a pod.
   *
   * @param owner the object of the Events
   * @returns the pod from the server. @throws the error of the server
   */
  async create(owner: KubeObject, pod: New<Pod>): Promise<Pod> {
    try {
      const created = await this.#client.create(pods, pod);
      this.#recorder.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      // No pod can be created in this namespace any more, and users know why.
      if (!isNamespaceTerminating(error)) {
        this.#recorder.event(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /**
   * Deletes this pod of a controller, never another pod of the same name. Succeeds if the pod no longer exists.
   *
   * @returns the pod in its deleted or terminating state; `undefined` if it no longer existed
   * @throws the error of the server
   */
  async delete(owner: KubeObject, pod: Pod): Promise<Pod | undefined> {
    try {
      const options = { preconditions: { uid: pod.metadata.uid } };
      const deleted = (await this.#client.delete(pods, keyOf(pod), options)) as Pod;
      this.#recorder.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
      return deleted;
    } catch (error) {
      if (this.isGone(error)) return undefined;
      this.#recorder.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Returns whether this error of a deletion means that the pod does not exist any more. */
  protected isGone(error: unknown): boolean {
    return isNotFound(error) || isConflict(error);
  }

  /**
   * Makes the ReplicaSet the controller of this pod, never of another pod of the same name.
   *
   * @returns the updated pod. @throws the error of the server, also when the pod no longer exists
   */
  async adopt(rs: ReplicaSet, pod: Pod): Promise<Pod> {
    const body = { metadata: { uid: pod.metadata.uid, ownerReferences: [newControllerRef(rs)] } };
    return this.#client.patch(pods, keyOf(pod), { type: 'strategic', body });
  }

  /**
   * Removes the ReplicaSet from the owners of this pod. Succeeds if the pod no longer exists or is already released.
   *
   * @throws the error of the server
   */
  async release(rs: ReplicaSet, pod: Pod): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: rs.metadata.uid }];
    const body = { metadata: { uid: pod.metadata.uid, ownerReferences } };
    try {
      await this.#client.patch(pods, keyOf(pod), { type: 'strategic', body });
    } catch (error) {
      if (!hasReason(error, 'Invalid') && !isNotFound(error)) throw error;
    }
  }

  /** Returns the pods that the ReplicaSet selects, read from the server, not from a cache. */
  async list(rs: ReplicaSet): Promise<readonly Pod[]> {
    const { namespace = '' } = rs.metadata;
    const { items } = await this.#client.list(pods, { namespace, labelSelector: selectorOf(rs).toString() });
    return items;
  }
}

/**
 * Returns whether the server may have executed the request in spite of this error. True of a timeout, for example;
 * false of a refusal.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
