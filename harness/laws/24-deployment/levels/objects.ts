import type * as apps from '#api/apps/v1';
import { deepFreeze } from '../../../api/freeze.ts';
import type { IntOrString } from '../../../api/intstr.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../api/objects.ts';
import { formatTime } from '../../../sim/index.ts';
import { HASH_LABEL } from '../oracle/truth.ts';

/** The start of virtual time: the release day of Kubernetes 1.30. */
const START_MS = Date.UTC(2024, 3, 17);

/** The parts of a Deployment that an example sets; the rest has defaults. */
export interface DeploymentParts {
  /** @defaultValue web */
  readonly name?: string;
  /** @defaultValue 10 */
  readonly replicas?: number;
  /** @defaultValue RollingUpdate */
  readonly strategy?: 'RollingUpdate' | 'Recreate';
  /** @defaultValue 0 */
  readonly maxSurge?: IntOrString;
  /** @defaultValue 0 */
  readonly maxUnavailable?: IntOrString;
  /** @defaultValue nginx:1 */
  readonly image?: string;
  readonly paused?: boolean;
  /** @defaultValue absent: 0 */
  readonly minReadySeconds?: number;
  /** @defaultValue 600; `null`: absent */
  readonly progressDeadlineSeconds?: number | null;
  /** @defaultValue 10 */
  readonly revisionHistoryLimit?: number;
  /** @defaultValue 1 */
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: apps.DeploymentStatus;
}

/**
 * Deployments, ReplicaSets and pods as examples need them: complete, frozen, and plain except for what an example is about.
 */
export function aDeployment(parts: DeploymentParts = {}): Deployment {
  const { name = 'web', replicas = 10, strategy = 'RollingUpdate', image = 'nginx:1' } = parts;
  const { maxSurge = 0, maxUnavailable = 0, revisionHistoryLimit = 10 } = parts;
  const { progressDeadlineSeconds = 600, generation = 1, annotations, status = {} } = parts;
  const { paused, minReadySeconds } = parts;
  return deepFreeze({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...metaOf(name, 0),
      generation,
      ...(annotations ? { annotations: { ...annotations } } : {}),
    },
    spec: {
      replicas,
      strategy:
        strategy === 'Recreate'
          ? { type: strategy }
          : { type: strategy, rollingUpdate: { maxSurge, maxUnavailable } },
      revisionHistoryLimit,
      // The server sets a default; only an object that never reached a server lacks it.
      ...(progressDeadlineSeconds === null
        ? ({} as { progressDeadlineSeconds: number })
        : { progressDeadlineSeconds }),
      ...(paused === undefined ? {} : { paused }),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { matchLabels: { app: name } },
      template: templateOf(image, { app: name }),
    },
    status,
  });
}

/** The parts of a ReplicaSet that an example sets; the rest has defaults. */
export interface ReplicaSetParts {
  /** @defaultValue 0 */
  readonly replicas?: number;
  /** The reported replicas. @defaultValue `replicas` */
  readonly reported?: number;
  /** @defaultValue all that it reports */
  readonly available?: number;
  /** @defaultValue those that are available */
  readonly ready?: number;
  /** Seconds since everything began. @defaultValue 1 */
  readonly created?: number;
  /** @defaultValue the ReplicaSet's name, which no Deployment has */
  readonly image?: string;
  /** @defaultValue web */
  readonly of?: string;
  /** @defaultValue the ReplicaSet's name */
  readonly hash?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deleted?: boolean;
  /** @defaultValue 1 */
  readonly generation?: number;
  /** @defaultValue `generation` */
  readonly observedGeneration?: number;
  readonly conditions?: readonly apps.ReplicaSetCondition[];
}

/** A ReplicaSet that the Deployment `web` controls. */
export function aReplicaSet(name: string, parts: ReplicaSetParts = {}): ReplicaSet {
  const { replicas = 0, reported = replicas, available = reported, ready = available } = parts;
  const { created = 1, image = name, of = 'web', hash = name, generation = 1 } = parts;
  const { observedGeneration = generation, annotations, deleted, conditions } = parts;
  const labels = { app: of, [HASH_LABEL]: hash };
  return deepFreeze({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      ...metaOf(name, created),
      generation,
      labels,
      ...(annotations ? { annotations: { ...annotations } } : {}),
      ...(deleted ? { deletionTimestamp: formatTime(START_MS + 3_600_000) } : {}),
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: of,
          uid: uidOf(of),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { replicas, selector: { matchLabels: labels }, template: templateOf(image, labels) },
    status: {
      replicas: reported,
      readyReplicas: ready,
      availableReplicas: available,
      observedGeneration,
      ...(conditions ? { conditions: [...conditions] } : {}),
    },
  });
}

/** Returns a pod in this phase, not being deleted by default. */
export function aPod(name: string, phase: string, { deleted = false } = {}): Pod {
  return deepFreeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metaOf(name, 2),
      ...(deleted ? { deletionTimestamp: formatTime(START_MS + 3_600_000) } : {}),
    },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
    status: { phase },
  });
}

/** A template of one container, with these labels. */
export function templateOf(
  image: string,
  labels: Readonly<Record<string, string>>,
): Deployment['spec']['template'] {
  return { metadata: { labels: { ...labels } }, spec: { containers: [{ name: 'web', image }] } };
}

function metaOf(name: string, createdSeconds: number) {
  return {
    namespace: 'default',
    name,
    uid: uidOf(name),
    resourceVersion: '1',
    creationTimestamp: formatTime(START_MS + createdSeconds * 1_000),
  };
}

function uidOf(name: string): string {
  return `uid-of-${name}`;
}
