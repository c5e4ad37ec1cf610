import type * as core from '#api/core/v1';
import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { parseQuantity } from '../../../api/quantity.ts';

/** Amounts by the name of the resource: cpu in thousandths of a core, all else whole. */
export type Amounts = ReadonlyMap<string, number>;

/**
 * The most that a pod has at any moment of its life. Its init containers run one after the other; of those that stay, as
 * sidecars, each is there from its turn on. At last all containers run, beside all sidecars. Through all of it there is the
 * overhead. What the pod asks for as a whole counts in the place of all that.
 *
 * What a pod takes up on its node, and whether there is more on a node than there is room for.
 *
 * @param assumed what a container is taken to ask for, of resources of which it says nothing. @defaultValue nothing
 */
export function mostAtOnce({ spec }: Pod, assumed: Amounts = new Map()): Amounts {
  const whole = spec.resources?.requests;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  // A pod that says what it asks for as a whole is taken to ask for more only of what nothing in it speaks of.
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

/** What the pods take up together. */
export function togetherAskedBy(pods: readonly Pod[], assumed?: Amounts): Amounts {
  return sum(pods.map((pod) => mostAtOnce(pod, assumed)));
}

/** What there is for pods on a node, `pods` included. */
export function allocatableOf({ status }: Node): Amounts {
  return amounts(status.allocatable);
}

/** A port of the node that one pod has for itself. */
interface TakenPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** The ports of its node that a pod has for good: those of containers and sidecars. */
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

/** Can two pods not both have their port? */
export function collide(a: TakenPort, b: TakenPort): boolean {
  const sameAddress = a.ip === b.ip || a.ip === ANY_ADDRESS || b.ip === ANY_ADDRESS;
  return a.port === b.port && a.protocol === b.protocol && sameAddress;
}

/** A resource of which the pods of a node ask for more than there is. */
interface Overcommitment {
  readonly name: string;
  readonly asked: number;
  readonly has: number;
}

/**
 * Is there more on a node than it has?
 *
 * @param pods those on the node; one that has ended is passed over
 * @param of only what this one asks for, and how many pods there are
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

/** The same, in words: `cpu: 2500 of 2000`. */
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
