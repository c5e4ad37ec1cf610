/** Level 5 · Resources. */
import { framework, type Pod } from '#harness';

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
  const most = framework.overrideResources(
    framework.maxResources(starting, running),
    spec.resources?.requests,
  );
  return framework.addResources(most, framework.parseResources(spec.overhead as framework.ResourceList));
}

function requestsOf(resources: Pod['spec']['containers'][number]['resources']): framework.Resources {
  return framework.parseResources(resources?.requests as framework.ResourceList | undefined);
}

const nothingShort: readonly framework.InsufficientResource[] = Object.freeze([]);

export function insufficientResources(
  requests: framework.Resources,
  { pods, requested, allocatable }: framework.NodeInfo,
): readonly framework.InsufficientResource[] {
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
): framework.InsufficientResource {
  return { resourceName: 'pods', reason: 'Too many pods', requested: 1, used, capacity, unresolvable: false };
}

/** Appends this resource to the list if there is not enough of it. */
function orShort(
  short: readonly framework.InsufficientResource[],
  resourceName: string,
  requested: number,
  used: number,
  capacity: number,
): readonly framework.InsufficientResource[] {
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
  eventsToRegister: () => framework.eventsToRegister.nodeResourcesFit(podRequests, insufficientResources),
};
