import fc from 'fast-check';
import type { Node, Pod } from '../../api/objects.ts';
import type { Snapshot } from '../../contracts/framework/index.ts';
import { aSnapshot, PLAIN_IMAGE } from './levels/objects.ts';
import type { ClusterState } from './oracle/cluster-state.ts';

/** A small cluster, and a pod that has no node yet. */
export class SchedulingCluster implements ClusterState {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly namespaces: ClusterState['namespaces'];
  readonly pod: Pod;

  constructor(world: ClusterState, pod: Pod) {
    this.nodes = world.nodes;
    this.pods = world.pods;
    this.namespaces = world.namespaces;
    this.pod = pod;
  }

  /** Returns a new snapshot of the nodes and pods, as a scheduler takes one. */
  snapshot(): Snapshot {
    return aSnapshot(this.nodes, this.pods, this.namespaces);
  }

  /** Returns a copy with some parts replaced. */
  with(parts: Partial<ClusterState & { readonly pod: Pod }>): SchedulingCluster {
    return new SchedulingCluster({ ...this, ...parts }, parts.pod ?? this.pod);
  }

  /** Returns one line for each node and pod, with its fields that differ from the defaults. */
  toString(): string {
    const { nodes, pods, pod } = this;
    const there = nodes.flatMap((node) => [
      `node ${sayNode(node)}`,
      ...pods
        .filter(({ spec }) => spec.nodeName === node.metadata.name)
        .map((each) => `  has ${sayPod(each)}`),
    ]);
    return [...there, `to be placed: ${sayPod(pod, true)}`].join('\n');
  }

  /** Returns the text that fast-check prints for a counterexample. */
  [fc.toStringMethod](): string {
    return this.toString();
  }
}

/** Lists the fields that differ between two pods: `labels, affinity`. */
export function differencesOf(one: Pod, other: Pod): string {
  const partsOf = ({ metadata, spec }: Pod): Record<string, unknown> => ({
    namespace: metadata.namespace,
    labels: metadata.labels,
    ...spec,
  });
  const [ones, others] = [partsOf(one), partsOf(other)];
  const names = [...new Set([...Object.keys(ones), ...Object.keys(others)])];
  return names.filter((name) => JSON.stringify(ones[name]) !== JSON.stringify(others[name])).join(', ');
}

/** Formats a node: its name, and its fields that differ from the defaults. */
export function sayNode({ metadata, spec, status }: Node): string {
  const { name, labels } = metadata;
  return words(name, { labels, ...spec, allocatable: status.allocatable, images: status.images });
}

/**
 * Formats a pod: its name, and its fields that differ from the defaults.
 *
 * @param wants whether to print `nodeName`: for a pod that runs, the line of its node shows it
 */
export function sayPod({ metadata, spec }: Pod, wants = false): string {
  const { name, namespace, labels, deletionTimestamp } = metadata;
  const { containers, initContainers, nodeName, ...rest } = spec;
  const dying = deletionTimestamp ? ' (being deleted)' : '';
  return words(`${namespace === 'default' ? '' : `${namespace}/`}${name}${dying}`, {
    labels,
    ...(wants && nodeName !== undefined ? { nodeName } : {}),
    ...rest,
    ...(containers.length === 1 ? container(containers[0]) : { containers: containers.map(container) }),
    ...(initContainers ? { initContainers: initContainers.map(container) } : {}),
  });
}

function container(one: Pod['spec']['containers'][number] | undefined) {
  const { image, resources, ports, restartPolicy } = one ?? {};
  return {
    image: image === PLAIN_IMAGE ? undefined : image,
    requests: resources?.requests,
    ports,
    restartPolicy,
  };
}

function words(name: string, parts: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(parts).flatMap(([key, part]) =>
    isNothing(part) ? [] : [`${key}: ${flow(part)}`],
  );
  return [name, ...said].join('  ');
}

/** Formats a value as YAML does on one line. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === '' ? "''" : String(value);
  const parts = Object.entries(value).flatMap(([key, part]) =>
    part === undefined ? [] : [`${key}: ${flow(part)}`],
  );
  return `{${parts.join(', ')}}`;
}

function isNothing(part: unknown): boolean {
  if (part === undefined) return true;
  return typeof part === 'object' && part !== null && Object.values(part).every((each) => each === undefined);
}
