import { formatTime, type KubeObject, type OwnerReference, type Pod, type ReplicaSet } from '#harness';
import type { ReplicaSetStatus } from '#kata/23-replicaset/replicaset';

/** Now, wherever a test has no cluster to tell the time. */
export const NOW_MS = Date.UTC(2024, 3, 17);
/** A timestamp so long before {@link NOW_MS}. */
export const secondsAgo = (seconds: number) => formatTime(NOW_MS - seconds * 1_000);

/** The labels of an object, or what a selector asks for. */
export type Labels = Readonly<Record<string, string>>;
/** The labels of an object when a test does not say. */
export const LABELS: Labels = { app: 'web' };

/** What a test says of a pod; the rest is like any other. */
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
  /** `null`: since when is not known. @defaultValue 60 */
  readonly readyAgeSeconds?: number | null;
  /** `null`: it does not say when it was created. @defaultValue 3600 */
  readonly ageSeconds?: number | null;
  readonly restarts?: number;
  readonly containerRestarts?: readonly number[];
  readonly deletionCost?: number | string;
}

/** The one container of every pod. */
export const container = { name: 'web', image: 'nginx' };

/** No two pods are of one version. */
let revision = 0;

/** A pod of one's own making: what is not said is plain. */
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

/** What a test says of a ReplicaSet; the rest is like any other. */
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

/** A ReplicaSet as a cache holds it. */
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

/** What says that a ReplicaSet of this uid controls a pod. */
export const owner = (uid = 'uid-of-web', name = 'web', kind = 'ReplicaSet'): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The names of these objects, in their order. */
export const namesOf = (all: readonly KubeObject[]): string[] => all.map(({ metadata }) => metadata.name);
