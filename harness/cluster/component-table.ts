import type { Component, Components, NodeComponent } from '../contracts/component.ts';
import type { ScriptPod } from './nodes/pod-script.ts';
import { scriptedKubelet } from './nodes/scripted-kubelet.ts';
import { scriptedScheduler } from './nodes/scripted-scheduler.ts';
import type { Program } from './process.ts';

/** All that the rest of the workbook needs to know of one part of a cluster. Its port is its type in {@link Components}. */
export interface ComponentRow {
  /** The kata that builds it, and the folder of its solution: `24-deployment`. */
  readonly kata: string;
  /** What the kata exports to fill it in: `deploymentController`. Absent while no solution does. */
  readonly subject?: string;
  /** The process it runs as. Absent for a part that other components work with, and that is no process of its own. */
  readonly process?: ProcessRow;
}

/** How a component runs, and how it is told of. */
interface ProcessRow {
  /**
   * The process's name as upstream has it. On each node, the node's name follows: `kubelet-node-1`.
   *
   * @see Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/names/controller_names.go
   */
  readonly name: string;
  /** `cluster`: one process. `node`: one process on each node. */
  readonly once: 'cluster' | 'node';
  /** In one word, for a narrow column: `deployment`. */
  readonly word: string;
  /**
   * What the process is doing when it tells of something, by the reason that it tells. With it the events are written in
   * events.k8s.io, without it in the core group.
   */
  readonly actions?: Readonly<Record<string, string>>;
  /** What plays it where it is not built, or is more than a test needs. */
  readonly standIn?: StandIn;
  /** Does a whole cluster do without it where it is not built? @defaultValue false */
  readonly optional?: boolean;
}

/** A script that plays a component as far as the others can see it. */
interface StandIn {
  /** The name of its process, where that is not the component's own. On each node, the node's name follows. */
  readonly name?: string;
  /** Call it once a process: what it returns may hold what outlives that. */
  readonly program: (options: StandInOptions) => Program;
}

/** What a stand-in is told. */
export interface StandInOptions {
  /** The node that it runs on; empty for one that runs once. */
  readonly node: string;
  /** What becomes of pods. @defaultValue they become ready within a second, but `…:broken` never does */
  readonly script?: ScriptPod;
}

/** The parts that run as one process in a cluster. */
export type ComponentName = PartOf<Component>;

/** The parts that run as one process on each node. */
export type NodeComponentName = PartOf<NodeComponent>;

/** Those parts whose port is exactly `Port`. */
type PartOf<Port> = {
  [K in keyof Components]-?: Port extends Required<Components>[K]
    ? Required<Components>[K] extends Port
      ? K
      : never
    : never;
}[keyof Components];

/**
 * The table of components, in the order in which the katas stand, one row each. A new component is a row here, its port in
 * {@link Components}, and a line in `solutions/components.ts` and `katas/components.ts`.
 */
export const componentTable: Readonly<Record<keyof Components, ComponentRow>> = {
  informer: { kata: '21-informer', subject: 'createInformer' },
  workQueue: { kata: '22-workqueue', subject: 'newWorkQueue' },
  workers: { kata: '22-workqueue', subject: 'runWorkers' },
  replicaSetController: {
    kata: '23-replicaset',
    subject: 'replicaSetController',
    process: { name: 'replicaset-controller', once: 'cluster', word: 'replicaset' },
  },
  deploymentController: {
    kata: '24-deployment',
    subject: 'deploymentController',
    process: { name: 'deployment-controller', once: 'cluster', word: 'deployment' },
  },
  garbageCollector: {
    kata: '25-garbage-collector',
    subject: 'garbageCollector',
    process: { name: 'garbage-collector-controller', once: 'cluster', word: 'collector' },
  },
  filtering: { kata: '31-filter', subject: 'filtering' },
  scoring: { kata: '32-score', subject: 'scoring' },
  scheduler: {
    kata: '33-bind',
    subject: 'scheduler',
    process: {
      // Its events are from the scheduler that pods name, not from the program that it runs in.
      name: 'default-scheduler',
      once: 'cluster',
      word: 'scheduler',
      // Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.bindingCycle,
      // Scheduler.handleSchedulingFailure
      actions: { Scheduled: 'Binding', FailedScheduling: 'Scheduling' },
      standIn: { name: 'scheduler', program: () => scriptedScheduler },
    },
  },
  kubelet: {
    kata: '41-kubelet',
    subject: 'kubelet',
    process: { name: 'kubelet', once: 'node', word: 'kubelet', standIn: { program: scriptedKubelet } },
  },
  probeManager: { kata: '42-probes', subject: 'newProbeManager' },
  imageManager: { kata: '43-images', subject: 'newImageManager' },
  volumeManager: { kata: '44-volumes', subject: 'newVolumeManager' },
  ipam: { kata: '51-ipam', subject: 'hostLocal' },
  podNetwork: { kata: '52-pod-network', subject: 'bridge' },
  routeController: {
    kata: '52-pod-network',
    subject: 'routeController',
    process: { name: 'kube-flannel', once: 'node', word: 'flannel', optional: true },
  },
  endpointSliceController: {
    kata: '53-endpoints',
    subject: 'endpointSliceController',
    process: { name: 'endpointslice-controller', once: 'cluster', word: 'slices', optional: true },
  },
  endpointsController: {
    kata: '53-endpoints',
    subject: 'endpointsController',
    process: { name: 'endpoints-controller', once: 'cluster', word: 'endpoints', optional: true },
  },
  serviceProxy: {
    kata: '54-service-proxy',
    subject: 'serviceProxy',
    process: { name: 'kube-proxy', once: 'node', word: 'proxy', optional: true },
  },
  dns: { kata: '55-dns', subject: 'newKubernetesDns' },
  nodeIpamController: {
    kata: '56-node-ipam',
    subject: 'nodeIpamController',
    process: { name: 'node-ipam-controller', once: 'cluster', word: 'ipam', optional: true },
  },
};

/** The row of a part that is a process. @throws Error when it is none */
export function processOf(part: ComponentName | NodeComponentName): ProcessRow {
  const { process } = componentTable[part];
  if (process) return process;
  throw new Error(`Failed to run ${part}: the table of components gives it no process.`);
}

/**
 * The component that a process of this name is, or stands in for; undefined for a user, say `kubectl`.
 *
 * @param actor as in traces and in the journal: `deployment-controller`, `kubelet-node-1`
 */
export function processCalled(actor: string): ProcessRow | undefined {
  return rows.find(({ name, once, standIn }) =>
    [name, standIn?.name ?? name].some((one) =>
      once === 'node' ? actor === one || actor.startsWith(`${one}-`) : actor === one,
    ),
  );
}

/** Of several processes on nodes, what they are together: `kubelet-node-1` is `kubelet`. Every other name as it is. */
export function roleOf(actor: string): string {
  const row = processCalled(actor);
  return row?.once === 'node' ? row.name : actor;
}

const rows = Object.values(componentTable).flatMap(({ process }) => process ?? []);
