/**
 * Where a pod can run: the filters of the scheduler. A level is a plugin: decisions on plain objects first, then the plugin
 * that asks them for a pod and a node. At the end all plugins about all nodes, and the sentence that says why none will do.
 *
 * A `filter` runs once for each node, so that nothing is read, parsed or allocated in it that could have been before: what
 * depends on the pod alone is known of the pod, what depends on all nodes is counted in `preFilter`, and what is always said
 * in the same words is one object.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins, pkg/scheduler/schedule_one.go,
 * pkg/scheduler/framework/runtime/framework.go
 */
import { deepEqual, framework, type KubeObject, labels, type Node, type Pod } from '#harness';

/** One of a pod's `spec.tolerations`. */
export type Toleration = NonNullable<Pod['spec']['tolerations']>[number];
/** One of a node's `spec.taints`. */
export type Taint = NonNullable<Node['spec']['taints']>[number];

// Level 1 · Name, and whether the node takes anybody

const otherName = framework.unresolvable("node(s) didn't match the requested node name");

export const nodeName: framework.FilterPlugin = {
  name: 'NodeName',
  filter(_state, { spec }, nodeInfo) {
    return spec.nodeName && spec.nodeName !== nodeInfo.name ? otherName : framework.success;
  },
  eventsToRegister: () => nodeNameEvents,
};

export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  const { effect, key, operator, value = '' } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && value === (taint.value ?? '');
}

/** What a cordoned node stands for. */
const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const isCordoned = framework.unresolvable('node(s) were unschedulable');

export const nodeUnschedulable: framework.FilterPlugin = {
  name: 'NodeUnschedulable',
  filter(_state, pod, { node }) {
    return node.spec.unschedulable && !toleratesCordon(pod) ? isCordoned : framework.success;
  },
  eventsToRegister: () => nodeUnschedulableEvents,
};

function toleratesCordon({ spec: { tolerations = [] } }: Pod): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, cordoned));
}

// Level 2 · Taints

export function findMatchingUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
  return taints?.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations?.some((toleration) => toleratesTaint(toleration, taint)),
  );
}

