import type * as core from '#api/core/v1';
import type { Node, Pod } from '../../../api/objects.ts';
import { flow } from '../simulation.ts';
import { type ClusterState, nodeOf, othersIn } from './cluster-state.ts';
import type { Ruling } from './oracle.ts';
import { selects, wantsNoNode, whyTermFails } from './selecting.ts';
import { allocatableOf, collide, mostAtOnce, portsOf, togetherAskedBy } from './taking.ts';
import { tolerates } from './tolerating.ts';
import {
  antiAffinityOf,
  isAlike,
  isEligible,
  placeOf,
  requiredSpreadOf,
  samePlace,
  speaksOf,
  spreadNow,
} from './topology.ts';

/**
 * Explains a ruling of the oracle, one fact a line: the rule, and the labels, pods and numbers that decide here.
 *
 * The laws call it only after a failure, so that the oracle itself stays fast.
 */
export function explain({ plugin }: Ruling, pod: Pod, node: Node, state: ClusterState): readonly string[] {
  return explanations[plugin]?.(pod, node, state) ?? [];
}

type Explanation = (pod: Pod, node: Node, state: ClusterState) => readonly string[];

const explanations: Readonly<Record<string, Explanation>> = {
  NodeUnschedulable: (pod, node) => {
    const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    return node.spec.unschedulable
      ? [`${nameOf(node)} is cordoned`, whetherTolerated(pod, taint)]
      : [`${nameOf(node)} is not cordoned`];
  },

  NodeName: ({ spec }) => [spec.nodeName ? `spec.nodeName is ${spec.nodeName}` : 'spec.nodeName is not set'],

  TaintToleration: (pod, node) => {
    const taints = node.spec.taints ?? [];
    if (taints.length === 0) return [`${nameOf(node)} has no taints`];
    return taints.map((taint) =>
      taint.effect === 'PreferNoSchedule' ? `${text(taint)} rejects no pod` : whetherTolerated(pod, taint),
    );
  },

  NodeAffinity: ({ spec }, node) => {
    const terms =
      spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
    if (wantsNoNode(spec)) return ['each required term names several nodes, which exclude each other'];
    const { labels = {} } = node.metadata;
    const selected = Object.entries(spec.nodeSelector ?? {}).map(([key, value]) =>
      labels[key] === value
        ? `nodeSelector ${key}=${value} matches`
        : `nodeSelector requires ${key}=${value}, and the label is ${quoted(labels[key])}`,
    );
    const termed = (terms ?? []).map((term, i) => {
      const fails = whyTermFails(term, node);
      return `term ${i + 1} ${fails === undefined ? 'matches' : `of the required node affinity ${fails}`}`;
    });
    const rule = 'all of nodeSelector and one term of the required node affinity must match';
    return [rule, ...selected, ...(terms ? termed : ['no node affinity is required'])];
  },

  NodePorts: (pod, node, state) => {
    const wanted = portsOf(pod);
    if (wanted.length === 0) return ['the pod has no host ports'];
    return wanted.map((port) => {
      const other = othersIn(state, pod, node).find((each) =>
        portsOf(each).some((taken) => collide(port, taken)),
      );
      const said = `host port ${port.ip}:${port.port}/${port.protocol}`;
      return other ? `${said} collides with a host port of ${podName(other)}` : `${said} is free`;
    });
  },

  NodeResourcesFit: (pod, node, state) => {
    const others = othersIn(state, pod, node);
    const has = allocatableOf(node);
    const taken = togetherAskedBy(others);
    const amounts = [...mostAtOnce(pod)]
      .filter(([, amount]) => amount > 0)
      .map(([name, amount]) => {
        const unit = name === 'cpu' ? 'm' : '';
        const room = has.get(name) ?? 0;
        const never = amount > room ? ', so that an empty node would not do either' : '';
        return `${name}: the pod requests ${amount}${unit}, the pods there ${taken.get(name) ?? 0}${unit}, and the node has ${room}${unit}${never}`;
      });
    return [...amounts, `pods: with this pod ${others.length + 1}, and the node has ${has.get('pods') ?? 0}`];
  },

  PodTopologySpread: (pod, node, state) => {
    const required = requiredSpreadOf(pod);
    if (required.length === 0) return ['no constraint is DoNotSchedule'];
    const said: string[] = [];
    for (const constraint of required) {
      const { topologyKey } = constraint;
      if (placeOf(topologyKey, node) === undefined) {
        return [...said, `${nameOf(node)} lacks the label ${topologyKey} of a constraint`];
      }
      said.push(...spreadOf(constraint, pod, node, state));
    }
    return said;
  },

  InterPodAffinity: (pod, node, state) => [
    ...companyOf(pod, node, state),
    ...othersIn(state, pod).flatMap((other) => [
      ...antiAffinityOf(pod).map((term) => apart(term, pod, other, pod, node, state)),
      ...antiAffinityOf(other).map((term) => apart(term, other, pod, pod, node, state)),
    ]),
  ],
};

