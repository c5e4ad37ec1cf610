import type { Node, Pod } from '../../../api/objects.ts';
import { type ClusterState, othersIn } from './cluster-state.ts';
import { nodeIsWanted, wantsNoNode } from './selecting.ts';
import { allocatableOf, collide, mostAtOnce, portsOf, togetherAskedBy } from './taking.ts';
import { tolerates, untolerated } from './tolerating.ts';
import { hasItsCompany, meetsPodItAvoids, meetsPodThatAvoidsIt, notSpread } from './topology.ts';

/** What a rule says of a pod and a node. */
export interface Ruling {
  /** The plugin whose rule it is. */
  readonly plugin: string;
  readonly code: 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable';
  /** In upstream's words. Of several resources that fall short, in no particular order. */
  readonly reasons: readonly string[];
}

/**
 * May the pod run on this node, as things are?
 *
 * Where a pod may run, from first principles: put it there, and look whether every rule is kept. Slow, and as plain as can
 * be, because others are judged by it. It shares nothing with the framework and with no solution.
 *
 * The words and codes of a verdict are upstream's: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins.
 *
 * @param pod may be one that runs already: it does not stand in its own way
 */
export function mayRunOn(pod: Pod, node: Node, state: ClusterState): boolean {
  return rulingsOn(pod, node, state).every(({ code }) => code === 'Success');
}

/** What each rule says, in the order in which upstream's scheduler asks them. */
export function rulingsOn(pod: Pod, node: Node, state: ClusterState): readonly Ruling[] {
  return Object.entries(rules).map(([plugin, rule]) => {
    const [code, ...reasons] = rule(pod, node, state);
    return { plugin, code, reasons };
  });
}

type Rule = (pod: Pod, node: Node, state: ClusterState) => readonly [Ruling['code'], ...string[]];

/** What is said of a pod whose names of nodes exclude each other: of no node, but of all at once. */
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
    // That a node takes no pods at all is not said to be for ever.
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
