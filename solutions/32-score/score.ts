/**
 * The scoring half of a scheduler: plugins that say how good a node is, and what becomes of what they say. From pure
 * numbers (how full, how uneven, how crowded) to plugins that apply them to nodes, to the sum and the choice.
 *
 * A scheduler asks hundreds of nodes for every pod. So whatever is the same for all of them is worked out once, in
 * `preScore`; `score` does nothing but look up and add.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/framework/plugins, pkg/scheduler/schedule_one.go
 */
import { framework, labels, type Node, type Pod } from '#harness';

const { MAX_NODE_SCORE, podInfoOf, skip, stateKey, success } = framework;

// Level 1 · How full a node is

/** A resource that a plugin looks at, and how much it counts beside the others. */
export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

export function amountOf(resources: framework.Resources, name: string): number {
  switch (name) {
    case 'cpu':
      return resources.milliCPU;
    case 'memory':
      return resources.memory;
    case 'ephemeral-storage':
      return resources.ephemeralStorage;
    default:
      return resources.scalar.get(name) ?? 0;
  }
}

export function leastAllocatedScore(requested: number, capacity: number): number {
  if (capacity === 0 || requested > capacity) return 0;
  return Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity);
}

export function mostAllocatedScore(requested: number, capacity: number): number {
  if (capacity === 0) return 0;
  // More than there is: containers that do not say what they want are only taken to want something.
  return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);
}

/** How nodes are to be filled. */
export interface NodeResourcesFitArgs {
  readonly type?: 'LeastAllocated' | 'MostAllocated';
  readonly resources?: readonly ResourceSpec[];
}

const strategies = { LeastAllocated: leastAllocatedScore, MostAllocated: mostAllocatedScore } as const;

const cpuAndMemory: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): framework.ScorePlugin {
  const { type = 'LeastAllocated', resources = cpuAndMemory } = args;
  refuse('NodeResourcesFit', [
    ...(Object.hasOwn(strategies, type) ? [] : [`scoringStrategy.type: Unsupported value: "${type}"`]),
    ...(resources.length > 0 ? [] : ['scoringStrategy.resources: Required value']),
    ...resources.flatMap(({ name, weight }, i) =>
      Number.isInteger(weight) && weight >= 1 && weight <= 100
        ? []
        : [`scoringStrategy.resources[${i}].weight: Invalid value: ${weight}: ${name} must weigh 1 to 100`],
    ),
  ]);
  const scoreOf = strategies[type];
  const key = stateKey<readonly RequestedResource[]>('PreScoreNodeResourcesFit');
  return {
    name: 'NodeResourcesFit',
    preScore(state, pod) {
      state.write(key, requestedResources(resources, podInfoOf(pod).nonZeroRequests));
      return success;
    },
    score(state, _pod, { allocatable, nonZeroRequested }) {
      let sum = 0;
      let weights = 0;
      for (const { name, weight, amount } of state.read(key)) {
        const capacity = amountOf(allocatable, name);
        if (capacity === 0) continue;
        sum += scoreOf(amountOf(nonZeroRequested, name) + amount, capacity) * weight;
        weights += weight;
      }
      return weights === 0 ? 0 : Math.trunc(sum / weights);
    },
  };
}

/** @throws Error when anything is wrong */
function refuse(plugin: string, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(`Failed to configure ${plugin}: ${wrong.join('; ')}.`);
}

/** A resource that counts for a pod, and how much of it the pod asks for. */
interface RequestedResource extends ResourceSpec {
  readonly amount: number;
}

/** Every node has these. Of the others, those that a pod does not ask for are none of its business. */
const native: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

function requestedResources(
  resources: readonly ResourceSpec[],
  requests: framework.Resources,
): readonly RequestedResource[] {
  return resources
    .map(({ name, weight }) => ({ name, weight, amount: amountOf(requests, name) }))
    .filter(({ name, amount }) => native.has(name) || amount > 0);
}

// Level 2 · Balance

export function balancedAllocationScore(fractions: readonly number[]): number {
  return Math.trunc((1 - deviationOf(fractions)) * MAX_NODE_SCORE);
}

function deviationOf(fractions: readonly number[]): number {
  const count = fractions.length;
  if (count < 2) return 0;
  if (count === 2) return Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2;
  const used = fractions.map((fraction) => Math.min(fraction, 1));
  const mean = used.reduce((sum, fraction) => sum + fraction, 0) / count;
  return Math.sqrt(used.reduce((sum, fraction) => sum + (fraction - mean) * (fraction - mean), 0) / count);
}