function spreadOf(
  constraint: core.TopologySpreadConstraint,
  pod: Pod,
  node: Node,
  state: ClusterState,
): readonly string[] {
  const { topologyKey, maxSkew, minDomains = 1 } = constraint;
  const here = placeOf(topologyKey, node) ?? '';
  const { eligible, counts, fewest, itself } = spreadNow(constraint, pod, state);
  const domains = [...counts].map(([place, count]) => {
    const nodes = eligible.filter((each) => placeOf(topologyKey, each) === place).map(nameOf);
    return `domain ${quoted(place)} (${nodes.join(', ')}) has ${plural(count, 'matching pod')}`;
  });
  const strangers = eligible
    .flatMap((each) => othersIn(state, pod, each))
    .filter((other) => !isAlike(constraint, pod, other))
    .map((other) => `${podName(other)} does not count: ${whyUnlike(other, pod)}`);
  const left = state.nodes
    .filter((each) => !eligible.includes(each))
    .map(
      (each) => `${nameOf(each)} does not count: ${whyLeftOut(constraint, requiredSpreadOf(pod), pod, each)}`,
    );
  const sum = (counts.get(here) ?? 0) + itself;
  const few =
    counts.size < minDomains
      ? `0, because ${plural(counts.size, 'domain')} are fewer than minDomains ${minDomains}`
      : `${fewest}`;
  const own = itself === 1 ? 'with this pod' : 'this pod does not match the constraint and adds 0, so';
  const verdict = sum - fewest > maxSkew ? 'is more than' : 'is at most';
  return [
    `constraint on ${topologyKey}: ${domains.join(', ') || 'no domain counts'}`,
    ...eligible.flatMap((each) => whyCounted(constraint, pod, each)),
    ...strangers,
    ...left,
    `${own} domain ${quoted(here)} has ${sum}; the minimum is ${few}; ${sum} - ${fewest} ${verdict} maxSkew ${maxSkew}`,
  ];
}

/** Explains why a spread constraint does not count a pod that is on a node that it counts. */
export function whyUnlike(other: Pod, pod: Pod): string {
  if (other.metadata.deletionTimestamp) return 'it is being deleted';
  if (other.metadata.namespace !== pod.metadata.namespace) return 'it is in another namespace';
  return 'labelSelector and matchLabelKeys do not select it';
}

