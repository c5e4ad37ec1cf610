import type {
  DaemonSet,
  Deployment,
  Job,
  KubeObject,
  PersistentVolumeClaim,
  Pod,
} from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { groupVersion, pods, type Resource, resources } from '../../api/resource.ts';
import type { Storage } from '../../apiserver/storage/storage.ts';
import type { Manifested } from '../projects/projects.ts';
import type { App } from './apps.ts';

/** The state of an application after its apply. */
export interface Outcome {
  readonly name: string;
  /** The number of its objects. */
  readonly objects: number;
  /** The number of pods that are ready or have succeeded, and of all pods in its namespaces, without those of CronJobs. */
  readonly pods: { readonly done: number; readonly all: number };
  /** Its objects that the cluster has not carried out: `Deployment web`. */
  readonly unfinished: readonly string[];
  /** The warnings about kinds without a controller. */
  readonly warnings: readonly string[];
}

/** Returns the state of an application in a cluster. @param warnings the warnings that its user has read */
export function outcomeOf(app: App, storage: Storage, warnings: readonly string[]): Outcome {
  const namespaces = namespacesOf(app);
  const own = (storage.list(pods) as Pod[]).filter(
    (pod) => namespaces.has(pod.metadata.namespace ?? '') && !isScheduled(pod, storage),
  );
  return {
    name: app.name,
    objects: app.objects.length,
    pods: { done: own.filter(isDone).length, all: own.length },
    unfinished: app.objects
      .filter((object) => !isFinished(storedOf(app, object, storage), own))
      .map(({ kind, metadata: { name } }) => `${kind} ${name}`),
    warnings,
  };
}

/** Returns whether a pod belongs to a Job of a CronJob. Their number depends on the time. */
function isScheduled(pod: Pod, storage: Storage): boolean {
  const uid = controllerOf(pod)?.uid;
  const job = storage.list(jobs).find(({ metadata }) => metadata.uid === uid);
  return job !== undefined && controllerOf(job)?.kind === 'CronJob';
}

/** Formats outcomes as a table, with the warnings and the unfinished objects below each row. */
export function textOf(outcomes: readonly Outcome[]): string {
  const blocks = outcomes.map(({ name, objects, pods: { done, all }, unfinished, warnings }) => {
    const count = all === 0 ? 'no pods' : `${done} of ${all} pods ready`;
    const lines = [
      `${name.padEnd(28)}${String(objects).padStart(3)} objects   ${count}`,
      ...unfinished.map((object) => `    waits: ${object}`),
      ...warnings.map((warning) => `    warns: ${warning}`),
    ];
    return `${lines.join('\n')}\n`;
  });
  return blocks.join('');
}

/** Returns the namespaces of an application's objects. */
export function namespacesOf({ objects, namespace }: App): ReadonlySet<string> {
  return new Set(objects.map(({ metadata }) => metadata.namespace ?? namespace));
}

/** Returns the stored form of an object; undefined for a custom resource, which nothing here acts on. */
function storedOf(
  { namespace }: App,
  { apiVersion, kind, metadata }: Manifested,
  storage: Storage,
): KubeObject | undefined {
  const resource = resources.find(
    (each: Resource) => each.kind === kind && groupVersion(each) === apiVersion,
  );
  if (!resource) return undefined;
  const within = resource.namespaced ? (metadata.namespace ?? namespace) : undefined;
  return storage
    .list(resource)
    .find((each) => each.metadata.name === metadata.name && each.metadata.namespace === within);
}

const isDone = (pod: Pod): boolean => isReady(pod) || pod.status.phase === 'Succeeded';

/**
 * Returns whether the cluster has carried out an object: its pods are ready, its Job is complete, its claim is bound.
 * A claim without pods may wait for its first consumer.
 *
 * @param own the pods of its application
 */
function isFinished(object: KubeObject | undefined, own: readonly Pod[]): boolean {
  const check = object && CHECKS[object.kind];
  return check === undefined || check(object as never, own);
}

type Replicated = Pick<Deployment, 'spec' | 'status'>;

const hasReadyReplicas = ({ spec, status }: Replicated): boolean =>
  (status?.readyReplicas ?? 0) === (spec.replicas ?? 1);

const claimsOf = ({ spec }: Pod): readonly string[] =>
  (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

const CHECKS: Readonly<Record<string, (object: never, own: readonly Pod[]) => boolean>> = {
  DaemonSet: ({ metadata, status }: DaemonSet) =>
    status?.observedGeneration === metadata.generation &&
    status?.numberReady === status?.desiredNumberScheduled,
  Deployment: ({ spec, status }: Deployment) => (status?.availableReplicas ?? 0) === (spec.replicas ?? 1),
  Job: ({ status }: Job) =>
    status?.conditions?.some(({ type, status: holds }) => type === 'Complete' && holds === 'True') ?? false,
  PersistentVolumeClaim: ({ metadata, status }: PersistentVolumeClaim, own) =>
    status?.phase === 'Bound' || !own.some((pod) => claimsOf(pod).includes(metadata.name)),
  Pod: isDone,
  ReplicaSet: hasReadyReplicas,
  ReplicationController: hasReadyReplicas,
  StatefulSet: hasReadyReplicas,
};