/** Which resources are to be used evenly. */
export interface NodeResourcesBalancedAllocationArgs {
  readonly resources?: readonly ResourceSpec[];
}

export function nodeResourcesBalancedAllocation(
  args: NodeResourcesBalancedAllocationArgs = {},
): framework.ScorePlugin {
  const { resources = cpuAndMemory } = args;
  const names = resources.map(({ name }) => name);
  refuse('NodeResourcesBalancedAllocation', [
    ...(resources.length > 0 ? [] : ['resources: Required value']),
    ...names.flatMap((name, i) =>
      names.indexOf(name) === i ? [] : [`resources[${i}].name: Duplicate value: "${name}"`],
    ),
    ...resources.flatMap(({ weight }, i) =>
      weight === 1 ? [] : [`resources[${i}].weight: Invalid value: ${weight}: must be 1`],
    ),
  ]);
  const key = stateKey<readonly RequestedResource[]>('PreScoreNodeResourcesBalancedAllocation');
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore(state, pod) {
      const requested = requestedResources(resources, podInfoOf(pod).requests);
      // Who asks for nothing changes no balance: all such pods would go to the one node that looks best.
      if (requested.every(({ amount }) => amount === 0)) return skip;
      state.write(key, requested);
      return success;
    },
    score(state, _pod, nodeInfo) {
      const fractions: number[] = [];
      for (const { name, amount } of state.read(key)) {
        const capacity = amountOf(nodeInfo.allocatable, name);
        if (capacity > 0) fractions.push((amountOf(nodeInfo.requested, name) + amount) / capacity);
      }
      return balancedAllocationScore(fractions);
    },
  };
}

// Level 3 · Preferred node affinity

export function defaultNormalizeScore(
  maxPriority: number,
  reverse: boolean,
  scores: readonly framework.NodeScore[],
): framework.NodeScore[] {
  let highest = 0;
  for (const { score } of scores) highest = Math.max(highest, score);
  return scores.map(({ name, score }) => {
    const part = highest === 0 ? 0 : Math.trunc((maxPriority * score) / highest);
    return { name, score: reverse ? maxPriority - part : part };
  });
}

/** A preferred term, read once. */
interface PreferredTerm {
  readonly weight: number;
  readonly matches: (node: Node) => boolean;
}

const preferredTerms = stateKey<readonly PreferredTerm[]>('PreScoreNodeAffinity');

export const nodeAffinity: framework.ScorePlugin = {
  name: 'NodeAffinity',
  preScore(state, { spec }) {
    const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.length === 0) return skip;
    state.write(
      preferredTerms,
      terms.map(({ weight, preference }) => ({ weight, matches: nodeSelectorTermMatcher(preference) })),
    );
    return success;
  },
  score(state, _pod, { node }) {
    let sum = 0;
    for (const { weight, matches } of state.read(preferredTerms)) if (matches(node)) sum += weight;
    return sum;
  },
  normalizeScore: (_state, _pod, scores) => defaultNormalizeScore(MAX_NODE_SCORE, false, scores),
};

// Level 4 · Taints that would rather not

/** A taint of a node. */
export type Taint = NonNullable<Node['spec']['taints']>[number];

/** A toleration of a pod. */
export type Toleration = NonNullable<Pod['spec']['tolerations']>[number];

export function countIntolerableTaintsPreferNoSchedule(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): number {
  let count = 0;
  for (const taint of taints ?? []) {
    if (taint.effect !== 'PreferNoSchedule') continue;
    if (!tolerations?.some((toleration) => toleratesTaint(toleration, taint))) count++;
  }
  return count;
}

export const taintToleration: framework.ScorePlugin = {
  name: 'TaintToleration',
  score: (_state, pod, { node }) =>
    countIntolerableTaintsPreferNoSchedule(node.spec.taints, pod.spec.tolerations),
  normalizeScore: (_state, _pod, scores) => defaultNormalizeScore(MAX_NODE_SCORE, true, scores),
};

// Level 5 · Images that are there already

