import { deepEqual } from '../../api/freeze.ts';
import { type Job, keyOf, type OwnerReference, type Pod } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { pods } from '../../api/resource.ts';
import { hasReason, isNotFound } from '../../api/status.ts';
import type { ComponentContext } from '../component.ts';
import { newControllerRef } from '../controller-ref.ts';
import { PodControl } from '../replicaset/pod-control.ts';
import { finishedCondition, hasTrackingFinalizer, type JobStatus, TRACKING_FINALIZER } from './facts.ts';

/** Removes the finalizer from a pod, and leaves the finalizers of others. */
const WITHOUT_FINALIZER = { '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] };

/**
 * The requests of a Job controller, and the Events about them. Each method rejects with the error of the server, unless
 * its comment names an exception.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.updateJobStatus,
 * removeTrackingFinalizerPatch, Controller.recordJobFinished; pkg/controller/controller_ref_manager.go
 * PodControllerRefManager
 */
export class JobControl extends PodControl {
  readonly #client;
  readonly #recorder;

  constructor(context: Pick<ComponentContext, 'client' | 'recorder'>) {
    super(context);
    this.#client = context.client;
    this.#recorder = context.recorder;
  }

  /** Makes the Job the controller of this pod, and adds the finalizer. @returns the updated pod */
  async adoptForJob(job: Job, pod: Pod): Promise<Pod> {
    const { uid } = pod.metadata;
    const ownerReferences = [newControllerRef(job, 'Job')];
    const body = { metadata: { uid, ownerReferences, finalizers: [TRACKING_FINALIZER] } };
    return this.#client.patch(pods, keyOf(pod), { type: 'strategic', body });
  }

  /** Removes the Job from the owners of this pod, and the finalizer. Succeeds if the pod does not exist any more. */
  async releaseFromJob(job: Job, pod: Pod): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: job.metadata.uid }];
    try {
      await this.#patch(pod, { ownerReferences, ...WITHOUT_FINALIZER });
    } catch (error) {
      // It has no such owner any more.
      if (!hasReason(error, 'Invalid')) throw error;
    }
  }

  /**
   * Removes the tracking finalizer from this pod, never from another pod of the same name.
   *
   * @returns the updated pod; `undefined` if it does not exist any more, or has no such finalizer
   */
  async removeFinalizer(pod: Pod): Promise<Pod | undefined> {
    return hasTrackingFinalizer(pod) ? this.#patch(pod, WITHOUT_FINALIZER) : undefined;
  }

  async #patch(pod: Pod, changes: Record<string, unknown>): Promise<Pod | undefined> {
    const body = { metadata: { uid: pod.metadata.uid, ...changes } };
    try {
      return await this.#client.patch(pods, keyOf(pod), { type: 'strategic', body });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** A conflict is an error here: a finalizer must not count as removed if the server may still have it. */
  protected override isGone(error: unknown): boolean {
    return isNotFound(error);
  }

  /** Reads a Job from the server. @returns `undefined` if it does not exist, or another Job has its name */
  async readJob(
    namespace: string | undefined,
    { name, uid }: Pick<OwnerReference, 'name' | 'uid'>,
  ): Promise<Job | undefined> {
    try {
      const job = await this.#client.get(jobs, { ...(namespace === undefined ? {} : { namespace }), name });
      return job.metadata.uid === uid ? job : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * Writes a status into this version of the Job, if it differs from the status of `stored`. Emits the Events of a Job
   * that has ended.
   *
   * @param stored the Job as the controller has read it, or as an earlier call has returned it
   * @returns the Job from the server; `stored` if nothing was sent
   */
  async updateStatus(stored: Job, status: JobStatus): Promise<Job> {
    if (deepEqual(stored.status, status)) return stored;
    const updated = await this.#client.updateStatus(jobs, { ...stored, status });
    const end = finishedCondition(updated);
    if (end && !finishedCondition(stored)) this.#announce(updated, end);
    return updated;
  }

  #announce(
    job: Job,
    { type, reason = '', message = '' }: { type: string; reason?: string; message?: string },
  ) {
    if (type === 'Failed') {
      this.#recorder.event(job, 'Warning', reason, message);
      return;
    }
    const { completions = Number.POSITIVE_INFINITY } = job.spec;
    if ((job.status.succeeded ?? 0) > completions) {
      const text = 'Too many succeeded pods running after completion count reached';
      this.#recorder.event(job, 'Warning', 'TooManySucceededPods', text);
    }
    this.#recorder.event(job, 'Normal', 'Completed', 'Job completed');
  }
}
