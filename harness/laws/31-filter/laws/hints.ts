import fc from 'fast-check';
import type { Labels } from '../../../api/label-selector.ts';
import type { KubeObject, Node, Pod } from '../../../api/objects.ts';
import {
  type ClusterEvent,
  type Filtering,
  type FilterPlugin,
  isRejected,
  matches,
  type QueueingHint,
} from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';
import { nodes } from '../../scheduling/scenario/clusters.ts';
import { demanding, pods } from '../../scheduling/scenario/demands.ts';
import { defined, HOSTNAME, ZONE } from '../../scheduling/scenario/parts.ts';
import { type SchedulingCluster, sayNode, sayPod } from '../../scheduling/simulation.ts';
import type { Ground } from '../scenario.ts';
import { type Answers, ask, filterLaw, say } from './asking.ts';

/** A cluster before an event. */
interface Eve {
  readonly cluster: SchedulingCluster;
  /** A node that is added, or whose parts other nodes get. */
  readonly node: Node;
  /** A pod that is added on the first node, or whose labels other pods get. */
  readonly pod: Pod;
}

const eves = (ground: Ground): fc.Arbitrary<Eve> =>
  fc
    .record({
      cluster: fc.oneof({ weight: 1, arbitrary: ground.usual }, { weight: 2, arbitrary: ground.sparse }),
      node: nodes.map((make) => make('node-new')),
      pod: pods(demanding([], ground.demands, 1)),
    })
    .map(({ pod, ...eve }) => {
      const [first] = eve.cluster.nodes;
      const whole = { ...eve, pod: pod({ name: 'pod-new', nodeName: first?.metadata.name ?? '' }) };
      return described(whole, () => [
        String(eve.cluster),
        `added, or the new version: node ${sayNode(whole.node)}`,
        `and: ${sayPod(whole.pod)}`,
      ]);
    });

/** A change of one object in one respect. */
interface Change {
  readonly event: ClusterEvent;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
  /** The cluster after the change. */
  readonly cluster: SchedulingCluster;
}

/**
 * If a plugin accepts the pod after an event on a node where it rejected the pod before, the plugin has registered for that event, and
 * its hint returns `Queue`. The hint may return `Queue` more often.
 */
export const wakesThePodsItHelps = (ground: Ground): PureLaw<Filtering, Eve> =>
  filterLaw(ground, {
    inputs: eves(ground),
    runs: 3,
    violation({ plugins }, eve) {
      const snapshot = eve.cluster.snapshot();
      const stuck = plugins.flatMap((plugin) => {
        const told = ask(plugin, eve.cluster, snapshot);
        return [...told.values()].some(isRejected) ? [{ plugin, told }] : [];
      });
      for (const change of changesOf(eve)) {
        const then = change.cluster.snapshot();
        for (const { plugin, told } of stuck) {
          const [helped] = helpedOn(told, ask(plugin, change.cluster, then));
          if (helped === undefined || hintOf(plugin, eve.cluster.pod, change) === 'Queue') continue;
          return (
            `${plugin.name} ${wasSaidOf(told, helped)}.\nThen this event happens: ${sayChange(change)}\n` +
            `and the plugin would accept the pod on ${helped}. But it is not registered for this event, or its hint returned QueueSkip: ` +
            'the pod keeps waiting.'
          );
        }
      }
      return undefined;
    },
  });

/** Returns the nodes that are accepted now and were rejected before, or did not exist. */
function helpedOn(before: Answers, after: Answers): readonly string[] {
  return [...after].flatMap(([name, status]) => {
    const was = before.get(name);
    return !isRejected(status) && (!was || isRejected(was)) ? [name] : [];
  });
}

function wasSaidOf(told: Answers, name: string): string {
  const status = told.get(name) ?? [...told.values()].find(isRejected);
  return told.has(name) && status
    ? `returned for ${name}\n  ${say(status)}`
    : `rejected the pod on all nodes, and ${name} does not exist yet`;
}

/** Returns the hint of a plugin as a queue evaluates it: one `Queue`, missing hint or error is enough. */
function hintOf(plugin: FilterPlugin, pod: Pod, { event, before, after }: Change): QueueingHint {
  const queues = plugin.eventsToRegister().some((registered) => {
    if (!matches(registered.event, event)) return false;
    try {
      return (registered.queueingHintFn?.(pod, before, after) ?? 'Queue') === 'Queue';
    } catch {
      return true;
    }
  });
  return queues ? 'Queue' : 'QueueSkip';
}