export function normalizedImageName(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

export function scaledImageScore(sizeBytes: number, numNodes: number, totalNumNodes: number): number {
  return Math.trunc(sizeBytes * (numNodes / totalNumNodes));
}

/** Below so many bytes nothing is saved: 23 MiB. */
export const MIN_THRESHOLD_BYTES = 23 * 1024 * 1024;

/** Above so many bytes for each container nothing more is: 1000 MiB. */
export const MAX_CONTAINER_THRESHOLD_BYTES = 1000 * 1024 * 1024;

export function calculatePriority(sumScores: number, numContainers: number): number {
  const max = MAX_CONTAINER_THRESHOLD_BYTES * numContainers;
  const saved = Math.min(Math.max(sumScores, MIN_THRESHOLD_BYTES), max) - MIN_THRESHOLD_BYTES;
  return Math.trunc((MAX_NODE_SCORE * saved) / (max - MIN_THRESHOLD_BYTES));
}

/** What ImageLocality knows of a pod. */
interface WantedImages {
  /** One a container whose image is on any node at all. */
  readonly images: readonly { readonly name: string; readonly numNodes: number }[];
  readonly numContainers: number;
  readonly totalNumNodes: number;
}

const wantedImages = stateKey<WantedImages>('PreScoreImageLocality');

export const imageLocality: framework.ScorePlugin = {
  name: 'ImageLocality',
  preScore(state, { spec }, _feasible, snapshot) {
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    state.write(wantedImages, {
      images: containers.flatMap(({ image = '' }) => {
        const name = normalizedImageName(image);
        const numNodes = snapshot.imageNodes.get(name);
        return numNodes === undefined ? [] : [{ name, numNodes }];
      }),
      numContainers: containers.length,
      totalNumNodes: snapshot.nodeInfos.length,
    });
    return success;
  },
  score(state, _pod, nodeInfo) {
    const { images, numContainers, totalNumNodes } = state.read(wantedImages);
    let sum = 0;
    for (const { name, numNodes } of images) {
      const sizeBytes = nodeInfo.images.get(name);
      if (sizeBytes !== undefined) sum += scaledImageScore(sizeBytes, numNodes, totalNumNodes);
    }
    return calculatePriority(sum, numContainers);
  },
};

// Level 6 · Spread

/** This label's value is another on each node. */
export const LABEL_HOSTNAME = 'kubernetes.io/hostname';

/** A wish to be spread over the values of a label. */
export interface SoftConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: labels.Selector;
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

export function softConstraints({ metadata, spec }: Pod): SoftConstraint[] {
  const soft = (spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  return soft.map(({ maxSkew, topologyKey, labelSelector, matchLabelKeys = [], ...policies }) => ({
    maxSkew,
    topologyKey,
    selector: labels.labelSelectorAsSelector(labelSelector).add(
      ...matchLabelKeys.flatMap((key) => {
        const value = labelOf(metadata.labels, key);
        return value === undefined ? [] : [labels.newRequirement(key, '=', [value])];
      }),
    ),
    nodeAffinityPolicy: policies.nodeAffinityPolicy === 'Ignore' ? 'Ignore' : 'Honor',
    nodeTaintsPolicy: policies.nodeTaintsPolicy === 'Honor' ? 'Honor' : 'Ignore',
  }));
}

/** "constructor" is a valid label key, so only own properties are labels. */
function labelOf(of: labels.Labels | undefined, key: string): string | undefined {
  return of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined;
}

export function countPodsMatchSelector(
  pods: readonly framework.PodInfo[],
  selector: labels.Selector,
  namespace: string | undefined,
): number {
  if (selector.empty) return 0;
  let count = 0;
  for (const { pod } of pods) {
    const { metadata } = pod;
    if (metadata.deletionTimestamp === undefined && metadata.namespace === namespace) {
      if (selector.matches(metadata.labels)) count++;
    }
  }
  return count;
}

export function topologyNormalizingWeight(size: number): number {
  return Math.log(size + 2);
}

export function scoreForCount(count: number, maxSkew: number, weight: number): number {
  return count * weight + (maxSkew - 1);
}

/** A constraint, and what there is in its places. */
interface Spread {
  readonly constraint: SoftConstraint;
  /** Matching pods by the value of the topology key; `undefined` where each node is a place, and counts its own. */
  readonly counts: Map<string, number> | undefined;
  readonly weight: number;
}

interface SpreadState {
  readonly spreads: readonly Spread[];
  /** Names of feasible nodes that lack a topology key. */
  readonly leftOut: ReadonlySet<string>;
}

const spreadState = stateKey<SpreadState>('PreScorePodTopologySpread');

export const podTopologySpread: framework.ScorePlugin = {
  name: 'PodTopologySpread',
  preScore(state, pod, feasible, snapshot) {
    const constraints = softConstraints(pod);
    if (constraints.length === 0) return skip;
    const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints));
    const leftOut = new Set(lacking.map(({ name }) => name));
    const complete = feasible.filter(({ name }) => !leftOut.has(name));
    const spreads = constraints.map((constraint) => placesOf(constraint, complete));
    countAll(spreads, pod, snapshot);
    state.write(spreadState, { spreads, leftOut });
    return success;
  },
  score(state, { metadata: { namespace } }, nodeInfo) {
    const { spreads, leftOut } = state.read(spreadState);
    if (leftOut.has(nodeInfo.name)) return 0;
    let score = 0;
    for (const { constraint, counts, weight } of spreads) {
      const { maxSkew, selector, topologyKey } = constraint;
      const count = counts
        ? (counts.get(labelOf(nodeInfo.node.metadata.labels, topologyKey) ?? '') ?? 0)
        : countPodsMatchSelector(nodeInfo.pods, selector, namespace);
      score += scoreForCount(count, maxSkew, weight);
    }
    return Math.round(score);
  },
  normalizeScore(state, _pod, scores) {
    const { leftOut } = state.read(spreadState);
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (const { name, score } of scores) {
      if (leftOut.has(name)) continue;
      least = Math.min(least, score);
      most = Math.max(most, score);
    }
    return scores.map(({ name, score }) => {
      if (leftOut.has(name)) return { name, score: 0 };
      if (most === 0) return { name, score: MAX_NODE_SCORE };
      return { name, score: Math.trunc((MAX_NODE_SCORE * (most + least - score)) / most) };
    });
  },
};

