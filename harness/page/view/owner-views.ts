import type { CronJob, DaemonSet, Job, PersistentVolumeClaim, StatefulSet } from '../../api/objects.ts';
import { cronJobs, daemonSets, jobs, statefulSets } from '../../api/plain-resources.ts';
import { groupResource, persistentVolumeClaims, type Resource } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';
import type { WorkloadView } from '../protocol/view.ts';
import { stored } from './journal-index.ts';

/** The resources whose objects are workloads of the picture. Deployments have their own pictures. */
export const workloadResources: readonly Resource[] = [
  statefulSets,
  daemonSets,
  cronJobs,
  jobs,
  persistentVolumeClaims,
];

/** Returns the pictures of all StatefulSets, DaemonSets, CronJobs, Jobs and claims. */
export function otherWorkloadViewsOf(cluster: Pick<Cluster, 'storage'>): readonly WorkloadView[] {
  return [
    ...stored<StatefulSet>(cluster, statefulSets).map(statefulSetView),
    ...stored<DaemonSet>(cluster, daemonSets).map(daemonSetView),
    ...stored<CronJob>(cluster, cronJobs).map(cronJobView),
    ...stored<Job>(cluster, jobs).map(jobView),
    ...stored<PersistentVolumeClaim>(cluster, persistentVolumeClaims).map(claimView),
  ];
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollout_status.go StatefulSetStatusViewer.Status */
function statefulSetView({ metadata, spec, status }: StatefulSet): WorkloadView {
  const wanted = spec.replicas ?? 1;
  const { observedGeneration = 0, readyReplicas = 0, currentRevision, updateRevision } = status;
  const isCurrent = observedGeneration >= (metadata.generation ?? 0) && currentRevision === updateRevision;
  return {
    ...named('StatefulSet', statefulSets, metadata),
    done: readyReplicas,
    wanted,
    state: isCurrent && readyReplicas >= wanted ? 'complete' : 'progresses',
  };
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollout_status.go DaemonSetStatusViewer.Status */
function daemonSetView({ metadata, status }: DaemonSet): WorkloadView {
  const { observedGeneration = 0, desiredNumberScheduled: wanted = 0, numberReady = 0 } = status;
  const { updatedNumberScheduled = 0, numberAvailable = 0 } = status;
  const isCurrent = observedGeneration >= (metadata.generation ?? 0) && updatedNumberScheduled >= wanted;
  return {
    ...named('DaemonSet', daemonSets, metadata),
    done: numberReady,
    wanted,
    state: isCurrent && numberAvailable >= wanted ? 'complete' : 'progresses',
  };
}

function cronJobView({ metadata, spec, status }: CronJob): WorkloadView {
  const isActive = (status.active ?? []).length > 0;
  return {
    ...named('CronJob', cronJobs, metadata),
    state: spec.suspend ? 'suspended' : isActive ? 'progresses' : 'complete',
    note: spec.schedule,
  };
}

function jobView(job: Job): WorkloadView {
  const { metadata, spec, status } = job;
  const { type, reason } = finishedCondition(job) ?? {};
  return {
    ...named('Job', jobs, metadata),
    done: status.succeeded ?? 0,
    wanted: spec.completions ?? spec.parallelism ?? 1,
    state:
      type === 'Complete'
        ? 'complete'
        : type === 'Failed'
          ? 'failed'
          : spec.suspend
            ? 'suspended'
            : 'progresses',
    ...(type === 'Failed' && reason !== undefined && { note: reason }),
  };
}

function claimView({ metadata, status }: PersistentVolumeClaim): WorkloadView {
  const { phase } = status;
  return {
    ...named('PersistentVolumeClaim', persistentVolumeClaims, metadata),
    state: phase === 'Bound' ? 'complete' : phase === 'Lost' ? 'failed' : 'progresses',
    note: phase ?? '',
  };
}

function named(
  kind: WorkloadView['kind'],
  resource: Resource,
  { namespace = '', name }: Job['metadata'],
): Pick<WorkloadView, 'kind' | 'resource' | 'namespace' | 'name'> {
  return { kind, resource: groupResource(resource), namespace, name };
}
