import type * as core from '#api/core/v1';
import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { parseQuantity } from '../../../api/quantity.ts';

/** Amounts by name of the resource: cpu in thousandths of a core, other resources in whole units. */
export type Amounts = ReadonlyMap<string, number>;

/**
 * Computes the largest amount of each resource that a pod needs at any time. Its init containers run one after another; a
 * sidecar keeps running from its turn on. In the end, all containers run beside all sidecars. Requests at pod level
 * replace these amounts. The overhead comes on top.
 *
 * @param assumed the request of a container for a resource that it does not mention. @defaultValue none
 */
export function mostAtOnce({ spec }: Pod, assumed: Amounts = new Map()): Amounts {
  const whole = spec.resources?.requests;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  // With requests at pod level, `assumed` counts only for resources that neither the pod nor any container mentions.
  const said = whole ? [whole, ...containers.map(({ resources }) => resources?.requests ?? {})] : [];
  const unsaid = [...assumed].filter(([name]) => !said.some((list) => name in list));
  const asked = ({ resources }: core.Container): Amounts =>
    new Map([...unsaid, ...amounts(resources?.requests)]);
  const moments: Amounts[] = [];
  const staying: Amounts[] = [];
  for (const container of spec.initContainers ?? []) {
    const asks = asked(container);
    moments.push(sum([...staying, asks]));
    if (container.restartPolicy === 'Always') staying.push(asks);
  }
  moments.push(sum([...staying, ...spec.containers.map(asked)]));
  const most = new Map<string, number>();
  for (const moment of moments) {
    for (const [name, amount] of moment) most.set(name, Math.max(most.get(name) ?? 0, amount));
  }
  for (const [name, amount] of amounts(whole)) most.set(name, amount);
  return sum([most, amounts(spec.overhead)]);
}

/** Returns the sum of the needs of pods. */
export function togetherAskedBy(pods: readonly Pod[], assumed?: Amounts): Amounts {
  return sum(pods.map((pod) => mostAtOnce(pod, assumed)));
}

/** Returns the allocatable amounts of a node, including `pods`. */
export function allocatableOf({ status }: Node): Amounts {
  return amounts(status.allocatable);
}

/** A host port that a pod occupies. */
interface TakenPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** Returns the host ports that a pod occupies permanently: the ports of its containers and sidecars. */
export function portsOf({ spec }: Pod): readonly TakenPort[] {
  const forGood = [
    ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ...spec.containers,
  ];
  return forGood.flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort }) => hostPort)
      .map(({ hostIP, protocol, hostPort = 0 }) => ({
        ip: hostIP || ANY_ADDRESS,
        protocol: protocol || 'TCP',
        port: hostPort,
      })),
  );
}

const ANY_ADDRESS = '0.0.0.0';

/** Reports whether two host ports conflict. */
export function collide(a: TakenPort, b: TakenPort): boolean {
  const sameAddress = a.ip === b.ip || a.ip === ANY_ADDRESS || b.ip === ANY_ADDRESS;
  return a.port === b.port && a.protocol === b.protocol && sameAddress;
}

/** A resource whose requests on a node exceed the allocatable amount. */
interface Overcommitment {
  readonly name: string;
  readonly asked: number;
  readonly has: number;
}

/**
 * Returns the overcommitted resources of a node.
 *
 * @param pods the pods on the node; ended pods do not count
 * @param of if present, the result has only resources that this pod requests, and the number of pods
 */
export function overcommitted(node: Node, pods: readonly Pod[], of?: Pod): readonly Overcommitment[] {
  const there = pods.filter((pod) => !hasEnded(pod));
  const allocatable = allocatableOf(node);
  const asks = of && mostAtOnce(of);
  return [...togetherAskedBy(there), ['pods', there.length] as const].flatMap(([name, asked]) => {
    const has = allocatable.get(name) ?? 0;
    const matters = !asks || name === 'pods' || (asks.get(name) ?? 0) > 0;
    return matters && asked > has ? [{ name, asked, has }] : [];
  });
}

/** Formats the overcommitted resources of a node: `cpu: 2500 of 2000`. */
export function overcommitments(node: Node, pods: readonly Pod[]): readonly string[] {
  return overcommitted(node, pods).map(({ name, asked, has }) => `${name}: ${asked} of ${has}`);
}

function amounts(list: Readonly<Record<string, unknown>> = {}): Amounts {
  return new Map(
    Object.entries(list).map(([name, text]) => {
      const quantity = parseQuantity(String(text));
      return [name, name === 'cpu' ? quantity.milliValue() : quantity.value()];
    }),
  );
}

function sum(parts: readonly Amounts[]): Amounts {
  const total = new Map<string, number>();
  for (const part of parts) {
    for (const [name, amount] of part) total.set(name, (total.get(name) ?? 0) + amount);
  }
  return total;
}
