import fc from 'fast-check';

/** The label that names the node itself. */
export const HOSTNAME = 'kubernetes.io/hostname';

/** The label that names the zone of a node. */
export const ZONE = 'topology.kubernetes.io/zone';
/** A label that half of the nodes have, and that makes a place all the same. */
export const DISK = 'disk';

/** A resource that few nodes have. */
export const GPU = 'example.com/gpu';

/** Else fast-check makes some objects without a prototype, which are not what comes out of JSON. */
export const plain = { noNullPrototype: true } as const;

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** With what is `undefined` left out. */
export function defined<T extends object>(parts: T): Defined<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Defined<T>;
}

/** There once, when it is left out `times` times. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** One of these lists of texts. */
export function listOf(...lists: string[][]): fc.Arbitrary<string[]> {
  return fc.constantFrom(...lists);
}

/** What the nodes of a cluster are called. */
export function nodeNamed(index: number): string {
  return `node-${index}`;
}

/** Demands for which it matters where other pods are: to be spread, or to be beside them and apart from them. */
export type Theme = 'spread' | 'company';