function hasKeys({ metadata }: Node, constraints: readonly SoftConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => labelOf(metadata.labels, topologyKey) !== undefined);
}

/** The places of a constraint, empty as yet. Places where the pod cannot go anyway are none. */
function placesOf(constraint: SoftConstraint, complete: readonly framework.NodeInfo[]): Spread {
  const { topologyKey } = constraint;
  if (topologyKey === LABEL_HOSTNAME) {
    return { constraint, counts: undefined, weight: topologyNormalizingWeight(complete.length) };
  }
  const counts = new Map<string, number>();
  for (const { node } of complete) counts.set(labelOf(node.metadata.labels, topologyKey) ?? '', 0);
  return { constraint, counts, weight: topologyNormalizingWeight(counts.size) };
}

/** Counts the pods in the places, over all nodes: those that are full, or cordoned, have pods, too. */
function countAll(spreads: readonly Spread[], pod: Pod, { nodeInfos }: framework.Snapshot): void {
  if (spreads.every(({ counts }) => counts === undefined)) return;
  const constraints = spreads.map(({ constraint }) => constraint);
  const meetsAffinity = requiredNodeAffinityMatcher(pod);
  const { tolerations } = pod.spec;
  for (const { node, pods } of nodeInfos) {
    if (!hasKeys(node, constraints)) continue;
    for (const { constraint, counts } of spreads) {
      const place = labelOf(node.metadata.labels, constraint.topologyKey) ?? '';
      const before = counts?.get(place);
      if (before === undefined) continue;
      if (constraint.nodeAffinityPolicy === 'Honor' && !meetsAffinity(node)) continue;
      if (constraint.nodeTaintsPolicy === 'Honor' && keepsAway(node.spec.taints, tolerations)) continue;
      counts?.set(place, before + countPodsMatchSelector(pods, constraint.selector, pod.metadata.namespace));
    }
  }
}

/** Has the node a taint because of which the pod cannot run there? */
function keepsAway(taints: readonly Taint[] = [], tolerations: readonly Toleration[] = []): boolean {
  return taints.some(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => toleratesTaint(toleration, taint)),
  );
}

// Level 7 · Affinity to pods

/** How much it counts that a pod is required by one that is there already. */
export const HARD_POD_AFFINITY_WEIGHT = 1;

/** What places have gained and lost: by topology key, then by value. */
type TopologyScore = Map<string, Map<string, number>>;

const topologyScore = stateKey<TopologyScore>('PreScoreInterPodAffinity');