/** Returns all single changes of the cluster. */
function changesOf({ cluster, node, pod }: Eve): readonly Change[] {
  return [
    {
      event: { resource: 'Node', actionType: 'Add' },
      after: node,
      cluster: cluster.with({ nodes: [...cluster.nodes, node] }),
    },
    {
      event: { resource: 'AssignedPod', actionType: 'Add' },
      after: pod,
      cluster: cluster.with({ pods: [...cluster.pods, pod] }),
    },
    ...cluster.nodes.flatMap((each) => changesOfNode(cluster, each, node)),
    ...cluster.pods.flatMap((each) => changesOfPod(cluster, each, pod)),
    ...changesOfItself(cluster, pod),
  ];
}

function changesOfNode(cluster: SchedulingCluster, before: Node, { metadata, spec, status }: Node): Change[] {
  const { name, labels: own = {} } = before.metadata;
  const others = metadata.labels ?? {};
  const into = (actionType: ClusterEvent['actionType'], after: Node): Change => ({
    event: { resource: 'Node', actionType },
    before,
    after,
    cluster: cluster.with({ nodes: cluster.nodes.map((each) => (each === before ? after : each)) }),
  });
  const gone: Change = {
    event: { resource: 'Node', actionType: 'Delete' },
    before,
    cluster: cluster.with({ nodes: cluster.nodes.filter((each) => each !== before) }),
  };
  // Deleting a node with pods also deletes the pods, which is another event.
  const isEmpty = !cluster.pods.some(({ spec: { nodeName } }) => nodeName === name);
  return [
    into('UpdateNodeLabel', labelled(before, { ...others, [HOSTNAME]: own[HOSTNAME] })),
    into('UpdateNodeLabel', labelled(before, { ...others, [HOSTNAME]: own[HOSTNAME], [ZONE]: own[ZONE] })),
    into('UpdateNodeTaint', { ...before, spec: { ...before.spec, taints: spec.taints ?? [] } }),
    into('UpdateNodeTaint', {
      ...before,
      spec: { ...before.spec, unschedulable: !before.spec.unschedulable },
    }),
    into('UpdateNodeAllocatable', {
      ...before,
      status: { ...before.status, allocatable: status.allocatable ?? {} },
    }),
    ...(isEmpty ? [gone] : []),
  ];
}

function labelled(node: Node, labels: Readonly<Record<string, string | undefined>>): Node {
  return { ...node, metadata: { ...node.metadata, labels: defined(labels) as Labels } };
}

function changesOfPod(cluster: SchedulingCluster, before: Pod, { metadata }: Pod): Change[] {
  const after: Pod = { ...before, metadata: { ...before.metadata, labels: metadata.labels ?? {} } };
  return [
    {
      event: { resource: 'AssignedPod', actionType: 'Delete' },
      before,
      cluster: cluster.with({ pods: cluster.pods.filter((each) => each !== before) }),
    },
    {
      event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' },
      before,
      after,
      cluster: cluster.with({ pods: cluster.pods.map((each) => (each === before ? after : each)) }),
    },
  ];
}

function changesOfItself(cluster: SchedulingCluster, { metadata, spec }: Pod): Change[] {
  const before = cluster.pod;
  const labelled: Pod = { ...before, metadata: { ...before.metadata, labels: metadata.labels ?? {} } };
  const { tolerations: more = [{ operator: 'Exists' }] } = spec;
  const tolerations = [...(before.spec.tolerations ?? []), ...more];
  const tolerant: Pod = { ...before, spec: { ...before.spec, tolerations } };
  return [
    {
      event: { resource: 'Pod', actionType: 'UpdatePodLabel' },
      before,
      after: labelled,
      cluster: cluster.with({ pod: labelled }),
    },
    {
      event: { resource: 'Pod', actionType: 'UpdatePodToleration' },
      before,
      after: tolerant,
      cluster: cluster.with({ pod: tolerant }),
    },
  ];
}

function sayChange({ event: { resource, actionType }, before, after }: Change): string {
  const say = (object: KubeObject): string =>
    resource === 'Node' ? sayNode(object as Node) : sayPod(object as Pod);
  const lines = [...(before ? [`  was  ${say(before)}`] : []), ...(after ? [`  is   ${say(after)}`] : [])];
  return `${resource} ${actionType}\n${lines.join('\n')}`;
}
