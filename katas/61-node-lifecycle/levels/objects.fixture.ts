/** Nodes, Leases and pods, as a server returns them. */
import type { core, Lease, Node, Pod } from '#harness';

/** The creation time of every object, in ms since 1970 and as text. */
export const T0 = Date.parse('2024-04-17T00:00:00Z');
export const CREATED = '2024-04-17T00:00:00Z';

/** Returns the time some seconds after {@link T0}, in ms since 1970. */
export const at = (seconds: number): number => T0 + seconds * 1_000;

/** The parts of a node that matter here. */
export interface NodeParts {
  /** Status of the condition `Ready`; `null`: the node has no such condition. @defaultValue True */
  readonly ready?: string | null;
  /** `lastHeartbeatTime` of this condition. */
  readonly heartbeat?: string;
  /** The other conditions. */
  readonly conditions?: readonly core.NodeCondition[];
  readonly taints?: readonly core.Taint[];
  readonly zone?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly unschedulable?: boolean;
}

/** Returns the spec and the status of a node. */
export function nodeContents(parts: NodeParts) {
  const { ready = 'True', heartbeat = CREATED, conditions = [], taints, zone, unschedulable } = parts;
  const readyCondition = { type: 'Ready', status: ready ?? '', lastHeartbeatTime: heartbeat };
  return {
    labels: { ...(zone !== undefined && { 'topology.kubernetes.io/zone': zone }), ...parts.labels },
    spec: { ...(taints && { taints: [...taints] }), ...(unschedulable && { unschedulable }) },
    status: { conditions: [...conditions, ...(ready === null ? [] : [readyCondition])] },
  };
}

export function aNode(name: string, parts: NodeParts = {}): Node {
  const { labels, ...contents } = nodeContents(parts);
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: CREATED, labels };
  return { apiVersion: 'v1', kind: 'Node', metadata, ...contents };
}

export function aLease(renewTime: string): Lease {
  const metadata = { namespace: 'kube-node-lease', name: 'node-1', uid: 'uid-lease', resourceVersion: '1' };
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...metadata, creationTimestamp: CREATED },
    spec: { holderIdentity: 'node-1', leaseDurationSeconds: 40, renewTime },
  };
}

/** The parts of a pod that matter here. */
export interface PodParts {
  readonly nodeName?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly deleting?: boolean;
  readonly createdMs?: number;
}

export function aPod(
  name: string,
  { nodeName, phase, reason, deleting, createdMs = T0 }: PodParts = {},
): Pod {
  const creationTimestamp = new Date(createdMs).toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      name,
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp,
      ...(deleting && { deletionTimestamp: CREATED }),
    },
    spec: { containers: [{ name: 'main', image: 'nginx' }], ...(nodeName && { nodeName }) },
    status: { ...(phase !== undefined && { phase }), ...(reason !== undefined && { reason }) },
  };
}
