import type * as core from '#api/core/v1';
import { deepFreeze } from '../../../api/freeze.ts';
import type { Labels } from '../../../api/label-selector.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { NodeInfo, type ResourceList, Snapshot } from '../../../contracts/framework/index.ts';
import { formatTime } from '../../../sim/index.ts';

/** The creation time of nodes: the day of the release of Kubernetes 1.34. */
const START_MS = Date.UTC(2025, 7, 27);

/** The image of a container if the example does not depend on it. */
export const PLAIN_IMAGE = 'nginx:1';

/** Fields of a pod that an example sets; the others have defaults. */
export interface SchedulingPodParts {
  /** @defaultValue pod */
  readonly name?: string;
  /** @defaultValue default */
  readonly namespace?: string;
  /** @defaultValue derived from namespace and name */
  readonly uid?: string;
  readonly labels?: Labels;
  /** The requests of its container. @defaultValue none */
  readonly requests?: ResourceList;
  /** The ports of its container. @defaultValue none */
  readonly ports?: readonly Partial<core.ContainerPort>[];
  /** The node that it runs on. @defaultValue none */
  readonly nodeName?: string;
  /** Whether it has a deletion timestamp. */
  readonly deleted?: boolean;
  /** The creation time, in seconds after {@link START_MS}. @defaultValue 0 */
  readonly created?: number;
  /** Other fields of the spec. Its `containers` replace the container with `requests` and `ports`. */
  readonly spec?: Partial<core.PodSpec>;
}

/** Returns a complete, frozen pod with one container, which requests nothing by default. */
export function aSchedulingPod(parts: SchedulingPodParts = {}): Pod {
  const { name = 'pod', namespace = 'default', uid = `uid-of-${namespace}/${name}`, labels } = parts;
  const { requests, ports, nodeName, deleted, created = 0, spec } = parts;
  return deepFreeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metaOf(name, uid, created),
      namespace,
      ...(labels ? { labels: { ...labels } } : {}),
      ...(deleted ? { deletionTimestamp: formatTime(START_MS + 3_600_000) } : {}),
    },
    spec: {
      containers: [
        {
          name: 'main',
          image: PLAIN_IMAGE,
          ...(requests ? { resources: { requests: { ...requests } as Record<string, string> } } : {}),
          ...(ports ? { ports: ports.map((port) => ({ containerPort: 80, ...port })) } : {}),
        },
      ],
      ...(nodeName === undefined ? {} : { nodeName }),
      ...structuredClone(spec),
    },
    status: { phase: nodeName ? 'Running' : 'Pending' },
  });
}

/** Fields of a node that an example sets; the others have defaults. */
export interface SchedulingNodeParts {
  readonly labels?: Labels;
  readonly taints?: readonly core.Taint[];
  /** Whether the node is cordoned. @defaultValue absent in the spec */
  readonly unschedulable?: boolean;
  /** @defaultValue 4 cpu, 8Gi memory, 110 pods */
  readonly allocatable?: ResourceList;
  /** Images that the node has already pulled. @defaultValue none */
  readonly images?: readonly core.ContainerImage[];
}

/** Returns a node with room for a few pods. It has only the labels in `parts`, without even its hostname. */
export function aSchedulingNode(name: string, parts: SchedulingNodeParts = {}): Node {
  const { labels, taints, unschedulable, images } = parts;
  const { allocatable = { cpu: '4', memory: '8Gi', pods: '110' } } = parts;
  return deepFreeze({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...metaOf(name, `uid-of-${name}`, 0), ...(labels ? { labels: { ...labels } } : {}) },
    spec: {
      ...(taints ? { taints: structuredClone([...taints]) } : {}),
      ...(unschedulable === undefined ? {} : { unschedulable }),
    },
    status: {
      // The capacity is larger than the allocatable amount: the system reserves the rest.
      capacity: { ...allocatable, cpu: '64', memory: '256Gi', pods: '500' } as Record<string, string>,
      allocatable: { ...allocatable } as Record<string, string>,
      ...(images ? { images: structuredClone([...images]) } : {}),
    },
  });
}

/**
 * Returns a snapshot of the nodes, in their order.
 *
 * @param pods the running pods; `spec.nodeName` names the node of each
 * @param namespaces the labels of each namespace
 * @throws Error when `spec.nodeName` of a pod names none of the nodes, so that the snapshot would lack the pod
 */
export function aSnapshot(
  nodes: readonly Node[],
  pods: readonly Pod[] = [],
  namespaces: Readonly<Record<string, Labels>> = {},
): Snapshot {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  for (const { metadata, spec } of pods) {
    if (names.has(spec.nodeName ?? '')) continue;
    throw new Error(
      `Failed to make a snapshot: the pod ${metadata.name} is on node "${spec.nodeName ?? ''}", and there are only ${[...names].join(', ')}.`,
    );
  }
  return new Snapshot(
    nodes.map((node) =>
      NodeInfo.of(
        node,
        pods.filter(({ spec }) => spec.nodeName === node.metadata.name),
      ),
    ),
    { namespaces: new Map(Object.entries(namespaces)) },
  );
}

function metaOf(name: string, uid: string, createdSeconds: number) {
  return {
    name,
    uid,
    resourceVersion: '1',
    creationTimestamp: formatTime(START_MS + createdSeconds * 1_000),
  };
}
