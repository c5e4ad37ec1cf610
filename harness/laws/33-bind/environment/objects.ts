import type * as core from '#api/core/v1';
import type { New, Node, Pod } from '../../../api/objects.ts';
import { NAMESPACE, type NodeIndex, type NodePlan, type PodPlan, PROCESS, type Wish } from '../operations.ts';

/** The label that names the node itself. */
export const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** A taint that only some pods tolerate. */
export const DEDICATED: core.Taint = { key: 'dedicated', value: 'db', effect: 'NoSchedule' };
/** The finalizer that keeps a deleted pod in the API. */
const HOLD = 'example.com/hold';

/** Returns the name of the node with this index: `node-1` for 0. */
export function nodeNameOf(index: NodeIndex): string {
  return `node-${index + 1}`;
}

/** Returns the node of a plan. */
export function nodeOf(index: NodeIndex, { cpu, pods, disk }: NodePlan): New<Node> {
  const name = nodeNameOf(index);
  const amounts = { cpu: `${cpu}m`, memory: '8Gi', pods: String(pods) };
  return {
    metadata: { name, labels: { [HOSTNAME]: name, [ZONE]: index < 2 ? 'a' : 'b', disk } },
    spec: {},
    status: { capacity: amounts, allocatable: amounts },
  };
}

/** Returns the pod of a plan, without a node. */
export function podOf(name: string, plan: PodPlan): New<Pod> {
  const { cpu, priority, app, wish, kind } = plan;
  return {
    metadata: {
      namespace: NAMESPACE,
      name,
      labels: { app },
      ...(kind === 'held' ? { finalizers: [HOLD] } : {}),
    },
    spec: {
      schedulerName: kind === 'theirs' ? 'another-scheduler' : PROCESS,
      priority,
      containers: [containerOf(cpu, wish === 'port' ? [{ containerPort: 80, hostPort: 80 }] : [])],
      ...(kind === 'gated' ? { schedulingGates: [{ name: 'example.com/wait' }] } : {}),
      ...wished(wish, app),
    },
  };
}

/** Returns a pod that tolerates all taints, placed on a node or with a selector for it. */
export function podFor(node: string, name: string, cpu: number, how: 'placed' | 'wishing'): New<Pod> {
  return {
    metadata: { namespace: NAMESPACE, name, labels: { app: 'filler' } },
    spec: {
      ...(how === 'placed' ? { nodeName: node } : { nodeSelector: { [HOSTNAME]: node } }),
      schedulerName: PROCESS,
      priority: 0,
      tolerations: [{ operator: 'Exists' }],
      containers: [containerOf(cpu)],
    },
  };
}

function containerOf(cpu: number, ports: core.ContainerPort[] = []): core.Container {
  return {
    name: 'main',
    image: 'nginx:1.27',
    ...(ports.length > 0 ? { ports } : {}),
    ...(cpu > 0 ? { resources: { requests: { cpu: `${cpu}m` } } } : {}),
  };
}

function wished(wish: Wish, app: string): Partial<core.PodSpec> {
  const kin = { matchLabels: { app } };
  switch (wish) {
    case 'ssd':
      return { nodeSelector: { disk: 'ssd' } };
    case 'zone-a':
      return { nodeSelector: { [ZONE]: 'a' } };
    case 'alone': {
      const term = { labelSelector: kin, topologyKey: HOSTNAME };
      return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    }
    case 'near-db': {
      const term = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: ZONE };
      return { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    }
    case 'spread':
      return {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: kin },
        ],
      };
    case 'tolerant':
      return { tolerations: [{ operator: 'Exists' }] };
    default:
      return {};
  }
}
