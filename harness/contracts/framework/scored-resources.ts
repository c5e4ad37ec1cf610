import type { Resources } from './resources.ts';

/** A resource that a plugin scores, and its weight. */
export interface ResourceSpec {
  /** As in a pod's requests: `cpu`, `memory`, `ephemeral-storage`, `example.com/gpu`. */
  readonly name: string;
  /** An integer. */
  readonly weight: number;
}

/** A resource that counts for a pod, and the amount that the pod requests. */
export interface RequestedResource extends ResourceSpec {
  readonly amount: number;
}

/**
 * Returns the amount of a resource.
 *
 * @param name `cpu`, `memory`, `ephemeral-storage`, or any other resource, which is looked up in `scalar`
 * @returns thousandths of a core, bytes, bytes, or the amount: `cpu: 1500m` is 1,500. 0 for a missing resource, and for
 * `pods`
 */
export function amountOf(resources: Resources, name: string): number {
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

/** Resources of every node. Others count only for a pod that requests them. */
const native: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/**
 * Returns the resources that count for the pod, with the amounts that it requests. `cpu`, `memory` and
 * `ephemeral-storage` always count. Other resources count only if the pod requests them.
 *
 * @param requests the requests of the pod
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/resource_allocation.go
 * resourceAllocationScorer.calculatePodResourceRequestList, calculateResourceAllocatableRequest
 */
export function requestedResources(
  resources: readonly ResourceSpec[],
  requests: Resources,
): readonly RequestedResource[] {
  return resources
    .map(({ name, weight }) => ({ name, weight, amount: amountOf(requests, name) }))
    .filter(({ name, amount }) => native.has(name) || amount > 0);
}

const cpuAndMemory: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** Arguments of the plugin `NodeResourcesFit`. */
export interface NodeResourcesFitArgs {
  /** `LeastAllocated` spreads pods over nodes, `MostAllocated` packs them. @defaultValue `LeastAllocated` */
  readonly type?: 'LeastAllocated' | 'MostAllocated';
  /** @defaultValue cpu and memory, each with weight 1 */
  readonly resources?: readonly ResourceSpec[];
}

/**
 * Adds defaults to the arguments.
 *
 * @throws Error that names each invalid field: `scoringStrategy.resources[1].weight` (counted from 0) for a weight that
 * is not an integer from 1 to 100, `scoringStrategy.type` for an unknown type
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/validation/validation_pluginargs.go
 * ValidateNodeResourcesFitArgs
 */
export function nodeResourcesFitArgs(args: NodeResourcesFitArgs): Required<NodeResourcesFitArgs> {
  const { type = 'LeastAllocated', resources = cpuAndMemory } = args;
  refuse('NodeResourcesFit', [
    ...(['LeastAllocated', 'MostAllocated'].includes(type)
      ? []
      : [`scoringStrategy.type: Unsupported value: "${type}"`]),
    ...(resources.length > 0 ? [] : ['scoringStrategy.resources: Required value']),
    ...resources.flatMap(({ name, weight }, i) =>
      Number.isInteger(weight) && weight >= 1 && weight <= 100
        ? []
        : [`scoringStrategy.resources[${i}].weight: Invalid value: ${weight}: ${name} must weigh 1 to 100`],
    ),
  ]);
  return { type, resources };
}

/** Arguments of the plugin `NodeResourcesBalancedAllocation`: the resources whose usage it balances. */
export interface NodeResourcesBalancedAllocationArgs {
  /** @defaultValue cpu and memory, each with weight 1 */
  readonly resources?: readonly ResourceSpec[];
}

/**
 * Adds defaults to the arguments.
 *
 * @throws Error that names each invalid field: `resources[1].weight` (counted from 0) for a weight that is not 1,
 * `resources[1].name` for a duplicate name
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/validation/validation_pluginargs.go
 * ValidateNodeResourcesBalancedAllocationArgs
 */
export function nodeResourcesBalancedAllocationArgs(
  args: NodeResourcesBalancedAllocationArgs,
): Required<NodeResourcesBalancedAllocationArgs> {
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
  return { resources };
}

/**
 * Rejects invalid arguments of a plugin.
 *
 * @param wrong the errors, as parts of a sentence
 * @throws Error when there are errors
 */
function refuse(plugin: string, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(`Failed to configure ${plugin}: ${wrong.join('; ')}.`);
}
