import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import type { IpamScenario, Step } from '../scenario/index.ts';
import {
  type NetworkPlan,
  plainNetworks,
  twin,
  widerNetworks,
  windingNetworks,
} from '../scenario/networks.ts';

/** A pause in which every earlier call ends. */
export const QUIET_MS = 1_000;
/** More than the number of addresses in most networks. */
export const CONTAINERS = 7;

/** The networks of a scenario. */
export type Networks = fc.Arbitrary<readonly NetworkPlan[]>;

/** Networks with one set; those with several ranges twice, because most errors of the order need them. */
const ofOneSet = [...plainNetworks, ...plainNetworks.filter(({ sets: [set] }) => set.ranges.length > 1)];

/** One network with one set. */
export const plain: Networks = fc.constantFrom(...ofOneSet).map((network) => [network]);
/** One network with several sets. */
export const wide: Networks = fc.constantFrom(...widerNetworks).map((network) => [network]);
/** One network with few addresses. */
export const tight: Networks = fc.constantFrom(...plainNetworks.slice(2, 5)).map((network) => [network]);
/** One network whose order is not that of the last octet. */
export const winding: Networks = fc.constantFrom(...windingNetworks).map((network) => [network]);
/** Two networks with the same addresses. */
export const twins: Networks = fc.constantFrom(...plainNetworks).map((network) => [network, twin(network)]);

export const containers = fc.nat({ max: CONTAINERS - 1 });
/** A pause after the previous call has ended. */
export const inTurn = fc.constant(QUIET_MS);
/** Mostly a pause within the previous call; sometimes after it. */
export const atOnce = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 4 }) },
  { weight: 2, arbitrary: fc.nat({ max: 20 }) },
  { weight: 1, arbitrary: inTurn },
);
/** The system call before which a process is killed; the longest command makes some 25. */
export const deaths = fc.integer({ min: 1, max: 18 });

interface Mix {
  readonly afterMs: fc.Arbitrary<number>;
  /** Percentage of calls that are killed. */
  readonly dying?: number;
  readonly networks?: number;
  readonly weights?: Readonly<Partial<Record<'ADD' | 'DEL' | 'CHECK' | 'GC', number>>>;
}

/** Generates calls of every kind. */
export function calls({ afterMs, dying = 0, networks = 1, weights = {} }: Mix): fc.Arbitrary<Step> {
  const network = fc.nat({ max: networks - 1 });
  const dies = fc.oneof(
    { weight: 100 - dying, arbitrary: fc.constant(undefined) },
    { weight: dying, arbitrary: deaths },
  );
  const base = { afterMs, network, dies };
  const { ADD = 6, DEL = 4, CHECK = 1, GC = 0 } = weights;
  const call = (name: 'ADD' | 'DEL' | 'CHECK') =>
    fc.record({ ...base, call: fc.constant(name), container: containers });
  const gone = fc.array(containers, { maxLength: 2 });
  return fc
    .oneof(
      { weight: ADD, arbitrary: call('ADD') },
      { weight: DEL, arbitrary: call('DEL') },
      { weight: CHECK, arbitrary: call('CHECK') },
      {
        weight: GC,
        arbitrary: fc.record({ ...base, call: fc.constant('GC' as const), gone, begun: fc.boolean() }),
      },
    )
    .map(({ dies: when, ...step }) => (when === undefined ? step : { ...step, dies: when }) as Step);
}

export const steps = (step: fc.Arbitrary<Step>, maxLength = 14) =>
  fc.array(step, { minLength: 1, maxLength });

/** Counts the free addresses. */
export const inventory: Step = { afterMs: QUIET_MS, call: 'inventory', network: 0 };

/** Appends a count of the free addresses. */
export const counted = (list: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<readonly Step[]> =>
  list.map((each) => [...each, inventory]);

/**
 * Generates scenarios with these networks and steps. The networks come last: all classes of scenarios begin with the same
 * random numbers, and would otherwise get the same networks in the same order.
 */
export function scenariosWith(
  networks: Networks,
  list: fc.Arbitrary<readonly Step[]>,
): fc.Arbitrary<IpamScenario> {
  return inWords(fc.record({ seed: seeds, schedule: schedules, steps: list, networks }), describeScenario);
}

/** An ADD after a quiet pause. */
export const add = (container: number, more: Partial<Step> = {}): Step =>
  ({ afterMs: QUIET_MS, call: 'ADD', network: 0, container, ...more }) as Step;
/** A DEL after a quiet pause. */
export const del = (container: number, more: Partial<Step> = {}): Step =>
  ({ afterMs: QUIET_MS, call: 'DEL', network: 0, container, ...more }) as Step;

/** A CHECK after a quiet pause. */
export const check = (container: number): Step => ({
  afterMs: QUIET_MS,
  call: 'CHECK',
  network: 0,
  container,
});

/** A GC after a quiet pause; its list has all containers with an address. */
export const gc = (more: Partial<Step> = {}): Step =>
  ({ afterMs: QUIET_MS, call: 'GC', network: 0, gone: [], ...more }) as Step;

/** An earlier host-local left the file of this address empty. */
export const leftEmpty = (at: number): Step => ({ afterMs: QUIET_MS, call: 'left empty', network: 0, at });

/** All addresses are allocated. Then each container in turn is released, and another one wants its address. */
export const eachInTurn: fc.Arbitrary<readonly Step[]> = fc
  .shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
  .map((order) => [
    ...Array.from({ length: CONTAINERS }, (_, i) => add(i)),
    ...order.flatMap((i) => [del(i), add(CONTAINERS + i)]),
  ]);

/** All addresses are allocated, one is released, two containers want it. */
export const toTheLast: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.boolean(), containers, fc.nat({ max: 3 }))
  .map(([together, released, pause]) => [
    ...Array.from({ length: CONTAINERS }, (_, i) => add(i, together ? { afterMs: pause } : {})),
    del(released),
    add(CONTAINERS),
    add(CONTAINERS + 1, together ? { afterMs: pause } : {}),
  ]);
