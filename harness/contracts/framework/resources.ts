import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';

/**
 * Amounts of everything that a pod asks for and a node has.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go Resource
 */
export interface Resources {
  /** Thousandths of a core. */
  readonly milliCPU: number;
  /** Bytes. */
  readonly memory: number;
  /** Bytes. */
  readonly ephemeralStorage: number;
  /** How many pods a node takes; 0 in what a pod asks for. */
  readonly allowedPodNumber: number;
  /** Everything else, by name: `example.com/gpu`, `hugepages-2Mi`. An amount of 0 may be there. */
  readonly scalar: ReadonlyMap<string, number>;
}

/** None of any resource. */
export const noResources: Resources = Object.freeze({
  milliCPU: 0,
  memory: 0,
  ephemeralStorage: 0,
  allowedPodNumber: 0,
  scalar: new Map<string, number>(),
});

/** What the API writes: names to quantities. */
export type ResourceList = Readonly<Record<string, string | number>>;

/**
 * Reads what the API writes. cpu is rounded up to a thousandth, everything else to a whole.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go NewResource
 */
export function parseResources(list: ResourceList | undefined): Resources {
  if (!list) return noResources;
  let [milliCPU, memory, ephemeralStorage, allowedPodNumber] = [0, 0, 0, 0];
  const scalar = new Map<string, number>();
  for (const [name, amount] of Object.entries(list)) {
    const quantity = parseQuantity(String(amount));
    if (name === 'cpu') milliCPU = quantity.milliValue();
    else if (name === 'memory') memory = quantity.value();
    else if (name === 'ephemeral-storage') ephemeralStorage = quantity.value();
    else if (name === 'pods') allowedPodNumber = quantity.value();
    else scalar.set(name, quantity.value());
  }
  return { milliCPU, memory, ephemeralStorage, allowedPodNumber, scalar };
}

/** The sum of the two, of each resource. */
export function addResources(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x + y);
}

/** What is left of `a` without `b`, of each resource; less than 0 where `b` has more. */
export function subtractResources(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x - y);
}

/** The larger of the two, of each resource. */
export function maxResources(a: Resources, b: Resources): Resources {
  return combine(a, b, Math.max);
}

/**
 * @param list absent is an empty one
 * @returns `a`, but of each resource that is in the list, the amount there
 */
export function overrideResources(a: Resources, list: ResourceList | undefined): Resources {
  if (!list) return a;
  const other = parseResources(list);
  return {
    milliCPU: list.cpu === undefined ? a.milliCPU : other.milliCPU,
    memory: list.memory === undefined ? a.memory : other.memory,
    ephemeralStorage: list['ephemeral-storage'] === undefined ? a.ephemeralStorage : other.ephemeralStorage,
    allowedPodNumber: list.pods === undefined ? a.allowedPodNumber : other.allowedPodNumber,
    scalar: other.scalar.size === 0 ? a.scalar : new Map([...a.scalar, ...other.scalar]),
  };
}

function combine(a: Resources, b: Resources, of: (x: number, y: number) => number): Resources {
  return {
    milliCPU: of(a.milliCPU, b.milliCPU),
    memory: of(a.memory, b.memory),
    ephemeralStorage: of(a.ephemeralStorage, b.ephemeralStorage),
    allowedPodNumber: of(a.allowedPodNumber, b.allowedPodNumber),
    scalar: combineScalar(a.scalar, b.scalar, of),
  };
}

function combineScalar(
  a: Resources['scalar'],
  b: Resources['scalar'],
  of: (x: number, y: number) => number,
): Resources['scalar'] {
  if (a.size === 0 && b.size === 0) return a;
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, of(sum.get(name) ?? 0, amount));
  return sum;
}

/** What a container that asks for none is taken to ask for, where it matters only which node is busier. */
const DEFAULT_MILLI_CPU = 100;
const DEFAULT_MEMORY = 200 * 1024 * 1024;

/**
 * What a pod takes up on the node it is on: what its containers ask for together, or what the hungriest moment of its
 * start asks for, whichever is more; in the place of that what the pod asks for as a whole (`spec.resources`), where it says so;
 * and the overhead of running a pod at all.
 *
 * @param nonZero whether a container that does not say what cpu and memory it wants is taken to want 100m and 200Mi. In a pod that
 * says what it wants as a whole, only if neither the pod nor any of its containers says it
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests; kubernetes/kubernetes@v1.36.3
 * pkg/scheduler/framework/types.go PodInfo.CalculateResource, getNonMissingContainerRequests
 *
 * Differs: resizing in place does not exist here.
 */
export function requestsOf({ spec }: Pod, nonZero = false): Resources {
  const whole = spec.resources?.requests;
  const all = [...spec.containers, ...(spec.initContainers ?? [])];
  const isSaid = (name: 'cpu' | 'memory'): boolean =>
    whole !== undefined && [whole, ...all.map(requestsIn)].some((list) => list?.[name] !== undefined);
  const [assumesCPU, assumesMemory] = [nonZero && !isSaid('cpu'), nonZero && !isSaid('memory')];
  const asked = (container: core.Container): Resources => {
    const list = requestsIn(container);
    const requests = parseResources(list);
    const milliCPU = assumesCPU && list?.cpu === undefined ? DEFAULT_MILLI_CPU : requests.milliCPU;
    const memory = assumesMemory && list?.memory === undefined ? DEFAULT_MEMORY : requests.memory;
    return { ...requests, milliCPU, memory };
  };
  let together = noResources;
  for (const container of spec.containers) together = addResources(together, asked(container));
  let sidecars = noResources;
  let starting = noResources;
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      together = addResources(together, asked(container));
      sidecars = addResources(sidecars, asked(container));
      starting = maxResources(starting, sidecars);
    } else {
      starting = maxResources(starting, addResources(asked(container), sidecars));
    }
  }
  const most = overrideResources(maxResources(together, starting), whole);
  return spec.overhead ? addResources(most, parseResources(spec.overhead as ResourceList)) : most;
}

function requestsIn({ resources }: core.Container): ResourceList | undefined {
  return resources?.requests;
}