/** Explains why a spread constraint counts a node that looks as if it did not count. */
export function whyCounted(
  constraint: core.TopologySpreadConstraint,
  pod: Pod,
  node: Node,
): readonly string[] {
  const isEligibleIf = (parts: Partial<core.TopologySpreadConstraint>) =>
    isEligible(
      { ...constraint, nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Ignore', ...parts },
      pod,
      node,
    );
  const { spec } = node;
  const reasons = [
    ...(isEligibleIf({ nodeAffinityPolicy: 'Honor' })
      ? []
      : ["it does not match the pod's node affinity (nodeAffinityPolicy Ignore)"]),
    ...(isEligibleIf({ nodeTaintsPolicy: 'Honor' })
      ? []
      : ['the pod does not tolerate its taints (nodeTaintsPolicy Ignore)']),
    ...(spec.unschedulable ? ['it is cordoned: a cordon is not a taint'] : []),
    ...(spec.taints?.every(({ effect }) => effect === 'PreferNoSchedule')
      ? ['it is tainted: PreferNoSchedule does not reject pods']
      : []),
  ];
  return reasons.map((reason) => `${nameOf(node)} counts although ${reason}`);
}

/**
 * Explains why a spread constraint does not count a node.
 *
 * @param together the constraints whose labels a node must have to count for any of them
 */
export function whyLeftOut(
  constraint: core.TopologySpreadConstraint,
  together: readonly core.TopologySpreadConstraint[],
  pod: Pod,
  node: Node,
): string {
  const lacks = together.find(({ topologyKey }) => placeOf(topologyKey, node) === undefined);
  if (lacks) return `it lacks the label ${lacks.topologyKey} of a constraint`;
  const { nodeTaintsPolicy } = constraint;
  return isEligible({ ...constraint, nodeTaintsPolicy: 'Ignore' }, pod, node)
    ? `the pod does not tolerate its taints (nodeTaintsPolicy ${nodeTaintsPolicy})`
    : "it does not match the pod's nodeSelector and required node affinity";
}

function companyOf(pod: Pod, node: Node, state: ClusterState): readonly string[] {
  const terms = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (terms.length === 0) return ['the pod requires no affinity'];
  const lacks = terms.find(({ topologyKey }) => placeOf(topologyKey, node) === undefined);
  if (lacks) return [`${nameOf(node)} lacks the label ${lacks.topologyKey} of a required affinity term`];
  const company = othersIn(state, pod).filter((other) =>
    terms.every((term) => speaksOf(term, pod, other, state)),
  );
  const found = terms.map(({ topologyKey }) => {
    const near = company.filter((other) => samePlace(topologyKey, nodeOf(state, other), node)).map(podName);
    return `affinity on ${topologyKey}: ${near.join(', ') || 'no such pod'} in domain ${quoted(placeOf(topologyKey, node))}`;
  });
  const far = company.filter((other) =>
    terms.some(({ topologyKey }) => placeOf(topologyKey, nodeOf(state, other)) !== undefined),
  );
  const own = terms.every((term) => speaksOf(term, pod, pod, state)) ? 'does' : 'does not';
  return [
    `a pod counts if every required affinity term selects it: ${company.map(podName).join(', ') || 'none'}`,
    ...found,
    `the first of a group may go anywhere if no such pod is in any domain (${far.map(podName).join(', ') || 'none is'}) and every term selects the pod itself (it ${own})`,
  ];
}

const MISSING = ': the domain must be the same, and a node without the label is in no domain';

/** Explains a term of anti-affinity that `owner` has and `about` may match. Either of the two is the new pod. */
function apart(
  term: core.PodAffinityTerm,
  owner: Pod,
  about: Pod,
  pod: Pod,
  node: Node,
  state: ClusterState,
): string {
  const other = owner === pod ? about : owner;
  const there = nodeOf(state, other);
  const whose = owner === pod ? 'the pod' : podName(other);
  const whom = about === pod ? 'the pod' : podName(other);
  const start = `the anti-affinity of ${whose} on ${term.topologyKey}`;
  if (!speaksOf(term, owner, about, state)) {
    const which = selects(term.labelSelector, about.metadata.labels) ? 'namespace' : 'labels';
    return `${start} does not select the ${which} of ${whom}`;
  }
  const where = there && `on ${nameOf(there)}`;
  return samePlace(term.topologyKey, there, node)
    ? `${start} selects ${whom}, and ${podName(other)} is ${where} in the same domain ${quoted(placeOf(term.topologyKey, node))}`
    : `${start} selects ${whom}, but ${podName(other)} is ${where} in domain ${quoted(placeOf(term.topologyKey, there))}, and the domain of ${nameOf(node)} is ${quoted(placeOf(term.topologyKey, node))}${MISSING}`;
}

function whetherTolerated({ spec }: Pod, taint: core.Taint): string {
  const by = (spec.tolerations ?? []).find((toleration) => tolerates(toleration, taint));
  return by
    ? `the pod tolerates ${text(taint)}: ${flow(by)}`
    : `no toleration of the pod matches ${text(taint)}`;
}

function text({ key, value, effect }: core.Taint): string {
  return `the taint ${key}${value ? `=${value}` : ''}:${effect}`;
}

function nameOf({ metadata }: Node): string {
  return metadata.name;
}

function podName({ metadata: { name, namespace } }: Pod): string {
  return namespace === 'default' ? name : `${namespace}/${name}`;
}

/** Quotes the value of a label. */
export function quoted(label: string | undefined): string {
  return label === undefined ? 'missing' : `"${label}"`;
}

/** Counts something: `1 pod`, `2 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
