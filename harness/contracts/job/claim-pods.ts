import type { Job, Pod } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { isNotFound } from '../../api/status.ts';
import { selectorOf } from '../replicaset/selector.ts';
import type { JobSyncContext } from './controller.ts';
import { keyTextOf } from './job-caches.ts';

/**
 * Adopts and releases pods, and returns the pods of the Job, in any phase. An adopted pod gets the tracking finalizer.
 * Before the first adoption it reads from the server whether the Job is alive.
 *
 * @throws the first failure, after all pods
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.getPodsForJob;
 * pkg/controller/controller_ref_manager.go PodControllerRefManager.ClaimPods
 */
export async function claimPods(
  { caches, control, written }: JobSyncContext,
  job: Job,
): Promise<readonly Pod[]> {
  const { uid, namespace } = job.metadata;
  const claimed: Pod[] = [];
  const failures: unknown[] = [];
  let mayAdopt: Promise<void> | undefined;
  const mustBeAlive = async (): Promise<void> => {
    const fresh = await control.readJob(namespace, job.metadata);
    if (fresh && fresh.metadata.deletionTimestamp === undefined) return;
    throw new Error(`Failed to adopt for Job ${keyTextOf(job)}: it has just been deleted.`);
  };
  for (const pod of [...caches.ownPods(job), ...caches.orphans(namespace)]) {
    try {
      const claim = classify(job, pod);
      if (claim === 'release') await control.releaseFromJob(job, pod);
      if (claim === 'keep') claimed.push(pod);
      if (claim !== 'adopt') continue;
      mayAdopt ??= mustBeAlive();
      await mayAdopt;
      const adopted = await control.adoptForJob(job, pod);
      written.wroteAt(uid, 'pods', adopted.metadata.resourceVersion);
      claimed.push(adopted);
    } catch (error) {
      // A deleted pod needs no owner.
      if (!isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return claimed;
}

function classify(job: Job, pod: Pod): 'keep' | 'adopt' | 'release' | 'ignore' {
  const matches = selectorOf(job).matches(pod.metadata.labels);
  const isLeaving = job.metadata.deletionTimestamp !== undefined;
  if (controllerOf(pod)) return matches ? 'keep' : isLeaving ? 'ignore' : 'release';
  return matches && !isLeaving && pod.metadata.deletionTimestamp === undefined ? 'adopt' : 'ignore';
}
