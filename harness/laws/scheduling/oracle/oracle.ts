import type { Node, Pod } from '../../../api/objects.ts';
import { type ClusterState, othersIn } from './cluster-state.ts';
import { nodeIsWanted, wantsNoNode } from './selecting.ts';
import { allocatableOf, collide, mostAtOnce, portsOf, togetherAskedBy } from './taking.ts';
import { tolerates, untolerated } from './tolerating.ts';
import { hasItsCompany, meetsPodItAvoids, meetsPodThatAvoidsIt, notSpread } from './topology.ts';

/** The verdict of one rule about a pod and a node. */
export interface Ruling {
  /** The plugin that has the rule. */
  readonly plugin: string;
  readonly code: 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable';
  /** Upstream's messages. If several resources are insufficient, their order is undefined. */
  readonly reasons: readonly string[];
}

/**
 * Reports whether a pod may run on a node.
 *
 * The oracle places the pod there and checks every rule. It is slow and as simple as possible, because the laws judge
 * solutions by it. It shares no code with the framework or with any solution.
 *
 * The messages and codes of a verdict are upstream's: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins.
 *
 * @param pod a new pod, or a running pod; a running pod does not compete with itself
 */
export function mayRunOn(pod: Pod, node: Node, state: ClusterState): boolean {
  return rulingsOn(pod, node, state).every(({ code }) => code === 'Success');
}

/** Returns the verdict of each rule, in the order of the plugins in upstream's scheduler. */
export function rulingsOn(pod: Pod, node: Node, state: ClusterState): readonly Ruling[] {
  return Object.entries(rules).map(([plugin, rule]) => {
    const [code, ...reasons] = rule(pod, node, state);
    return { plugin, code, reasons };
  });
}

type Rule = (pod: Pod, node: Node, state: ClusterState) => readonly [Ruling['code'], ...string[]];

/** The message for a pod whose terms require two node names at once. It concerns all nodes, not one node. */
export const NAMES_CONFLICT = 'pod affinity terms conflict';

const UNSCHEDULABLE = 'Unschedulable';
const UNRESOLVABLE = 'UnschedulableAndUnresolvable';

const rules: Readonly<Record<string, Rule>> = {
  NodeUnschedulable: ({ spec }, node) => {
    const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    const free = !node.spec.unschedulable || spec.tolerations?.some((each) => tolerates(each, cordon));
    return free ? ['Success'] : [UNRESOLVABLE, 'node(s) were unschedulable'];
  },

  NodeName: ({ spec }, { metadata }) =>
    !spec.nodeName || spec.nodeName === metadata.name
      ? ['Success']
      : [UNRESOLVABLE, "node(s) didn't match the requested node name"],

  TaintToleration: ({ spec }, node) =>
    untolerated(spec, node) ? [UNRESOLVABLE, 'node(s) had untolerated taint(s)'] : ['Success'],

  NodeAffinity: ({ spec }, node) => {
    if (wantsNoNode(spec)) return [UNRESOLVABLE, NAMES_CONFLICT];
    return nodeIsWanted(spec, node)
      ? ['Success']
      : [UNRESOLVABLE, "node(s) didn't match Pod's node affinity/selector"];
  },

  NodePorts: (pod, node, state) => {
    const taken = othersIn(state, pod, node).flatMap(portsOf);
    return portsOf(pod).some((port) => taken.some((other) => collide(port, other)))
      ? [UNSCHEDULABLE, "node(s) didn't have free ports for the requested pod ports"]
      : ['Success'];
  },

  NodeResourcesFit: (pod, node, state) => {
    const others = othersIn(state, pod, node);
    const has = allocatableOf(node);
    const taken = togetherAskedBy(others);
    const asks = [...mostAtOnce(pod)].filter(([, amount]) => amount > 0);
    const short = asks.filter(([name, amount]) => amount + (taken.get(name) ?? 0) > (has.get(name) ?? 0));
    const never = asks.some(([name, amount]) => amount > (has.get(name) ?? 0));
    const crowded = others.length + 1 > (has.get('pods') ?? 0);
    const reasons = [...(crowded ? ['Too many pods'] : []), ...short.map(([name]) => `Insufficient ${name}`)];
    // A node that allows 0 pods is also Unschedulable, not UnschedulableAndUnresolvable.
    return reasons.length === 0 ? ['Success'] : [never ? UNRESOLVABLE : UNSCHEDULABLE, ...reasons];
  },

  PodTopologySpread: (pod, node, state) => {
    const why = notSpread(pod, node, state);
    if (!why) return ['Success'];
    return why === 'skew'
      ? [UNSCHEDULABLE, "node(s) didn't match pod topology spread constraints"]
      : [UNRESOLVABLE, "node(s) didn't match pod topology spread constraints (missing required label)"];
  },

  InterPodAffinity: (pod, node, state) => {
    if (!hasItsCompany(pod, node, state)) return [UNRESOLVABLE, "node(s) didn't match pod affinity rules"];
    if (meetsPodItAvoids(pod, node, state)) {
      return [UNSCHEDULABLE, "node(s) didn't match pod anti-affinity rules"];
    }
    return meetsPodThatAvoidsIt(pod, node, state)
      ? [UNSCHEDULABLE, "node(s) didn't satisfy existing pods anti-affinity rules"]
      : ['Success'];
  },
};