export const interPodAffinity: framework.ScorePlugin = {
  name: 'InterPodAffinity',
  preScore(state, pod, _feasible, snapshot) {
    const { preferredAffinityTerms, preferredAntiAffinityTerms } = podInfoOf(pod);
    const { namespaces } = snapshot;
    const gained: TopologyScore = new Map();
    /** `met`: the pod that the term speaks of, or does not. `node`: where the other pod is. */
    const process = (term: framework.AffinityTerm, met: Pod, node: Node, weight: number): void => {
      const place = labelOf(node.metadata.labels, term.topologyKey);
      if (place === undefined || !termMatches(term, met, namespaces)) return;
      const places = gained.get(term.topologyKey) ?? new Map<string, number>();
      gained.set(term.topologyKey, places.set(place, (places.get(place) ?? 0) + weight));
    };
    // Whoever has no wishes of its own need not look at those who have none, either.
    const hasWishes = preferredAffinityTerms.length + preferredAntiAffinityTerms.length > 0;
    for (const info of hasWishes ? snapshot.nodeInfos : snapshot.havePodsWithAffinity) {
      const { node } = info;
      for (const other of hasWishes ? info.pods : info.podsWithAffinity) {
        for (const term of preferredAffinityTerms) process(term, other.pod, node, term.weight);
        for (const term of preferredAntiAffinityTerms) process(term, other.pod, node, -term.weight);
        for (const term of other.requiredAffinityTerms) process(term, pod, node, HARD_POD_AFFINITY_WEIGHT);
        for (const term of other.preferredAffinityTerms) process(term, pod, node, term.weight);
        for (const term of other.preferredAntiAffinityTerms) process(term, pod, node, -term.weight);
      }
    }
    if (gained.size === 0) return skip;
    state.write(topologyScore, gained);
    return success;
  },
  score(state, _pod, { node }) {
    let sum = 0;
    for (const [key, places] of state.read(topologyScore)) {
      const place = labelOf(node.metadata.labels, key);
      if (place !== undefined) sum += places.get(place) ?? 0;
    }
    return sum;
  },
  normalizeScore(_state, _pod, scores) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (const { score } of scores) {
      least = Math.min(least, score);
      most = Math.max(most, score);
    }
    const range = most - least;
    return scores.map(({ name, score }) => ({
      name,
      score: range > 0 ? Math.trunc(MAX_NODE_SCORE * ((score - least) / range)) : 0,
    }));
  },
};

// Level 8 · The sum, and who wins

export function prioritizeNodes(request: framework.PrioritizeNodes): framework.NodePluginScores[] {
  const { plugins, state, pod, feasible, snapshot } = request;
  if (plugins.length === 0) return feasible.map(({ name }) => ({ name, scores: [], totalScore: 1 }));
  for (const { plugin } of plugins) {
    const status = plugin.preScore?.(state, pod, feasible, snapshot);
    if (status && framework.isRejected(status)) {
      throw new Error(
        `Failed to score: ${plugin.name} turned the pod away in preScore, which only filters may.`,
      );
    }
    if (status?.code === 'Skip') state.skipScorePlugins.add(plugin.name);
  }
  const asked = plugins.filter(({ plugin }) => !state.skipScorePlugins.has(plugin.name));
  const columns = asked.map((each) => weighedScores(each, request));
  return feasible.map(({ name }, row) => {
    const scores = columns.map((column) => column[row] as framework.NodeScore);
    return { name, scores, totalScore: scores.reduce((sum, { score }) => sum + score, 0) };
  });
}

/** What a plugin says of each node, normalised and weighed. Nodes of the same score share one object: there are 101. */
function weighedScores(
  { plugin, weight }: framework.WeightedPlugin,
  { state, pod, feasible }: framework.PrioritizeNodes,
): readonly framework.NodeScore[] {
  const known: framework.NodeScore[] = [];
  const weighed = (score: number | undefined): framework.NodeScore => {
    const valid = checked(plugin, score);
    known[valid] ??= { name: plugin.name, score: valid * weight };
    return known[valid];
  };
  if (!plugin.normalizeScore) return feasible.map((info) => weighed(plugin.score(state, pod, info)));
  const scores = feasible.map((info) => ({ name: info.name, score: plugin.score(state, pod, info) }));
  const normalized = plugin.normalizeScore(state, pod, scores);
  return feasible.map((_, row) => weighed(normalized[row]?.score));
}

/** @throws Error when it is no score: one plugin that counts in other units would drown all others */
function checked({ name }: framework.ScorePlugin, score: number | undefined): number {
  if (Number.isInteger(score) && score !== undefined && score >= 0 && score <= MAX_NODE_SCORE) return score;
  throw new Error(
    `Failed to score: ${name} gave ${score}, which is no whole number from 0 to ${MAX_NODE_SCORE}.`,
  );
}

