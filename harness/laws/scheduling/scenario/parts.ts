import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { LabelSelector } from '#api/meta/v1';

/** The label that names the node itself. */
export const HOSTNAME = 'kubernetes.io/hostname';

/** The label that names the zone of a node. */
export const ZONE = 'topology.kubernetes.io/zone';
/** A label that half of the nodes have, and that still serves as a topology key. */
export const DISK = 'disk';

/** A resource that few nodes have. */
export const GPU = 'example.com/gpu';

/** Options of records. Without them, fast-check makes some objects without a prototype, which JSON never does. */
export const plain = { noNullPrototype: true } as const;

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns an object without the fields that are `undefined`. */
export function defined<T extends object>(parts: T): Defined<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Defined<T>;
}

/** Returns an arbitrary that is `undefined` in `times` of `times + 1` cases. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Returns an arbitrary of one of the lists. */
export function listOf(...lists: string[][]): fc.Arbitrary<string[]> {
  return fc.constantFrom(...lists);
}

/** Returns the name of the node with an index. */
export function nodeNamed(index: number): string {
  return `node-${index}`;
}

/** A kind of demands on the location of other pods: topology spread, or affinity and anti-affinity. */
export type Theme = 'spread' | 'company';

/** The namespaces of a cluster, with their labels. */
export const NAMESPACES = { default: { team: 'core' }, shop: { team: 'shop' } } as const;

/**
 * Selectors of namespaces: of all, of one, of all others, and by a label that no namespace has. A term that also lists
 * namespaces selects those that match either.
 */
const namespaceSelectors: fc.Arbitrary<LabelSelector> = fc.oneof(
  fc.constantFrom<LabelSelector>({}, { matchLabels: { team: 'shop' } }, { matchLabels: { team: 'core' } }),
  fc
    .record({ key: fc.constantFrom('team', 'team', 'tier'), value: fc.constantFrom('shop', 'core') }, plain)
    .map(({ key, value }) => ({ matchExpressions: [{ key, operator: 'NotIn', values: [value] }] })),
  fc
    .record(
      { key: fc.constantFrom('team', 'tier'), operator: fc.constantFrom('Exists', 'DoesNotExist') },
      plain,
    )
    .map((one) => ({ matchExpressions: [one] })),
);

/** The namespaces of a term of an affinity: of the pod, by name, by their labels, or both. */
export const termNamespaces: fc.Arbitrary<Pick<core.PodAffinityTerm, 'namespaces' | 'namespaceSelector'>> = fc
  .record(
    {
      namespaces: rarely(listOf(['shop'], ['default', 'shop'], ['default']), 3),
      namespaceSelector: rarely(namespaceSelectors, 2),
    },
    plain,
  )
  .map(defined);
