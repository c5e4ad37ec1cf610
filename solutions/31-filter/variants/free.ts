/**
 * A table of rules. Each rule reads the pod, the node and the whole snapshot, and returns its objections; nothing is
 * prepared, and every event about pods or nodes may help.
 */
import { framework, labels, type Node, type Pod } from '#harness';

/** The objections to the pod on this node, and whether the removal of other pods could change that. */
type Verdict = readonly ['not now' | 'never', ...string[]] | undefined;

type Rule = (pod: Pod, info: framework.NodeInfo, snapshot: framework.Snapshot) => Verdict;

const rules: Readonly<Record<string, Rule>> = {
  NodeUnschedulable: ({ spec }, { node }) =>
    node.spec.unschedulable &&
    keepsOut({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }, spec.tolerations)
      ? ['never', 'node(s) were unschedulable']
      : undefined,

  NodeName: ({ spec }, { name }) =>
    spec.nodeName && spec.nodeName !== name
      ? ['never', "node(s) didn't match the requested node name"]
      : undefined,

  TaintToleration: ({ spec }, { node }) =>
    isTainted(node, spec.tolerations) ? ['never', 'node(s) had untolerated taint(s)'] : undefined,

  NodeAffinity: (pod, { node }) =>
    wants(pod, node) ? undefined : ['never', "node(s) didn't match Pod's node affinity/selector"],

  NodePorts: (pod, { usedPorts }) => {
    const key = ({ protocol, hostPort }: framework.HostPort): string => `${protocol} ${hostPort}`;
    const meets = (a: string, b: string): boolean => a === b || a === '0.0.0.0' || b === '0.0.0.0';
    for (const used of usedPorts) {
      for (const port of framework.podInfoOf(pod).hostPorts) {
        if (key(port) === key(used) && meets(port.hostIP, used.hostIP))
          return ['not now', "node(s) didn't have free ports for the requested pod ports"];
      }
    }
    return undefined;
  },

  NodeResourcesFit: (pod, info) => {
    const has = (name: string): number => amountOf(info.allocatable, name);
    const asked = most(pod);
    const names = ['cpu', 'memory', 'ephemeral-storage', ...asked.scalar.keys()];
    const short = names
      .map((name) => ({ name, asks: amountOf(asked, name) }))
      .filter(({ name, asks }) => asks > 0 && asks + amountOf(info.requested, name) > has(name));
    const crowd = info.pods.length + 1 > info.allocatable.allowedPodNumber ? ['Too many pods'] : [];
    const reasons = [...crowd, ...short.map(({ name }) => `Insufficient ${name}`)];
    if (reasons.length === 0) return undefined;
    return [short.some(({ name, asks }) => asks > has(name)) ? 'never' : 'not now', ...reasons];
  },

  PodTopologySpread: (pod, { node }, { nodeInfos }) => {
    const constraints = framework.hardConstraints(pod);
    const told = "node(s) didn't match pod topology spread constraints";
    for (const constraint of constraints) {
      const here = framework.labelOf(node, constraint.topologyKey);
      if (here === undefined) return ['never', `${told} (missing required label)`];
      const places = new Map<string, number>();
      for (const each of nodeInfos) {
        if (constraints.some(({ topologyKey }) => framework.labelOf(each.node, topologyKey) === undefined))
          continue;
        if (constraint.nodeAffinityPolicy === 'Honor' && !wants(pod, each.node)) continue;
        if (constraint.nodeTaintsPolicy === 'Honor' && isTainted(each.node, pod.spec.tolerations)) continue;
        const place = framework.labelOf(each.node, constraint.topologyKey) ?? '';
        const alike = each.pods.filter(
          ({ pod: { metadata } }) =>
            !metadata.deletionTimestamp &&
            metadata.namespace === pod.metadata.namespace &&
            !constraint.selector.empty &&
            constraint.selector.matches(metadata.labels),
        );
        places.set(place, (places.get(place) ?? 0) + alike.length);
      }
      const fewest = places.size < constraint.minDomains ? 0 : Math.min(...places.values());
      const then = (places.get(here) ?? 0) + Number(constraint.selector.matches(pod.metadata.labels));
      if (then > fewest + constraint.maxSkew) return ['not now', told];
    }
    return undefined;
  },

  InterPodAffinity: (pod, { node }, { nodeInfos, namespaces }) => {
    const speaksOf = (term: framework.AffinityTerm, { metadata: { namespace = '', labels: of } }: Pod) =>
      term.selector.matches(of) &&
      (term.namespaces.has(namespace) || term.namespaceSelector.matches(namespaces.get(namespace)));
    const isSamePlace = ({ topologyKey }: framework.AffinityTerm, a: Node, b: Node): boolean => {
      const place = framework.labelOf(a, topologyKey);
      return place !== undefined && place === framework.labelOf(b, topologyKey);
    };
    const avoids = (one: Pod, where: Node, other: Pod, there: Node): boolean =>
      framework
        .podInfoOf(one)
        .requiredAntiAffinityTerms.some((term) => speaksOf(term, other) && isSamePlace(term, where, there));
    const { requiredAffinityTerms: terms } = framework.podInfoOf(pod);
    const isSought = (other: Pod): boolean => terms.every((term) => speaksOf(term, other));
    const company = nodeInfos.filter(({ pods }) => pods.some((other) => isSought(other.pod)));
    const isFirst =
      isSought(pod) &&
      !company.some((each) =>
        terms.some(({ topologyKey }) => framework.labelOf(each.node, topologyKey) !== undefined),
      );
    for (const term of terms) {
      const isPlace = framework.labelOf(node, term.topologyKey) !== undefined;
      if (!isPlace || !(isFirst || company.some((each) => isSamePlace(term, each.node, node))))
        return ['never', "node(s) didn't match pod affinity rules"];
    }
    for (const info of nodeInfos) {
      if (info.pods.some(({ pod: other }) => avoids(pod, node, other, info.node)))
        return ['not now', "node(s) didn't match pod anti-affinity rules"];
    }
    const isKeptOut = nodeInfos.some((info) =>
      info.pods.some(({ pod: other }) => avoids(other, info.node, pod, node)),
    );
    return isKeptOut ? ['not now', "node(s) didn't satisfy existing pods anti-affinity rules"] : undefined;
  },
};

