import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';

/** The process of the plugin, as faults name it. */
export const PROCESS = 'coredns';

/** A namespace that exists from the start, one that is created later, and one that never exists. */
export const NAMESPACES = ['default', 'shop', 'nowhere'] as const;
/** The services that are created and deleted. */
export const SERVICES = ['web', 'db'] as const;
/** The addresses of endpoints. */
export const ADDRESSES = ['10.244.1.2', '10.244.1.3', '10.244.2.2', '10.244.2.3'] as const;
/** The hostnames of endpoints. */
export const HOSTNAMES = ['db-0', 'db-1'] as const;
/** An external name, for aliases. */
export const OUTSIDE = 'db.example.com';

/** The key of a service: `default/web`. */
export interface Place {
  readonly namespace: 'default' | 'shop';
  readonly name: (typeof SERVICES)[number];
}

/** An endpoint in a slice. */
export interface Endpoint {
  readonly address: (typeof ADDRESSES)[number];
  /** `unknown`: the slice does not set the condition. */
  readonly ready: 'yes' | 'no' | 'unknown';
  readonly hostname?: (typeof HOSTNAMES)[number];
}

/** The type of a service. */
export type Kind = 'cluster' | 'headless' | { readonly alias: 'outside' | 'web' | 'db' };

/** An operation in the cluster. An impossible operation, for example in a missing namespace, does nothing. */
export type Operation =
  | { readonly service: Place; readonly kind: Kind; readonly ports: readonly ('http' | 'dns')[] }
  | { readonly removeService: Place }
  | {
      readonly slice: Place;
      /** A service has up to two slices. */
      readonly index: 0 | 1;
      readonly endpoints: readonly Endpoint[];
      readonly ports: readonly ('http' | 'dns')[];
    }
  | { readonly removeSlice: Place; readonly index: 0 | 1 }
  | { readonly namespace: 'shop' };

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

const places: fc.Arbitrary<Place> = fc.record({
  namespace: fc.constantFrom('default', 'default', 'shop'),
  name: fc.constantFrom(...SERVICES),
});

const portNames = fc.constantFrom<readonly ('http' | 'dns')[]>(['http'], ['http', 'dns'], ['dns']);
const bare = fc.constantFrom<readonly ('http' | 'dns')[]>(['http'], ['http', 'dns'], ['http', 'dns'], []);

const kinds: fc.Arbitrary<Kind> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('cluster' as const) },
  { weight: 4, arbitrary: fc.constant('headless' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('outside' as const, 'web' as const, 'db' as const).map((alias) => ({ alias })),
  },
);

const endpoints: fc.Arbitrary<readonly Endpoint[]> = fc.uniqueArray(
  fc
    .record({
      address: fc.constantFrom(...ADDRESSES),
      ready: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const, 'unknown' as const),
      hostname: fc.constantFrom(undefined, undefined, ...HOSTNAMES),
    })
    .map(({ hostname, ...rest }) => ({ ...rest, ...(hostname && { hostname }) })),
  { maxLength: 3, selector: ({ address }) => address },
);

/** Generates a new or changed service. */
export const servicePuts: fc.Arbitrary<Operation> = fc.record({
  service: places,
  kind: kinds,
  ports: portNames,
});

/** Generates new, changed or deleted endpoints of a service. */
export const slicePuts: fc.Arbitrary<Operation> = fc.record({
  slice: places,
  index: fc.constantFrom(0 as const, 0 as const, 1 as const),
  endpoints,
  ports: bare,
});

/** Generates any operation. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: servicePuts },
  { weight: 7, arbitrary: slicePuts },
  { weight: 2, arbitrary: fc.record({ removeService: places }) },
  {
    weight: 2,
    arbitrary: fc.record({ removeSlice: places, index: fc.constantFrom(0 as const, 1 as const) }),
  },
  { weight: 1, arbitrary: fc.constant({ namespace: 'shop' as const }) },
);

/** Generates a fault of the plugin. */
export const strikes: fc.Arbitrary<{ readonly strike: Fault }> = fc
  .oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 2, arbitrary: crashes(PROCESS) })
  .map((strike) => ({ strike }));
