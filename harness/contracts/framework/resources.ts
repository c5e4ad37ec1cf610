import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';

/**
 * The resources that a pod requests or a node has.
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
  /** The maximum number of pods on a node; 0 in a pod's requests. */
  readonly allowedPodNumber: number;
  /** All other resources by name: `example.com/gpu`, `hugepages-2Mi`. It may contain an amount of 0. */
  readonly scalar: ReadonlyMap<string, number>;
}

/** The value without any resources. */
export const noResources: Resources = Object.freeze({
  milliCPU: 0,
  memory: 0,
  ephemeralStorage: 0,
  allowedPodNumber: 0,
  scalar: new Map<string, number>(),
});

/** The API's format: resource names mapped to quantities. */
export type ResourceList = Readonly<Record<string, string | number>>;

/**
 * Parses the API's format. It rounds cpu up to a thousandth, and other resources up to an integer.
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

/** Returns the sum for each resource. */
export function addResources(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x + y);
}

/** Returns `a` minus `b` for each resource; negative where `b` has more. */
export function subtractResources(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x - y);
}

/** Returns the maximum for each resource. */
export function maxResources(a: Resources, b: Resources): Resources {
  return combine(a, b, Math.max);
}

/**
 * Returns `a`, with the amounts of the listed resources replaced.
 *
 * @param list an absent list counts as empty
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

/** The assumed requests of a container without requests, used only to compare how busy nodes are. */
const DEFAULT_MILLI_CPU = 100;
const DEFAULT_MEMORY = 200 * 1024 * 1024;

/**
 * Returns the resources that a pod uses on its node. For each resource this is the sum of its containers' requests, or
 * the peak during its start, whichever is more. A request of the pod as a whole (`spec.resources`) replaces it. The
 * overhead is added.
 *
 * @param nonZero whether a container without requests for cpu and memory is assumed to request 100m and 200Mi. In a pod
 * with requests as a whole, this applies to a resource only if neither the pod nor any container requests it
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests; kubernetes/kubernetes@v1.36.3
 * pkg/scheduler/framework/types.go PodInfo.CalculateResource, getNonMissingContainerRequests
 *
 * Differs: in-place resizing does not exist here.
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