export function selectHost(
  scores: readonly framework.NodePluginScores[],
  random: { int(max: number): number },
): string {
  let selected: framework.NodePluginScores | undefined;
  let equals = 0;
  for (const each of scores) {
    if (selected === undefined || each.totalScore > selected.totalScore) {
      selected = each;
      equals = 1;
    } else if (each.totalScore === selected.totalScore) {
      equals++;
      // The n-th of equals takes the place with probability 1/n: in the end each has it with the same.
      if (random.int(equals) === 0) selected = each;
    }
  }
  if (selected) return selected.name;
  throw new Error('Failed to select a host: there is no node to select from.');
}

export const scorePlugins: readonly framework.WeightedPlugin[] = [
  { plugin: taintToleration, weight: 3 },
  { plugin: nodeAffinity, weight: 2 },
  { plugin: nodeResourcesFit(), weight: 1 },
  { plugin: podTopologySpread, weight: 2 },
  { plugin: interPodAffinity, weight: 2 },
  { plugin: nodeResourcesBalancedAllocation(), weight: 1 },
  { plugin: imageLocality, weight: 1 },
];

/** This half of a scheduler, put together. */
export const scoring: framework.Scoring = { plugins: scorePlugins, prioritizeNodes, selectHost };

// Given: what kata 31 is about

/**
 * Does the toleration allow for the taint, as far as effect, key and value go?
 *
 * @see Upstream: kubernetes/api@v0.34.0 core/v1/toleration.go Toleration.ToleratesTaint
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.operator || 'Equal') === 'Equal' && (toleration.value ?? '') === (taint.value ?? '');
}

/** A term of a node selector: expressions on labels, and on the name of the node. */
export type NodeSelectorTerm = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['preferredDuringSchedulingIgnoredDuringExecution']
>[number]['preference'];

/**
 * Reads a term once, to ask about many nodes.
 *
 * @returns says whether a node meets every expression of the term. None does when the term has no expression, or one
 * that cannot be understood
 * @see Upstream: kubernetes/component-helpers@v0.34.0 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * newNodeSelectorTerm, nodeSelectorTerm.match
 */
export function nodeSelectorTermMatcher(term: NodeSelectorTerm): (node: Node) => boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return () => false;
  const operators = {
    In: 'in',
    NotIn: 'notin',
    Exists: 'exists',
    DoesNotExist: '!',
    Gt: 'gt',
    Lt: 'lt',
  } as const;
  try {
    const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
      if (!Object.hasOwn(operators, operator)) throw new labels.SelectorError(operator);
      return labels.newRequirement(key, operators[operator as keyof typeof operators], values);
    });
    const fields = matchFields.map(({ key, operator, values = [] }) => {
      if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn'))
        throw new labels.SelectorError(operator);
      return { isName: key === 'metadata.name', wanted: operator === 'In', value: values[0] };
    });
    return ({ metadata }) =>
      requirements.every((requirement) => requirement.matches(metadata.labels)) &&
      fields.every(({ isName, wanted, value }) => ((isName ? metadata.name : '') === value) === wanted);
  } catch (error) {
    if (error instanceof labels.SelectorError) return () => false;
    throw error;
  }
}

/**
 * Reads what a pod requires of a node's labels and name once, to ask about many nodes.
 *
 * @returns says whether a node has all of `spec.nodeSelector`, and meets one of the terms of the required node
 * affinity, if there is any
 * @see Upstream: kubernetes/component-helpers@v0.34.0 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatcher({ spec }: Pod): (node: Node) => boolean {
  const selector = labels.selectorFromSet(spec.nodeSelector);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms?.map(nodeSelectorTermMatcher);
  return (node) =>
    selector.matches(node.metadata.labels) && (!required || (terms ?? []).some((matches) => matches(node)));
}

/**
 * Does a term speak of this pod: is it in one of its namespaces, and has it the labels?
 *
 * @param namespaces the labels of each namespace, as a snapshot has them; one that is not there has none
 * @see Upstream: kubernetes/kube-scheduler@v0.34.0 framework/types.go AffinityTerm.Matches
 */
export function termMatches(
  term: framework.AffinityTerm,
  { metadata }: Pod,
  namespaces: framework.Snapshot['namespaces'],
): boolean {
  const namespace = metadata.namespace ?? '';
  return (
    (term.namespaces.has(namespace) || term.namespaceSelector.matches(namespaces.get(namespace) ?? {})) &&
    term.selector.matches(metadata.labels)
  );
}