const snapshotKey = framework.stateKey<framework.Snapshot>('snapshot');

const plugins: readonly framework.FilterPlugin[] = Object.entries(rules).map(([name, rule]) => ({
  name,
  preFilter(state, pod, snapshot) {
    state.write(snapshotKey, snapshot);
    const { nodeSelectorTerms = [] } = required(pod) ?? {};
    return name === 'NodeAffinity' && framework.namesConflict(nodeSelectorTerms)
      ? framework.unresolvable('pod affinity terms conflict')
      : framework.success;
  },
  filter(state, pod, nodeInfo) {
    const verdict = rule(pod, nodeInfo, state.read(snapshotKey));
    if (!verdict) return framework.success;
    const [when, ...reasons] = verdict;
    return when === 'never' ? framework.unresolvable(...reasons) : framework.unschedulable(...reasons);
  },
  eventsToRegister: () => [
    ...each('Node', 'Add'),
    ...each('Node', 'UpdateNodeLabel', 'UpdateNodeTaint', 'UpdateNodeAllocatable', 'Delete'),
    ...each('AssignedPod', 'Add', 'Delete', 'UpdatePodLabel', 'UpdatePodScaleDown'),
    ...each('Pod', 'UpdatePodLabel', 'UpdatePodToleration', 'UpdatePodScaleDown'),
  ],
}));

export const filtering: framework.Filtering = {
  plugins,

  findNodesThatFit({ plugins: asked, state, pod, snapshot, startIndex = 0, percentageOfNodesToScore = 0 }) {
    const { nodeInfos } = snapshot;
    const nodeToStatus = new Map<string, framework.Status>();
    const nowhere = turnedAwayEverywhere(asked, state, pod, snapshot);
    if (nowhere) {
      const [name, { reasons }] = nowhere;
      const diagnosis = {
        nodeToStatus,
        unschedulablePlugins: new Set([name]),
        preFilterMsg: reasons.join(', '),
      };
      return { feasible: [], diagnosis, nextStartIndex: startIndex };
    }
    const enough = enoughOf(nodeInfos.length, percentageOfNodesToScore);
    const feasible: framework.NodeInfo[] = [];
    const unschedulablePlugins = new Set<string>();
    let looked = 0;
    while (looked < nodeInfos.length && feasible.length < enough) {
      const at = (startIndex + looked) % nodeInfos.length;
      const info = nodeInfos[at] as framework.NodeInfo;
      looked += 1;
      const open = asked.filter(({ name }) => !state.skipFilterPlugins.has(name));
      let against: readonly [string, framework.Status] | undefined;
      for (const plugin of open) {
        const status = plugin.filter(state, pod, info);
        if (framework.isRejected(status)) against = [plugin.name, status];
        if (against) break;
      }
      if (!against) feasible.push(info);
      else {
        nodeToStatus.set(info.name, against[1]);
        unschedulablePlugins.add(against[0]);
      }
    }
    const nextStartIndex = nodeInfos.length === 0 ? 0 : (startIndex + looked) % nodeInfos.length;
    return { feasible, diagnosis: { nodeToStatus, unschedulablePlugins, preFilterMsg: '' }, nextStartIndex };
  },

  fitErrorMessage(numAllNodes, { nodeToStatus, preFilterMsg }) {
    const reasons = [...nodeToStatus.values()].flatMap((status) => status.reasons);
    const counted = [...new Set(reasons)].map(
      (reason) => `${reasons.filter((other) => other === reason).length} ${reason}`,
    );
    const why = preFilterMsg || counted.sort().join(', ');
    return why ? `0/${numAllNodes} nodes are available: ${why}.` : `0/${numAllNodes} nodes are available:`;
  },
};

