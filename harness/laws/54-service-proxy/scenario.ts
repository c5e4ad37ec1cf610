import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { durations, pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Step as AnyStep } from '../../testing/rig/play.ts';
import { inWords } from '../../testing/telling.ts';
import { describeScenario } from './render.ts';
import { POD_NAMES, type PodName, PROCESS } from './simulation/network.ts';

/** The possible services. `dns` uses UDP, the others TCP. */
export const SERVICE_NAMES = ['web', 'api', 'dns'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The addresses and policies of a service. */
export interface Shape {
  readonly external: 'none' | 'node-port' | 'external-ip' | 'load-balancer';
  /** externalTrafficPolicy, internalTrafficPolicy: `Local`. */
  readonly isExternalLocal: boolean;
  readonly isInternalLocal: boolean;
  /** Clients return to their endpoint (session affinity). */
  readonly isSticky: boolean;
  /** Only some external hosts may use its load balancer. */
  readonly isGuarded: boolean;
}

/** The state of a pod behind a service: `draining` still serves while it terminates, `ending` does not. */
export type PodState = 'ready' | 'unready' | 'draining' | 'ending';

/** A pod in the slices of a service. */
export interface Backend {
  readonly pod: PodName;
  readonly state: PodState;
  /** The number of its slice, of two. */
  readonly slice: 0 | 1;
  /** Another pod with the same address, in the other slice, that is still terminating. */
  readonly ghost?: 'draining' | 'ending';
}

/** The topology hints of endpoints: for their own zone or node; or only some endpoints have hints. */
export type Hints = 'none' | 'zone' | 'node' | 'partly';

/** An operation on services, on the node, or on its rules. */
export type Operation =
  | { readonly do: 'service'; readonly service: ServiceName; readonly shape: Shape }
  | { readonly do: 'delete'; readonly service: ServiceName }
  | {
      readonly do: 'endpoints';
      readonly service: ServiceName;
      readonly backends: readonly Backend[];
      readonly hints: Hints;
    }
  /** A slice is written again without a change: its observers need not do anything. */
  | { readonly do: 'repeat'; readonly service: ServiceName }
  /** Crashes the proxy; it restarts later. */
  | { readonly do: 'kill'; readonly awayMs: number }
  /** Deletes all rules of the tables. */
  | { readonly do: 'flush' }
  /** Faults end, and there is time to converge. Later trouble must not affect traffic until the next change. */
  | { readonly do: 'rest' };

/** A step of a scenario. */
export type Step = AnyStep<Operation>;

/** A scenario for the service proxy, as a value. */
export interface ProxyScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** The maximum latency of a message. */
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const names = fc.constantFrom(...SERVICE_NAMES);
const shapes: fc.Arbitrary<Shape> = fc.record({
  external: fc.constantFrom('none', 'none', 'node-port', 'external-ip', 'load-balancer'),
  isExternalLocal: fc.boolean(),
  isInternalLocal: fc.constantFrom(false, false, true),
  isSticky: fc.constantFrom(false, false, true),
  isGuarded: fc.constantFrom(false, false, true),
});
const plain: Shape = {
  external: 'none',
  isExternalLocal: false,
  isInternalLocal: false,
  isSticky: false,
  isGuarded: false,
};

const states = fc.constantFrom<PodState>('ready', 'ready', 'ready', 'unready', 'draining', 'ending');
const backends: fc.Arbitrary<readonly Backend[]> = fc.uniqueArray(
  fc
    .record({
      pod: fc.constantFrom(...POD_NAMES),
      state: states,
      slice: fc.constantFrom<0 | 1>(0, 1),
      ghost: fc.constantFrom<Backend['ghost'] | undefined>(undefined, undefined, 'draining', 'ending'),
    })
    .map(({ ghost, ...backend }) => ({ ...backend, ...(ghost && backend.state === 'ready' && { ghost }) })),
  { maxLength: 4, selector: ({ pod }) => pod },
);
const hints = fc.constantFrom<Hints>('none', 'none', 'none', 'zone', 'node', 'partly');

const makes = fc.record({ do: fc.constant('service' as const), service: names, shape: shapes });
const backs = fc.record({ do: fc.constant('endpoints' as const), service: names, backends, hints });
const repeats = fc.record({ do: fc.constant('repeat' as const), service: names });
const deletes = fc.record({ do: fc.constant('delete' as const), service: names });
const kills = fc.record({ do: fc.constant('kill' as const), awayMs: durations });

/** Calls of tools that fail, before or after they take effect. */
const callFaults: fc.Arbitrary<Fault> = fc.record({
  fault: fc.constant('fail-call' as const),
  process: fc.constant(PROCESS),
  port: fc.constant('tools' as const),
  performed: fc.boolean(),
});

/** The proxy crashes at one of its calls: a first sync has about fifty. */
const deaths = crashes(PROCESS).chain((fault) =>
  fc.constantFrom(1, 1, 6).map((more) => ('skip' in fault ? { ...fault, skip: fault.skip * more } : fault)),
);

const strikes = fc
  .oneof(
    { weight: 4, arbitrary: callFaults },
    { weight: 3, arbitrary: deaths },
    { weight: 2, arbitrary: apiFaults(PROCESS) },
  )
  .map((fault) => ({ strike: fault }));

const changes = fc.oneof(
  { weight: 4, arbitrary: makes },
  { weight: 8, arbitrary: backs },
  { weight: 1, arbitrary: deletes },
  { weight: 1, arbitrary: repeats },
  { weight: 1, arbitrary: fc.constant<Operation>({ do: 'flush' }) },
);
const troubles = fc.oneof(
  { weight: 4, arbitrary: strikes },
  { weight: 3, arbitrary: kills },
  { weight: 1, arbitrary: repeats },
);

const timed = <T extends object>(
  operations: fc.Arbitrary<T>,
): fc.Arbitrary<T & { readonly afterMs: number }> =>
  fc.tuple(pauses, operations).map(([afterMs, operation]) => ({ afterMs, ...operation }));

/** A change is not applied at once: the proxy looks for old chains, and writes rules, and one of the two fails. */
const unapplied: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(callFaults, { minLength: 2, maxLength: 6 }), timed(changes))
  .map(([faults, change]) => [...faults.map((fault): Step => ({ afterMs: 0, strike: fault })), change]);

