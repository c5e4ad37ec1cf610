/** Level 5 · Resources. */
import { framework, type KubeObject, type Node, type Pod } from '#harness';
import { isSame, queueIf } from './queueing-hints.ts';

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

/**
 * Differs: as for ports, of pods without a node it hears only when they change themselves.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go EventsToRegister
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
