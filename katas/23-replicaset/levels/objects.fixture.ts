import { formatTime, type KubeObject, type OwnerReference, type Pod, type ReplicaSet } from '#harness';
import type { ReplicaSetStatus } from '#kata/23-replicaset/replicaset';

/** The current time in tests without a cluster. */
export const NOW_MS = Date.UTC(2024, 3, 17);
/** Returns a timestamp this long before {@link NOW_MS}. */
export const secondsAgo = (seconds: number) => formatTime(NOW_MS - seconds * 1_000);

/** The labels of an object, or of a selector. */
export type Labels = Readonly<Record<string, string>>;
/** The default labels of an object. */
export const LABELS: Labels = { app: 'web' };

/** The parts of a pod that a test sets; the rest has defaults. */
export interface PodParts {
  readonly name?: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly deletionTimestamp?: string | boolean;
  readonly ownerReferences?: readonly OwnerReference[];
  /** `null`: none. @defaultValue Running */
  readonly phase?: string | null;
  readonly nodeName?: string;
  readonly ready?: boolean;
  /** `null`: the time is unknown. @defaultValue 60 */
  readonly readyAgeSeconds?: number | null;
  /** `null`: it has no creation time. @defaultValue 3600 */
  readonly ageSeconds?: number | null;
  readonly restarts?: number;
  readonly containerRestarts?: readonly number[];
  readonly deletionCost?: number | string;
}

/** The one container of every pod. */
export const container = { name: 'web', image: 'nginx' };

/** Counts versions, so that no two pods have the same. */
let revision = 0;

/** Returns a pod with these parts. */
export function aPod(parts: PodParts = {}): Pod {
  const { name = 'pod', uid = `uid-of-${name}`, namespace = 'default', labels = LABELS } = parts;
  const { deletionTimestamp, ownerReferences, phase = 'Running', nodeName, ready, deletionCost } = parts;
  const { readyAgeSeconds = 60, ageSeconds = 3_600, restarts = 0, containerRestarts = [restarts] } = parts;
  const gone = deletionTimestamp === true ? secondsAgo(1) : deletionTimestamp || undefined;
  const condition = {
    type: 'Ready',
    status: ready ? 'True' : 'False',
    ...(readyAgeSeconds === null ? {} : { lastTransitionTime: secondsAgo(readyAgeSeconds) }),
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(++revision),
      labels: { ...labels },
      ...(ageSeconds === null ? {} : { creationTimestamp: secondsAgo(ageSeconds) }),
      ...(gone === undefined ? {} : { deletionTimestamp: gone }),
      ...(ownerReferences ? { ownerReferences: [...ownerReferences] } : {}),
      ...(deletionCost === undefined
        ? {}
        : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(deletionCost) } }),
    },
    spec: { containers: [container], ...(nodeName === undefined ? {} : { nodeName }) },
    status: {
      ...(phase === null ? {} : { phase }),
      ...(ready === undefined ? {} : { conditions: [{ type: 'PodScheduled', status: 'True' }, condition] }),
      containerStatuses: containerRestarts.map((restartCount, i) => ({
        name: `c${i}`,
        image: 'nginx',
        imageID: '',
        ready: ready ?? false,
        restartCount,
      })),
    },
  };
  return pod as unknown as Pod;
}

/** The parts of a ReplicaSet that a test sets; the rest has defaults. */
export interface ReplicaSetParts {
  readonly name?: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly deletionTimestamp?: string;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Labels;
  readonly template?: ReplicaSet['spec']['template'];
  readonly status?: ReplicaSetStatus;
  readonly generation?: number;
}

/** Returns a ReplicaSet with these parts. */
export function aReplicaSet(parts: ReplicaSetParts = {}): ReplicaSet {
  const { name = 'web', uid = `uid-of-${name}`, namespace = 'default', deletionTimestamp } = parts;
  const { replicas = 1, minReadySeconds, selector = LABELS, status = { replicas: 0 } } = parts;
  const { template = { metadata: { labels: { ...selector } }, spec: { containers: [container] } } } = parts;
  const replicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: '1',
      generation: parts.generation ?? 1,
      creationTimestamp: secondsAgo(7_200),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { matchLabels: { ...selector } },
      template,
    },
    status,
  };
  return replicaSet as unknown as ReplicaSet;
}

/** Returns the owner reference of a controller with this uid. */
export const owner = (uid = 'uid-of-web', name = 'web', kind = 'ReplicaSet'): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** Returns the names of these objects, in their order. */
export const namesOf = (all: readonly KubeObject[]): string[] => all.map(({ metadata }) => metadata.name);
