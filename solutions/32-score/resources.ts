/** Levels 1 and 2 · The resources that a plugin looks at: what a node has of them, and what a pod asks for. */
import type { framework } from '#harness';

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

/** A resource that counts for a pod, and how much of it the pod asks for. */
export interface RequestedResource extends ResourceSpec {
  readonly amount: number;
}

/** Every node has these. Of the others, those that a pod does not ask for are none of its business. */
const native: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What a pod asks for of these resources; those that every node has are always among them. */
export function requestedResources(
  resources: readonly ResourceSpec[],
  requests: framework.Resources,
): readonly RequestedResource[] {
  return resources
    .map(({ name, weight }) => ({ name, weight, amount: amountOf(requests, name) }))
    .filter(({ name, amount }) => native.has(name) || amount > 0);
}

/** The resources that count when the arguments name none. */
export const cpuAndMemory: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/**
 * Refuses the arguments of a plugin.
 *
 * @param wrong - what is wrong with them, as parts of a sentence
 * @throws Error when anything is wrong
 */
export function refuse(plugin: string, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(`Failed to configure ${plugin}: ${wrong.join('; ')}.`);
}
