import type { ClusterView, ComponentView, NodeView, PodView } from '../../protocol/view.ts';

/** A component that runs without news. */
export function component(name: string, part: NonNullable<ComponentView['part']>): ComponentView {
  return {
    name,
    part,
    owner: 'reference',
    state: 'running',
    starts: 1,
    queued: 0,
    caches: [
      { resource: 'pods', objects: 3, revision: 120, behind: 0, lag: 'none' },
      { resource: 'replicasets.apps', objects: 1, revision: 120, behind: 0, lag: 'none' },
    ],
    behind: 0,
    lag: 'none',
  };
}

/** A pod of the Deployment `web` that runs. */
export function pod(name: string, over: Partial<PodView> = {}): PodView {
  return {
    namespace: 'default',
    name,
    uid: `uid of ${name}`,
    status: 'Running',
    phase: 'Running',
    isReady: true,
    isTerminating: false,
    restarts: 0,
    node: 'node-1',
    deployment: 'web',
    containers: [
      {
        name: 'nginx',
        image: 'nginx:1.25',
        kind: 'main',
        state: 'running',
        isReady: true,
        restarts: 0,
        probes: ['readiness'],
      },
    ],
    ...over,
  };
}

/** A node with its processes and pods. */
export function node(name: string, over: Partial<NodeView> = {}): NodeView {
  return {
    name,
    ready: 'True',
    isPowered: true,
    isPartitioned: false,
    isCordoned: false,
    taints: [],
    pressures: [],
    diskUsedPercent: 30,
    components: [component(`kubelet-${name}`, 'kubelet'), component(`kube-proxy-${name}`, 'serviceProxy')],
    pods: [],
    ...over,
  };
}

/** A cluster with the Deployment and the Service `web`. */
export function clusterView(over: Partial<ClusterView> = {}): ClusterView {
  return {
    atMs: 0,
    revision: 120,
    apiservers: [{ index: 0, isUp: true, cacheRevision: 120 }],
    components: [
      component('replicaset-controller', 'replicaSetController'),
      component('default-scheduler', 'scheduler'),
    ],
    nodes: [node('node-1', { pods: [pod('web-1')] }), node('node-2', { isPowered: false, isCordoned: true })],
    pending: [],
    deployments: [
      {
        namespace: 'default',
        name: 'web',
        desired: 3,
        updated: 3,
        ready: 3,
        available: 3,
        isPaused: false,
        isComplete: true,
        replicaSets: [],
      },
    ],
    workloads: [],
    services: [
      {
        namespace: 'default',
        name: 'web',
        type: 'NodePort',
        clusterIP: '10.96.0.10',
        ports: ['80:30080/TCP'],
        endpoints: [],
      },
    ],
    faults: [],
    ...over,
  };
}