export const taintToleration: framework.FilterPlugin = {
  name: 'TaintToleration',
  filter(_state, pod, { node }) {
    const taint = findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations);
    if (!taint) return framework.success;
    return framework.unresolvable(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`);
  },
  eventsToRegister: () => taintTolerationEvents,
};

// Level 3 · Node selector and node affinity

type NodeSelector = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>;
/** One of the terms of a pod's required node affinity. */
export type NodeSelectorTerm = NodeSelector['nodeSelectorTerms'][number];
type NodeSelectorRequirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

/** What is asked of nodes, understood once. */
type NodePredicate = (node: Node) => boolean;

export function matchesNodeSelectorTerm(term: NodeSelectorTerm, node: Node): boolean {
  return predicateOfTerm(term)(node);
}

function predicateOfTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodePredicate {
  if (matchExpressions.length === 0 && matchFields.length === 0) return () => false;
  try {
    const selector = new labels.Selector(matchExpressions.map(requirementOnLabels));
    const fields = matchFields.map(requirementOnFields);
    return (node) => selector.matches(node.metadata.labels) && fields.every((field) => field(node));
  } catch (error) {
    if (error instanceof labels.SelectorError) return () => false;
    throw error;
  }
}

const OPERATORS: ReadonlyMap<string, labels.Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

function requirementOnLabels({ key, operator, values = [] }: NodeSelectorRequirement): labels.Requirement {
  const known = OPERATORS.get(operator);
  if (!known) throw new labels.SelectorError(`"${operator}" is not a valid node selector operator`);
  return labels.newRequirement(key, known, values);
}

function requirementOnFields({ key, operator, values = [] }: NodeSelectorRequirement): NodePredicate {
  if ((operator !== 'In' && operator !== 'NotIn') || values.length !== 1) {
    throw new labels.SelectorError(`"${operator}" with ${values.length} values is not about a field`);
  }
  return ({ metadata: { name } }) =>
    ((key === 'metadata.name' ? name : '') === values[0]) === (operator === 'In');
}

const predicates = new WeakMap<Pod, NodePredicate>();

export function requiredNodeAffinityMatches(pod: Pod, node: Node): boolean {
  let predicate = predicates.get(pod);
  if (!predicate) {
    predicate = predicateOfPod(pod);
    predicates.set(pod, predicate);
  }
  return predicate(node);
}

function predicateOfPod(pod: Pod): NodePredicate {
  const selector = labels.selectorFromSet(pod.spec.nodeSelector);
  const terms = requiredNodeAffinity(pod)?.nodeSelectorTerms.map(predicateOfTerm);
  return (node) => selector.matches(node.metadata.labels) && (!terms || terms.some((term) => term(node)));
}

function requiredNodeAffinity({ spec }: Pod): NodeSelector | undefined {
  return spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}

const otherNode = framework.unresolvable("node(s) didn't match Pod's node affinity/selector");
const noSuchNode = framework.unresolvable('pod affinity terms conflict');

export const nodeAffinity: framework.FilterPlugin = {
  name: 'NodeAffinity',
  preFilter(_state, pod) {
    const required = requiredNodeAffinity(pod);
    if (!required && !pod.spec.nodeSelector) return framework.skip;
    return required && areContradictory(required.nodeSelectorTerms) ? noSuchNode : framework.success;
  },
  filter(_state, pod, { node }) {
    return requiredNodeAffinityMatches(pod, node) ? framework.success : otherNode;
  },
  eventsToRegister: () => nodeAffinityEvents,
};

/** Do all terms ask for nodes by name, and each for none that could be? */
function areContradictory(terms: readonly NodeSelectorTerm[]): boolean {
  return (
    terms.length > 0 &&
    terms.every(({ matchFields = [] }) => {
      const [first, ...others] = matchFields.flatMap(({ key, operator, values = [] }) =>
        key === 'metadata.name' && operator === 'In' ? [values] : [],
      );
      return first !== undefined && !first.some((name) => others.every((names) => names.includes(name)));
    })
  );
}

// Level 4 · Ports of the node

const EVERY_ADDRESS = '0.0.0.0';

export function portsConflict(a: framework.HostPort, b: framework.HostPort): boolean {
  return (
    a.hostPort === b.hostPort &&
    a.protocol === b.protocol &&
    (a.hostIP === b.hostIP || a.hostIP === EVERY_ADDRESS || b.hostIP === EVERY_ADDRESS)
  );
}

const portTaken = framework.unschedulable("node(s) didn't have free ports for the requested pod ports");

export const nodePorts: framework.FilterPlugin = {
  name: 'NodePorts',
  preFilter(_state, pod) {
    return framework.podInfoOf(pod).hostPorts.length === 0 ? framework.skip : framework.success;
  },
  filter(_state, pod, { usedPorts }) {
    const wanted = framework.podInfoOf(pod).hostPorts;
    const isTaken = wanted.some((port) => usedPorts.some((used) => portsConflict(port, used)));
    return isTaken ? portTaken : framework.success;
  },
  eventsToRegister: () => nodePortsEvents,
};

// Level 5 · Resources

export function podRequests({ spec }: Pod): framework.Resources {
  let sidecars = framework.noResources;
  let starting = framework.noResources;
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const beside = framework.addResources(sidecars, requestsOf(resources));
    starting = framework.maxResources(starting, beside);
    if (restartPolicy === 'Always') sidecars = beside;
  }
  let running = sidecars;
  for (const { resources } of spec.containers) {
    running = framework.addResources(running, requestsOf(resources));
  }
  const most = framework.maxResources(starting, running);
  return framework.addResources(most, framework.parseResources(spec.overhead as framework.ResourceList));
}

function requestsOf(resources: Pod['spec']['containers'][number]['resources']): framework.Resources {
  return framework.parseResources(resources?.requests as framework.ResourceList | undefined);
}

/** What there is not enough of. Amounts are those of `framework.Resources`: cpu in thousandths of a core. */
export interface InsufficientResource {
  /** `pods`, `cpu`, `memory`, `ephemeral-storage`, or the name of another. */
  readonly resourceName: string;
  /** `Too many pods`, or `Insufficient <resourceName>`. */
  readonly reason: string;
  /** What the pod asks for; 1 of `pods`. */
  readonly requested: number;
  /** What the pods on the node ask for; of `pods`, how many there are. */
  readonly used: number;
  /** What the node has for pods (`allocatable`), also when they have it already. */
  readonly capacity: number;
  /** True when the pod asks for more than the node has at all, so that it would not help if other pods went. Never for `pods`. */
  readonly unresolvable: boolean;
}

const nothingShort: readonly InsufficientResource[] = Object.freeze([]);

export function insufficientResources(
  requests: framework.Resources,
  { pods, requested, allocatable }: framework.NodeInfo,
): readonly InsufficientResource[] {
  let short = nothingShort;
  if (pods.length >= allocatable.allowedPodNumber) short = [tooManyPods(pods.length, allocatable)];
  short = orShort(short, 'cpu', requests.milliCPU, requested.milliCPU, allocatable.milliCPU);
  short = orShort(short, 'memory', requests.memory, requested.memory, allocatable.memory);
  const storage = requests.ephemeralStorage;
  short = orShort(
    short,
    'ephemeral-storage',
    storage,
    requested.ephemeralStorage,
    allocatable.ephemeralStorage,
  );
  if (requests.scalar.size === 0) return short;
  for (const [name, amount] of requests.scalar) {
    short = orShort(short, name, amount, requested.scalar.get(name) ?? 0, allocatable.scalar.get(name) ?? 0);
  }
  return short;
}

function tooManyPods(
  used: number,
  { allowedPodNumber: capacity }: framework.Resources,
): InsufficientResource {
  return { resourceName: 'pods', reason: 'Too many pods', requested: 1, used, capacity, unresolvable: false };
}

/** What was short already, and this, if there is not enough of it. */
function orShort(
  short: readonly InsufficientResource[],
  resourceName: string,
  requested: number,
  used: number,
  capacity: number,
): readonly InsufficientResource[] {
  if (requested === 0 || requested <= capacity - used) return short;
  const [reason, unresolvable] = [`Insufficient ${resourceName}`, requested > capacity];
  return [...short, { resourceName, reason, requested, used, capacity, unresolvable }];
}

const requestsKey = framework.stateKey<framework.Resources>('PreFilterNodeResourcesFit');

export const nodeResourcesFit: framework.FilterPlugin = {
  name: 'NodeResourcesFit',
  preFilter(state, pod) {
    state.write(requestsKey, podRequests(pod));
    return framework.success;
  },
  filter(state, _pod, nodeInfo) {
    const short = insufficientResources(state.read(requestsKey), nodeInfo);
    if (short.length === 0) return framework.success;
    const reasons = short.map(({ reason }) => reason);
    const isHopeless = short.some(({ unresolvable }) => unresolvable);
    return isHopeless ? framework.unresolvable(...reasons) : framework.unschedulable(...reasons);
  },
  eventsToRegister: () => nodeResourcesFitEvents,
};

// Level 6 · Spread

/**
 * A constraint on how pods are spread, read once.
 *
 * Nodes that have the same value for the label {@link topologyKey} are one *domain*: a zone, or a single node.
 */
export interface SpreadConstraint {
  /** By how many pods the fullest domain may be ahead of the emptiest. */
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** Which pods are counted, by their labels. */
  readonly selector: labels.Selector;
  /** With fewer domains than that, the emptiest counts as empty. 1 when the pod does not say. */
  readonly minDomains: number;
  /** Whether a node that the pod does not ask for is left out of the count. `Honor` when the pod does not say. */
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  /** Whether a node whose taints keep the pod away is left out of the count. `Ignore` when the pod does not say. */
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

export function hardConstraints(pod: Pod): readonly SpreadConstraint[] {
  const hard = pod.spec.topologySpreadConstraints?.filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  return (hard ?? []).map((constraint) => ({
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    selector: labels
      .labelSelectorAsSelector(constraint.labelSelector)
      .add(...sameLabels(pod, constraint.matchLabelKeys ?? [])),
    minDomains: constraint.minDomains ?? 1,
    nodeAffinityPolicy: constraint.nodeAffinityPolicy === 'Ignore' ? 'Ignore' : 'Honor',
    nodeTaintsPolicy: constraint.nodeTaintsPolicy === 'Honor' ? 'Honor' : 'Ignore',
  }));
}

/** Of those labels that the pod has: the same value. */
function sameLabels(pod: Pod, keys: readonly string[]): labels.Requirement[] {
  return keys.flatMap((key) => {
    const value = labelOf(pod, key);
    return value === undefined ? [] : [labels.newRequirement(key, '=', [value])];
  });
}

export function matchesNodeInclusionPolicies(constraint: SpreadConstraint, pod: Pod, node: Node): boolean {
  const { nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  if (nodeAffinityPolicy === 'Honor' && !requiredNodeAffinityMatches(pod, node)) return false;
  return (
    nodeTaintsPolicy === 'Ignore' || !findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations)
  );
}

export function countPodsMatchSelector(
  pods: readonly framework.PodInfo[],
  selector: labels.Selector,
  namespace: string,
): number {
  if (selector.empty) return 0;
  return count(pods, (pod) => {
    const { deletionTimestamp, labels } = pod.metadata;
    return deletionTimestamp === undefined && namespaceOf(pod) === namespace && selector.matches(labels);
  });
}

export function countPodsInDomains(
  constraints: readonly SpreadConstraint[],
  pod: Pod,
  nodeInfos: readonly framework.NodeInfo[],
): readonly ReadonlyMap<string, number>[] {
  const counted = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));
  for (const { node, pods } of nodeInfos) {
    if (!constraints.every(({ topologyKey }) => labelOf(node, topologyKey) !== undefined)) continue;
    for (const { constraint, counts } of counted) {
      if (!matchesNodeInclusionPolicies(constraint, pod, node)) continue;
      const domain = labelOf(node, constraint.topologyKey) as string;
      const here = countPodsMatchSelector(pods, constraint.selector, namespaceOf(pod));
      counts.set(domain, (counts.get(domain) ?? 0) + here);
    }
  }
  return counted.map(({ counts }) => counts);
}

export function minMatchNum(counts: ReadonlyMap<string, number>, minDomains: number): number {
  if (counts.size < minDomains) return 0;
  let min = Number.POSITIVE_INFINITY;
  for (const count of counts.values()) min = Math.min(min, count);
  return min;
}

/** What of a constraint is the same for every node. */
interface SpreadSoFar {
  readonly topologyKey: string;
  readonly counts: ReadonlyMap<string, number>;
  /** A domain that has more than this has no room for the pod. */
  readonly countMax: number;
}

const spreadKey = framework.stateKey<readonly SpreadSoFar[]>('PreFilterPodTopologySpread');
const inNoDomain = framework.unresolvable(
  "node(s) didn't match pod topology spread constraints (missing required label)",
);
const tooFarAhead = framework.unschedulable("node(s) didn't match pod topology spread constraints");

export const podTopologySpread: framework.FilterPlugin = {
  name: 'PodTopologySpread',
  preFilter(state, pod, { nodeInfos }) {
    const constraints = hardConstraints(pod);
    if (constraints.length === 0) return framework.skip;
    const counts = countPodsInDomains(constraints, pod, nodeInfos);
    state.write(
      spreadKey,
      constraints.map(({ topologyKey, selector, minDomains, maxSkew }, i) => {
        const ofThis = counts[i] ?? new Map<string, number>();
        const itself = selector.matches(pod.metadata.labels) ? 1 : 0;
        return { topologyKey, counts: ofThis, countMax: minMatchNum(ofThis, minDomains) + maxSkew - itself };
      }),
    );
    return framework.success;
  },
  filter(state, _pod, { node }) {
    for (const { topologyKey, counts, countMax } of state.read(spreadKey)) {
      const domain = labelOf(node, topologyKey);
      if (domain === undefined) return inNoDomain;
      if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;
    }
    return framework.success;
  },
  eventsToRegister: () => podTopologySpreadEvents,
};

// Level 7 · Affinity and anti-affinity to pods

export function termMatches(
  { namespaces: named, namespaceSelector, selector }: framework.AffinityTerm,
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  const namespace = namespaceOf(pod);
  return (
    (named.has(namespace) || namespaceSelector.matches(namespaces.get(namespace))) &&
    selector.matches(pod.metadata.labels)
  );
}

export function podMatchesAllAffinityTerms(
  terms: readonly framework.AffinityTerm[],
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, namespaces));
}

/** Numbers by a label of nodes, and by its value. A label, or a value, with the number 0 is not there. */
export type TopologyCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

const nobody: TopologyCounts = new Map();

export function affinityCounts(pod: Pod, { nodeInfos, namespaces }: framework.Snapshot): TopologyCounts {
  const terms = framework.podInfoOf(pod).requiredAffinityTerms;
  if (terms.length === 0) return nobody;
  const counts = new Map<string, Map<string, number>>();
  for (const { node, pods } of nodeInfos) {
    const here = count(pods, (other) => podMatchesAllAffinityTerms(terms, other, namespaces));
    for (const { topologyKey } of terms) addAt(counts, topologyKey, node, here);
  }
  return counts;
}

export function antiAffinityCounts(pod: Pod, { nodeInfos, namespaces }: framework.Snapshot): TopologyCounts {
  const terms = framework.podInfoOf(pod).requiredAntiAffinityTerms;
  if (terms.length === 0) return nobody;
  const counts = new Map<string, Map<string, number>>();
  for (const { node, pods } of nodeInfos) {
    for (const term of terms) {
      const here = count(pods, (other) => termMatches(term, other, namespaces));
      addAt(counts, term.topologyKey, node, here);
    }
  }
  return counts;
}

export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  const counts = new Map<string, Map<string, number>>();
  for (const { node, podsWithRequiredAntiAffinity } of snapshot.havePodsWithRequiredAntiAffinity) {
    for (const other of podsWithRequiredAntiAffinity) {
      for (const term of other.requiredAntiAffinityTerms) {
        if (termMatches(term, pod, snapshot.namespaces)) addAt(counts, term.topologyKey, node, 1);
      }
    }
  }
  return counts;
}

function count(pods: readonly framework.PodInfo[], matches: (pod: Pod) => boolean): number {
  let n = 0;
  for (const { pod } of pods) if (matches(pod)) n++;
  return n;
}

/** Adds to the place where the node is. Of a place with nobody in it nothing is written down. */
function addAt(counts: Map<string, Map<string, number>>, topologyKey: string, node: Node, n: number): void {
  const place = labelOf(node, topologyKey);
  if (n === 0 || place === undefined) return;
  const places = counts.get(topologyKey) ?? new Map<string, number>();
  places.set(place, (places.get(place) ?? 0) + n);
  counts.set(topologyKey, places);
}

/** Where others are that matter to the pod. */
interface Neighbours {
  readonly affinity: TopologyCounts;
  readonly antiAffinity: TopologyCounts;
  readonly existingAntiAffinity: TopologyCounts;
  /** Nobody that it wants to be with is anywhere, and it would do itself. */
  readonly isFirst: boolean;
}

const neighboursKey = framework.stateKey<Neighbours>('PreFilterInterPodAffinity');
const tooFar = framework.unresolvable("node(s) didn't match pod affinity rules");
const tooNear = framework.unschedulable("node(s) didn't match pod anti-affinity rules");
const unwelcome = framework.unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

export const interPodAffinity: framework.FilterPlugin = {
  name: 'InterPodAffinity',
  preFilter(state, pod, snapshot) {
    const { requiredAffinityTerms, requiredAntiAffinityTerms } = framework.podInfoOf(pod);
    const existingAntiAffinity = existingAntiAffinityCounts(pod, snapshot);
    const hasTerms = requiredAffinityTerms.length > 0 || requiredAntiAffinityTerms.length > 0;
    if (!hasTerms && existingAntiAffinity.size === 0) return framework.skip;
    const affinity = affinityCounts(pod, snapshot);
    const matchesItself = podMatchesAllAffinityTerms(requiredAffinityTerms, pod, snapshot.namespaces);
    state.write(neighboursKey, {
      affinity,
      antiAffinity: antiAffinityCounts(pod, snapshot),
      existingAntiAffinity,
      isFirst: affinity.size === 0 && matchesItself,
    });
    return framework.success;
  },
  filter(state, pod, { node }) {
    const { affinity, antiAffinity, existingAntiAffinity, isFirst } = state.read(neighboursKey);
    const { requiredAffinityTerms } = framework.podInfoOf(pod);
    for (const { topologyKey } of requiredAffinityTerms) {
      const place = labelOf(node, topologyKey);
      if (place === undefined) return tooFar;
      if (!isFirst && !affinity.get(topologyKey)?.has(place)) return tooFar;
    }
    if (isIn(node, antiAffinity)) return tooNear;
    return isIn(node, existingAntiAffinity) ? unwelcome : framework.success;
  },
  eventsToRegister: () => interPodAffinityEvents,
};

/** Is the node in any of these places? */
function isIn(node: Node, counts: TopologyCounts): boolean {
  if (counts.size === 0) return false;
  for (const [topologyKey, places] of counts) {
    const place = labelOf(node, topologyKey);
    if (place !== undefined && places.has(place)) return true;
  }
  return false;
}

// Level 8 · The sum

/** So few are always looked for. */
const MIN_FEASIBLE_NODES_TO_FIND = 100;
const MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND = 5;

export function numFeasibleNodesToFind(percentage: number, numAllNodes: number): number {
  if (numAllNodes < MIN_FEASIBLE_NODES_TO_FIND) return numAllNodes;
  const adaptive = Math.max(50 - Math.floor(numAllNodes / 125), MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND);
  const enough = Math.floor((numAllNodes * (percentage || adaptive)) / 100);
  return Math.max(enough, MIN_FEASIBLE_NODES_TO_FIND);
}

export function findNodesThatFit(request: framework.FindNodes): framework.NodesThatFit {
  const { plugins, state, pod, snapshot, startIndex = 0, percentageOfNodesToScore = 0 } = request;
  const rejection = runPreFilterPlugins(request);
  if (rejection) return { feasible: [], diagnosis: diagnosisOf(rejection), nextStartIndex: startIndex };

  const asked = plugins.filter(({ name }) => !state.skipFilterPlugins.has(name));
  const { nodeInfos } = snapshot;
  const enough = numFeasibleNodesToFind(percentageOfNodesToScore, nodeInfos.length);
  const feasible: framework.NodeInfo[] = [];
  const nodeToStatus = new Map<string, framework.Status>();
  const unschedulablePlugins = new Set<string>();
  let next = nodeInfos.length === 0 ? 0 : startIndex % nodeInfos.length;
  for (let looked = 0; looked < nodeInfos.length && feasible.length < enough; looked++) {
    const nodeInfo = nodeInfos[next] as framework.NodeInfo;
    next = (next + 1) % nodeInfos.length;
    let fits = true;
    for (const plugin of asked) {
      const status = plugin.filter(state, pod, nodeInfo);
      if (!framework.isRejected(status)) continue;
      nodeToStatus.set(nodeInfo.name, status);
      unschedulablePlugins.add(plugin.name);
      fits = false;
      break;
    }
    if (fits) feasible.push(nodeInfo);
  }
  return {
    feasible,
    diagnosis: { nodeToStatus, unschedulablePlugins, preFilterMsg: '' },
    nextStartIndex: next,
  };
}

/** A plugin that turns the pod away from every node. */
interface Rejection {
  readonly plugin: string;
  readonly status: framework.Status;
}

function runPreFilterPlugins({ plugins, state, pod, snapshot }: framework.FindNodes): Rejection | undefined {
  let rejection: Rejection | undefined;
  for (const plugin of plugins) {
    const status = plugin.preFilter?.(state, pod, snapshot) ?? framework.success;
    if (status.code === 'Skip') state.skipFilterPlugins.add(plugin.name);
    if (framework.isRejected(status)) rejection = { plugin: plugin.name, status };
    // Whoever says that room could be made is outdone by one who says that it would not help.
    if (status.code === 'UnschedulableAndUnresolvable') break;
  }
  return rejection;
}

function diagnosisOf({ plugin, status }: Rejection): framework.Diagnosis {
  return {
    nodeToStatus: new Map(),
    unschedulablePlugins: new Set([plugin]),
    preFilterMsg: status.reasons.join(', '),
  };
}

/** Differs: what preemption says follows in upstream; there is none here. */
export function fitErrorMessage(
  numAllNodes: number,
  { preFilterMsg, nodeToStatus }: framework.Diagnosis,
): string {
  const why = preFilterMsg || histogram([...nodeToStatus.values()].flatMap(({ reasons }) => reasons));
  return `0/${numAllNodes} nodes are available:${why && ` ${why}.`}`;
}

/** How often each was said: `2 node(s) were unschedulable, 3 Insufficient cpu`. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}

export const filterPlugins: readonly framework.FilterPlugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  podTopologySpread,
  interPodAffinity,
];

/** This half of a scheduler, for kata 33. */
export const filtering: framework.Filtering = {
  plugins: filterPlugins,
  findNodesThatFit,
  fitErrorMessage,
};

// What wakes a pod. Kata 33 keeps pods that were turned away until something happens that could help them; here each plugin
// says what that is. The stub has this, too.

/** Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/nodename/node_name.go EventsToRegister */
const nodeNameEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' } },
];

/** Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go EventsToRegister */
const nodeUnschedulableEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterUncordon },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterUncordon },
  { event: { resource: 'Pod', actionType: 'UpdatePodToleration' }, queueingHintFn: afterTolerationOfCordon },
];

/** A node that takes pods, and is new or did not before. */
function afterUncordon(
  _pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const [before, after] = [oldObject, newObject] as readonly (Node | undefined)[];
  return queueIf(!after?.spec.unschedulable && (!before || before.spec.unschedulable === true));
}

/** The pod itself, when it tolerates cordoned nodes now. */
function afterTolerationOfCordon(
  pod: Pod,
  _oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  return queueIf(isSame(pod, newObject) && toleratesCordon(newObject as Pod));
}

/** Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go EventsToRegister */
const taintTolerationEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterTaintsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterTaintsOfNode },
  {
    event: { resource: 'Pod', actionType: 'UpdatePodToleration' },
    queueingHintFn: (pod, _oldObject, newObject) => queueIf(isSame(pod, newObject)),
  },
];

/** A node whose taints let the pod in, and that is new or whose taints did not before. */
function afterTaintsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const kept = (node: KubeObject | undefined): boolean =>
    findMatchingUntoleratedTaint((node as Node).spec.taints, pod.spec.tolerations) !== undefined;
  return queueIf(!kept(newObject) && (!oldObject || kept(oldObject)));
}

/** Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go EventsToRegister */
const nodeAffinityEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterLabelsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterLabelsOfNode },
];

/** A node that the pod asks for, and that is new or that it did not ask for before. */
function afterLabelsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const asked = (node: KubeObject | undefined): boolean => requiredNodeAffinityMatches(pod, node as Node);
  return queueIf(asked(newObject) && !(oldObject && asked(oldObject)));
}

/**
 * Differs: upstream also hears of pods without a node, for those that were promised one (`nominatedNodeName`). Here nobody
 * is: that is preemption.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/nodeports/node_ports.go EventsToRegister
 */
const nodePortsEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterPortsOfPod },
  { event: { resource: 'Node', actionType: 'Add' } },
];

/** A pod that had a port that the pod wants. */
function afterPortsOfPod(pod: Pod, oldObject: KubeObject | undefined): framework.QueueingHint {
  const freed = framework.podInfoOf(oldObject as Pod).hostPorts;
  const wanted = framework.podInfoOf(pod).hostPorts;
  return queueIf(wanted.some((port) => freed.some((other) => portsConflict(port, other))));
}

/**
 * Differs: as for ports, of pods without a node it hears only when they change themselves.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/noderesources/fit.go EventsToRegister
 */
const nodeResourcesFitEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Delete' } },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodScaleDown' }, queueingHintFn: afterScaleDown },
  { event: { resource: 'Pod', actionType: 'UpdatePodScaleDown' }, queueingHintFn: afterScaleDown },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterResourcesOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeAllocatable' }, queueingHintFn: afterResourcesOfNode },
];

/** The pod itself; or one on a node that leaves something of what the pod asks for. */
function afterScaleDown(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  if (isSame(pod, newObject)) return 'Queue';
  const [before, after] = [podRequests(oldObject as Pod), podRequests(newObject as Pod)];
  return queueIf(!!(newObject as Pod).spec.nodeName && isMoreOfWhatIsAsked(podRequests(pod), after, before));
}

/** A node on which the pod would fit if it were empty, and that is new or has more of what the pod asks for. */
function afterResourcesOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const requests = podRequests(pod);
  const node = framework.NodeInfo.of(newObject as Node);
  if (insufficientResources(requests, node).length > 0) return 'QueueSkip';
  if (!oldObject) return 'Queue';
  const [before, after] = [framework.NodeInfo.of(oldObject as Node).allocatable, node.allocatable];
  const takesMorePods = after.allowedPodNumber > before.allowedPodNumber;
  return queueIf(takesMorePods || isMoreOfWhatIsAsked(requests, before, after));
}

/** Has `b` more than `a` of anything that is asked for? */
function isMoreOfWhatIsAsked(
  asked: framework.Resources,
  a: framework.Resources,
  b: framework.Resources,
): boolean {
  return (
    (asked.milliCPU > 0 && b.milliCPU > a.milliCPU) ||
    (asked.memory > 0 && b.memory > a.memory) ||
    (asked.ephemeralStorage > 0 && b.ephemeralStorage > a.ephemeralStorage) ||
    [...asked.scalar].some(([name, n]) => n > 0 && (b.scalar.get(name) ?? 0) > (a.scalar.get(name) ?? 0))
  );
}

/**
 * Differs: upstream does not see that a node begins to count because the pod's node selector matches it now, nor that
 * other pods are counted because a label of the pod changed that `matchLabelKeys` names; and it wakes pods for taints that
 * do not matter to them.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/podtopologyspread/plugin.go EventsToRegister
 */
const podTopologySpreadEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Add' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'Pod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterLabelsOfSpread },
  { event: { resource: 'Pod', actionType: 'UpdatePodToleration' }, queueingHintFn: afterTolerationOfSpread },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'Delete' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterDomainsOfNode },
];

/** A pod of the same namespace that is counted now and was not before, or the other way round. */
function afterSpreadOfPods(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  if ((newObject ?? oldObject)?.metadata.namespace !== pod.metadata.namespace) return 'QueueSkip';
  return queueIf(
    hardConstraints(pod).some(({ selector }) => {
      const isCounted = (other: KubeObject | undefined): boolean =>
        other !== undefined && selector.matches(other.metadata.labels);
      return isCounted(oldObject) !== isCounted(newObject);
    }),
  );
}

/** The pod itself, if other pods are counted for its labels (`matchLabelKeys`), or it is counted itself, or no longer. */
function afterLabelsOfSpread(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const counted = (itself: KubeObject | undefined): readonly string[] =>
    hardConstraints(itself as Pod).map(
      ({ selector }) => `${selector} ${selector.matches(itself?.metadata.labels)}`,
    );
  return queueIf(isSame(pod, newObject) && !deepEqual(counted(oldObject), counted(newObject)));
}

/** The pod itself, if it matters to a constraint what it tolerates. */
function afterTolerationOfSpread(
  pod: Pod,
  _oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const matters = hardConstraints(pod).some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === 'Honor');
  return queueIf(isSame(pod, newObject) && matters);
}

/** A node that is in other domains than before, or counts for other constraints; one that is new, or was there. */
function afterDomainsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const constraints = hardConstraints(pod);
  const counted = (node: Node | undefined): readonly string[] | undefined => {
    if (!node || constraints.some(({ topologyKey }) => labelOf(node, topologyKey) === undefined)) return;
    return constraints.map(
      (each) => `${labelOf(node, each.topologyKey)} ${matchesNodeInclusionPolicies(each, pod, node)}`,
    );
  };
  return queueIf(!deepEqual(counted(oldObject as Node | undefined), counted(newObject as Node | undefined)));
}

/**
 * Differs: upstream asks only whom the pod itself avoids (kubernetes/kubernetes#134393), and only after those whom *all* its
 * anti-affinity terms match (pull request 139161), and not whether the last of its group has gone (#141354). Who waits for such a
 * thing waits for five minutes there.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins/interpodaffinity/plugin.go EventsToRegister
 */
const interPodAffinityEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Add' }, queueingHintFn: afterOtherPods },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterOtherPods },
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterOtherPods },
  {
    event: { resource: 'Pod', actionType: 'UpdatePodLabel' },
    queueingHintFn: (pod, _oldObject, newObject) => queueIf(isSame(pod, newObject)),
  },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterPlacesOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterPlacesOfNode },
];

/** A pod that matches all affinity terms now, or was the last that did; or that kept the pod away and does no longer. */
function afterOtherPods(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const [before, after] = [oldObject, newObject] as readonly (Pod | undefined)[];
  const { requiredAffinityTerms, requiredAntiAffinityTerms } = framework.podInfoOf(pod);
  const isSought = (other: Pod | undefined): boolean =>
    requiredAffinityTerms.length > 0 && requiredAffinityTerms.every((term) => couldMatch(term, other));
  if (!isSought(before) && isSought(after)) return 'Queue';
  // Where the last of a group has gone, the pod may be the first again.
  if (isSought(before) && !isSought(after) && isSought(pod)) return 'Queue';
  const avoidedIt = before && !after ? framework.podInfoOf(before).requiredAntiAffinityTerms : [];
  return queueIf(
    avoidedIt.some((term) => couldMatch(term, pod)) ||
      requiredAntiAffinityTerms.some((term) => couldMatch(term, before) && !couldMatch(term, after)),
  );
}

/** A hint does not know the labels of namespaces: a term that goes by them could match any. */
function couldMatch(term: framework.AffinityTerm, other: Pod | undefined): boolean {
  if (!other) return false;
  return term.namespaceSelector.selectable
    ? term.selector.matches(other.metadata.labels)
    : termMatches(term, other, new Map());
}

/** A node that is, or was, in a place of any affinity term. Without one it could be anywhere that others kept it out of. */
function afterPlacesOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const terms = framework.podInfoOf(pod).requiredAffinityTerms;
  const isPlace = (node: KubeObject | undefined): boolean =>
    node !== undefined && terms.some(({ topologyKey }) => labelOf(node, topologyKey) !== undefined);
  return queueIf(terms.length === 0 || isPlace(oldObject) || isPlace(newObject));
}

function queueIf(could: boolean): framework.QueueingHint {
  return could ? 'Queue' : 'QueueSkip';
}

function isSame(pod: Pod, other: KubeObject | undefined): boolean {
  return pod.metadata.uid === other?.metadata.uid;
}

/** "constructor" is a valid name of a label, so only own properties are labels. */
function labelOf({ metadata: { labels } }: KubeObject, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function namespaceOf({ metadata: { namespace = '' } }: Pod): string {
  return namespace;
}
