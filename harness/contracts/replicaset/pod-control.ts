import type { New, Pod, ReplicaSet } from '../../api/objects.ts';
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
 * What a ReplicaSet controller asks of the server about pods, and the Events that tell of it.
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

  /** @returns the pod as the server made it. @throws what the server answered */
  async create(rs: ReplicaSet, pod: New<Pod>): Promise<Pod> {
    try {
      const created = await this.#client.create(pods, pod);
      this.#recorder.event(rs, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      // Nothing can be created there, now or later: people know why.
      if (!isNamespaceTerminating(error)) {
        this.#recorder.event(rs, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /**
   * Deletes the pod, and no other of its name. If it is gone already, all is as it was asked for.
   *
   * @throws what the server answered
   */
  async delete(rs: ReplicaSet, pod: Pod): Promise<void> {
    try {
      await this.#client.delete(pods, keyOf(pod), { preconditions: { uid: pod.metadata.uid } });
      this.#recorder.event(rs, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      this.#recorder.event(rs, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  /**
   * Makes the ReplicaSet the controller of this pod, and of no other of its name.
   *
   * @returns the pod as it is now. @throws what the server answered: a pod that is gone is not found
   */
  async adopt(rs: ReplicaSet, pod: Pod): Promise<Pod> {
    const body = { metadata: { uid: pod.metadata.uid, ownerReferences: [newControllerRef(rs)] } };
    return this.#client.patch(pods, keyOf(pod), { type: 'strategic', body });
  }

  /**
   * Takes the ReplicaSet out of the owners of this pod. If the pod is gone or released already, all is as it was asked for.
   *
   * @throws what the server answered
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

  /** @returns the pods that the ReplicaSet selects, as the server has them at this moment: no cache is asked */
  async list(rs: ReplicaSet): Promise<readonly Pod[]> {
    const { namespace = '' } = rs.metadata;
    const { items } = await this.#client.list(pods, { namespace, labelSelector: selectorOf(rs).toString() });
    return items;
  }
}

/** May the server have done what it was asked, although it did not say so? True of a timeout, say; not of a refusal. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
