import type * as core from '#api/core/v1';
import { deepFreeze } from '../../api/freeze.ts';
import type { Labels } from '../../api/label-selector.ts';
import type { Node, Pod } from '../../api/objects.ts';
import { NodeInfo, type ResourceList, Snapshot } from '../../contracts/framework/index.ts';
import { formatTime } from '../../sim/index.ts';

/** When everything begins: the day Kubernetes 1.34 came out. */
const START_MS = Date.UTC(2025, 7, 27);

/** What a container runs where it does not matter. */
export const PLAIN_IMAGE = 'nginx:1';

/** What an example says of a pod; the rest is plain. */
export interface SchedulingPodParts {
  /** @defaultValue pod */
  readonly name?: string;
  /** @defaultValue default */
  readonly namespace?: string;
  /** @defaultValue made of namespace and name */
  readonly uid?: string;
  readonly labels?: Labels;
  /** What its container asks for. @defaultValue nothing */
  readonly requests?: ResourceList;
  /** The ports of its container. @defaultValue none */
  readonly ports?: readonly Partial<core.ContainerPort>[];
  /** Where it runs. @defaultValue nowhere yet */
  readonly nodeName?: string;
  /** It is being deleted. */
  readonly deleted?: boolean;
  /** Seconds since everything began. @defaultValue 0 */
  readonly created?: number;
  /** Whatever else it says; its `containers` replace the one that `requests` and `ports` are of. */
  readonly spec?: Partial<core.PodSpec>;
}

/**
 * Pods, nodes and snapshots as examples of scheduling need them: complete, frozen, and plain except for what an example is about.
 *
 * A pod with one container, that asks for nothing unless it says so.
 */
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

/** What an example says of a node; the rest is plain. */
export interface SchedulingNodeParts {
  readonly labels?: Labels;
  readonly taints?: readonly core.Taint[];
  /** Cordoned, or said not to be; when absent, nothing is said. */
  readonly unschedulable?: boolean;
  /** @defaultValue 4 cpu, 8Gi memory, 110 pods */
  readonly allocatable?: ResourceList;
  /** Images that are there already. @defaultValue none */
  readonly images?: readonly core.ContainerImage[];
}

/** A node with room for a few pods. It has the labels that are given and no others, not even its hostname. */
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
      // More than may be given away: the machine keeps something for itself.
      capacity: { ...allocatable, cpu: '64', memory: '256Gi', pods: '500' } as Record<string, string>,
      allocatable: { ...allocatable } as Record<string, string>,
      ...(images ? { images: structuredClone([...images]) } : {}),
    },
  });
}

/**
 * All nodes at one moment, in the order given.
 *
 * @param pods each on the node that it names
 * @param namespaces the labels of each namespace
 * @throws Error when a pod names no node of these: it would be nowhere in the snapshot
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