/**
 * Returns the plugin that rejects the pod on every node, and its status: the first that is unresolvable, otherwise the
 * last.
 */
function turnedAwayEverywhere(
  asked: readonly framework.FilterPlugin[],
  state: framework.CycleState,
  pod: Pod,
  snapshot: framework.Snapshot,
): readonly [string, framework.Status] | undefined {
  let last: readonly [string, framework.Status] | undefined;
  for (const plugin of asked) {
    const status = plugin.preFilter?.(state, pod, snapshot);
    if (!status) continue;
    if (status.code === 'Skip') state.skipFilterPlugins.add(plugin.name);
    if (framework.isRejected(status)) last = [plugin.name, status];
    if (status.code === 'UnschedulableAndUnresolvable') return last;
  }
  return last;
}

function enoughOf(size: number, percentage: number): number {
  if (size < 100) return size;
  const percent = percentage === 0 ? Math.max(5, 50 - Math.floor(size / 125)) : percentage;
  return Math.max(100, Math.floor((size * percent) / 100));
}

function each(
  resource: framework.EventResource,
  ...types: framework.ActionType[]
): framework.ClusterEventWithHint[] {
  return types.map((actionType) => ({ event: { resource, actionType } }));
}

function keepsOut(taint: framework.Taint, tolerations: readonly framework.Toleration[] = []): boolean {
  return !tolerations.some(({ key, operator, value, effect }) => {
    if ((effect && effect !== taint.effect) || (key && key !== taint.key)) return false;
    if ((operator || 'Equal') === 'Equal') return (value || '') === (taint.value || '');
    return operator === 'Exists';
  });
}

function isTainted({ spec: { taints = [] } }: Node, tolerations?: readonly framework.Toleration[]): boolean {
  return taints.some((taint) => taint.effect !== 'PreferNoSchedule' && keepsOut(taint, tolerations));
}

function required({ spec }: Pod) {
  return spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}

/** Reports whether the node matches the pod's selector and affinity. */
function wants(pod: Pod, { metadata }: Node): boolean {
  const own = metadata.labels ?? {};
  for (const [key, value] of Object.entries(pod.spec.nodeSelector ?? {}))
    if (own[key] !== value) return false;
  const terms = required(pod)?.nodeSelectorTerms;
  return (
    !terms ||
    terms.some(({ matchExpressions = [], matchFields = [] }) => {
      if (matchExpressions.length + matchFields.length === 0) return false;
      try {
        return (
          matchExpressions.every(({ key, operator, values = [] }) =>
            labels.newRequirement(key, OPERATORS[operator] ?? ('' as labels.Operator), values).matches(own),
          ) &&
          matchFields.every(
            ({ operator, values = [] }) => (values[0] === metadata.name) === (operator === 'In'),
          )
        );
      } catch {
        return false;
      }
    })
  );
}

const OPERATORS: Readonly<Record<string, labels.Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/** Returns the maximum of the pod's needs over its life. */
function most({ spec }: Pod): framework.Resources {
  const moments: (readonly Pod['spec']['containers'][number][])[] = [];
  const staying: Pod['spec']['containers'] = [];
  for (const container of spec.initContainers ?? []) {
    moments.push([...staying, container]);
    if (container.restartPolicy === 'Always') staying.push(container);
  }
  moments.push([...staying, ...spec.containers]);
  const needs = moments.map((all) =>
    all
      .map(({ resources }) => framework.parseResources(resources?.requests))
      .reduce(framework.addResources, framework.noResources),
  );
  const whole = framework.overrideResources(
    needs.reduce(framework.maxResources, framework.noResources),
    spec.resources?.requests,
  );
  return framework.addResources(whole, framework.parseResources(spec.overhead));
}

function amountOf(resources: framework.Resources, name: string): number {
  if (name === 'cpu') return resources.milliCPU;
  if (name === 'memory') return resources.memory;
  return name === 'ephemeral-storage' ? resources.ephemeralStorage : (resources.scalar.get(name) ?? 0);
}
