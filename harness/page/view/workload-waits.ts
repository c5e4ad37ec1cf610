import type { Deployment, Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { podRow } from '../../drawing/pod-row.ts';
import type { Waited } from '../protocol/details.ts';
import { isRolledOut } from './predicates.ts';
import { pods as countOf, reasonForOldPods } from './rollout-reason.ts';
import { sayMs } from './span.ts';

/** The number of pods that a sentence names at most. */
const NAMED_MAX = 3;

/** The objects that the caches of a controller have. */
export interface CachedWorkloads {
  readonly deployments: readonly Deployment[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  /** The time that the API's timestamps count, in ms since 1970. */
  readonly clockMs: number;
}

/** Describes the next step of each Deployment whose roll-out is unfinished, as the caches of its controller show it. */
export function deploymentWaits(cached: CachedWorkloads): readonly Waited[] {
  return cached.deployments
    .filter((each) => each.metadata.deletionTimestamp === undefined && !isRolledOut(each))
    .map((deployment) => {
      const parts = [stepOf(deployment, cached), reasonForOldPods(deployment)?.replace(/^/, 'it ')];
      const text = [...parts, deadlineOf(deployment, cached.clockMs)].filter(Boolean).join('; ');
      return waited('deployments.apps', deployment, text);
    });
}

/** Describes the pods that each ReplicaSet still needs, as the caches of its controller show them. */
export function replicaSetWaits({ replicaSets, pods }: CachedWorkloads): readonly Waited[] {
  return replicaSets
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((replicaSet) => {
      const own = podsOf(replicaSet, pods);
      const failure = replicaSet.status.conditions?.find(({ type }) => type === 'ReplicaFailure');
      const steps = [
        failure && `its next try, because the last one failed: ${failure.message}`,
        becomeReady(own, ''),
        ending(own),
      ].filter(Boolean);
      return steps.length === 0 ? [] : [waited('replicasets.apps', replicaSet, steps.join('; '))];
    });
}

function stepOf(deployment: Deployment, { replicaSets, pods }: CachedWorkloads): string {
  const { metadata, spec, status } = deployment;
  if (spec.paused) return '`kubectl rollout resume`, because it is paused';
  const own = replicaSets
    .filter((each) => controllerOf(each)?.uid === metadata.uid)
    .toSorted((a, b) => revisionOf(b) - revisionOf(a));
  const [newest, ...older] = own;
  if (!newest || (status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return 'its controller to see the new version';
  }
  const { name } = newest.metadata;
  const fresh = podsOf(newest, pods);
  const unready = becomeReady(fresh, ` of ${name}`);
  if (unready) return unready;
  const missing = newest.spec.replicas - fresh.filter(isActive).length;
  if (missing > 0) return `${countOf(missing)} of ${name} to be created`;
  const old = older.flatMap((each) => podsOf(each, pods));
  if (old.length > 0) return `${countOf(old.length, 'old')} to end (${named(old)})`;
  return `the status of ReplicaSet ${name}`;
}

function becomeReady(own: readonly Pod[], of: string): string | undefined {
  const unready = own.filter((pod) => isActive(pod) && !isReady(pod));
  return unready.length === 0
    ? undefined
    : `${countOf(unready.length)}${of} to become ready (${named(unready)})`;
}

function ending(own: readonly Pod[]): string | undefined {
  const leaving = own.filter((pod) => !isActive(pod));
  return leaving.length === 0 ? undefined : `${countOf(leaving.length)} to end (${named(leaving)})`;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go DeploymentTimedOut */
function deadlineOf({ spec, status }: Deployment, clockMs: number): string | undefined {
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  if (!progressing || spec.progressDeadlineSeconds === undefined || spec.paused) return undefined;
  if (progressing.reason === 'ProgressDeadlineExceeded') return 'its progress deadline has passed';
  if (progressing.reason === 'NewReplicaSetAvailable') return undefined;
  const leftMs =
    Date.parse(progressing.lastUpdateTime ?? '') + spec.progressDeadlineSeconds * 1_000 - clockMs;
  return leftMs > 0 ? `its progress deadline is in ${sayMs(leftMs)}` : undefined;
}

function podsOf({ metadata: { uid } }: ReplicaSet, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter((pod) => controllerOf(pod)?.uid === uid);
}

function isActive({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed'
  );
}

/** `web-1: ImagePullBackOff, web-2: Pending` */
function named(pods: readonly Pod[]): string {
  const more = pods.length - NAMED_MAX;
  const shown = pods.slice(0, NAMED_MAX).map((pod) => `${pod.metadata.name}: ${podRow(pod).status}`);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go RevisionAnnotation */
function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
}

function waited(resource: string, { metadata }: Deployment | ReplicaSet, text: string): Waited {
  const key = `${metadata.namespace}/${metadata.name}`;
  return { about: { subject: { kind: 'object', resource, key }, label: key }, text };
}