/** A change is applied, and one of the calls fails, such as the deletion of old flows. */
const halfApplied: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    timed(
      fc.oneof(
        backs,
        backs.map((operation) => ({ ...operation, service: 'dns' as const })),
      ),
    ),
    fc.integer({ min: 1, max: 12 }),
    callFaults,
  )
  .map(([change, afterMs, strike]) => [change, { afterMs, strike }]);

const rest: Step = { afterMs: 0, do: 'rest' };

/** Changes, perhaps together with trouble; then rest; then trouble alone. */
const round: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: timed(changes).map((step): readonly Step[] => [step]) },
        { weight: 2, arbitrary: timed(troubles).map((step): readonly Step[] => [step]) },
        { weight: 1, arbitrary: unapplied },
        { weight: 1, arbitrary: halfApplied },
      ),
      { minLength: 1, maxLength: 5 },
    ),
    fc.array(timed(troubles), { maxLength: 3 }),
  )
  .map(([first, then]) => [...first.flat(), rest, ...then, rest] as readonly Step[]);

/** All services exist with endpoints, so that later steps change something. */
const beginnings: fc.Arbitrary<readonly Step[]> = fc
  .tuple(shapes, fc.boolean(), backends, backends)
  .map(([shape, isPlain, first, second]) => [
    { afterMs: 0, do: 'service', service: 'web', shape: isPlain ? plain : shape },
    { afterMs: 0, do: 'service', service: 'dns', shape: plain },
    { afterMs: 0, do: 'endpoints', service: 'web', backends: first, hints: 'none' },
    { afterMs: 0, do: 'endpoints', service: 'dns', backends: second, hints: 'none' },
    rest,
  ]);

/** General scenarios. */
export function scenarios(): fc.Arbitrary<ProxyScenario> {
  const any = fc
    .record({
      seed: seeds,
      schedule: schedules,
      latencyMs: fc.constantFrom(1, 1, 20),
      beginning: beginnings,
      rounds: fc.array(round, { minLength: 1, maxLength: 2 }),
    })
    .map(({ beginning, rounds, ...others }) => ({ ...others, steps: [...beginning, ...rounds.flat()] }));
  return inWords(any, describeScenario);
}
