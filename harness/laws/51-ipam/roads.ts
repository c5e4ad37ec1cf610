import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import { type NetworkPlan, plainNetworks, twin, widerNetworks, wrongNetworks } from './networks.ts';
import type { IpamScenario, Step } from './scenario.ts';
import { wordsOf } from './words.ts';

/** Long enough for every call that began before to be over. */
const QUIET_MS = 1_000;
/** More than there are addresses in most networks. */
const CONTAINERS = 7;

type Networks = fc.Arbitrary<readonly NetworkPlan[]>;

const plain: Networks = fc.constantFrom(...plainNetworks).map((network) => [network]);
const wide: Networks = fc.constantFrom(...widerNetworks).map((network) => [network]);
const tight: Networks = fc.constantFrom(...plainNetworks.slice(2, 5)).map((network) => [network]);
const twins: Networks = fc.constantFrom(...plainNetworks).map((network) => [network, twin(network)]);

const containers = fc.nat({ max: CONTAINERS - 1 });
const inTurn = fc.constant(QUIET_MS);
/** Within a call, mostly; at times after it. */
const atOnce = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 4 }) },
  { weight: 2, arbitrary: fc.nat({ max: 20 }) },
  { weight: 1, arbitrary: inTurn },
);
/** Before which call of the kernel a process dies; the longest make some 25. */
const deaths = fc.integer({ min: 1, max: 18 });

interface Mix {
  readonly afterMs: fc.Arbitrary<number>;
  /** How many in a hundred calls die. */
  readonly dying?: number;
  readonly networks?: number;
  readonly weights?: Readonly<Partial<Record<'ADD' | 'DEL' | 'CHECK' | 'GC', number>>>;
}

/** Calls of every kind. */
function calls({ afterMs, dying = 0, networks = 1, weights = {} }: Mix): fc.Arbitrary<Step> {
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

const steps = (step: fc.Arbitrary<Step>, maxLength = 14) => fc.array(step, { minLength: 1, maxLength });

const inventory: Step = { afterMs: QUIET_MS, call: 'inventory', network: 0 };

const counted = (list: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<readonly Step[]> =>
  list.map((each) => [...each, inventory]);

function life(networks: Networks, list: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<IpamScenario> {
  return inWords(fc.record({ seed: seeds, schedule: schedules, networks, steps: list }), wordsOf);
}

const add = (container: number, more: Partial<Step> = {}): Step =>
  ({ afterMs: QUIET_MS, call: 'ADD', network: 0, container, ...more }) as Step;
const del = (container: number, more: Partial<Step> = {}): Step =>
  ({ afterMs: QUIET_MS, call: 'DEL', network: 0, container, ...more }) as Step;

const check = (container: number): Step => ({ afterMs: QUIET_MS, call: 'CHECK', network: 0, container });

const gc = (more: Partial<Step> = {}): Step =>
  ({ afterMs: QUIET_MS, call: 'GC', network: 0, gone: [], ...more }) as Step;

const leftEmpty = (at: number): Step => ({ afterMs: QUIET_MS, call: 'left empty', network: 0, at });

/** All addresses are taken, one comes free, two want it. */
const toTheLast: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.boolean(), containers, fc.nat({ max: 3 }))
  .map(([together, released, pause]) => [
    ...Array.from({ length: CONTAINERS }, (_, i) => add(i, together ? { afterMs: pause } : {})),
    del(released),
    add(CONTAINERS),
    add(CONTAINERS + 1, together ? { afterMs: pause } : {}),
  ]);

/** Two overlap, the later one goes, and another comes. */
const overtaking: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }))
  .map(([pause, gone]) => [
    add(0),
    add(1),
    add(2, { afterMs: pause }),
    del(1 + gone),
    add(3),
    add(4),
    add(5),
  ]);

/** Some die in the midst of a call, one after the other; their containers are released, and all is counted. */
const dying: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(fc.tuple(deaths, fc.constantFrom('ADD', 'ADD', 'DEL')), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
    fc.nat({ max: 6 }),
  )
  .map(([victims, isReleased, pause]) => [
    add(0),
    ...victims.flatMap(([dies, call], i) =>
      call === 'DEL' ? [add(i + 1), del(i + 1, { dies })] : [add(i + 1, { dies })],
    ),
    add(5, { afterMs: pause }),
    ...(isReleased ? victims.map((_, i) => del(i + 1)) : []),
    add(6),
    inventory,
  ]);

/** Every container is asked after, in its time and out of it. */
const checked: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(containers, { minLength: 1, maxLength: 4 }), containers)
  .map(([present, gone]) => [
    ...present.map((container) => add(container)),
    check(gone),
    del(gone),
    ...[...present, gone].map((container) => check(container)),
  ]);

/** Containers go while others are asked after. */
const checkedAtOnce: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 4 })), { minLength: 3, maxLength: 4 })
  .map((pauses) => [
    ...Array.from({ length: 5 }, (_, i) => add(i)),
    ...pauses.flatMap(([first, second], i) => [
      del(4 - i, { afterMs: i === 0 ? QUIET_MS : first + 8 }),
      { ...check(0), afterMs: second },
    ]),
  ]);

const powerCut: Step = { afterMs: 0, call: 'power cut' };

/** The power is cut in the midst of some calls; then it goes on. */
const cuts: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(calls({ afterMs: atOnce }), { minLength: 1, maxLength: 6 }),
    fc.nat({ max: 12 }),
    fc.array(calls({ afterMs: atOnce, weights: { GC: 1 } }), { maxLength: 6 }),
    fc.boolean(),
  )
  .map(([before, afterMs, after, again]) => [
    ...before,
    { ...powerCut, afterMs },
    ...after,
    ...(again ? [{ ...powerCut, afterMs: 3 }] : []),
    inventory,
  ]);

/** The disk is full while containers come and go. */
const fullDisk: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.oneof(fc.constant([]), steps(calls({ afterMs: inTurn, weights: { GC: 1 } }), 4)),
    fc.nat({ max: 6 }),
    fc.oneof(fc.constant(0), fc.integer({ min: 10, max: 20 }), fc.nat({ max: 40 })),
    steps(calls({ afterMs: atOnce }), 5),
  )
  .map(([before, afterMs, roomBytes, during]) => [
    ...before,
    { afterMs, call: 'disk full', forMs: 60, roomBytes } as Step,
    ...during,
    inventory,
  ]);

/** One dies in its ADD, and the next call is a GC. */
const deathBed: fc.Arbitrary<readonly Step[]> = fc
  .integer({ min: 8, max: 18 })
  .map((dies) => [add(0), add(1, { dies }), gc({ begun: true }), inventory]);

/** Empty files of an older host-local are among the addresses. */
const emptyFiles: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }), fc.nat({ max: 2 }), fc.boolean())
  .map(([left, before, isCollected]) => [
    ...Array.from({ length: before }, (_, i) => add(i)),
    ...left.map(leftEmpty),
    ...(isCollected ? [gc()] : []),
    add(2),
    add(6),
    check(2),
    ...left.map(leftEmpty),
    inventory,
  ]);

/** Two that are easily taken for each other: of one container, or of containers that are called alike. */
const lookingAlike: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom([0, 3], [3, 0], [0, 1], [2, 5], [2, 4], [1, 6]), fc.boolean(), fc.boolean())
  .map(([[one = 0, other = 0], isCollected, isListed]) => [
    add(one),
    check(other),
    add(other),
    ...(isListed ? [] : [gc({ unlisted: true })]),
    isCollected ? gc({ gone: [one] }) : del(one),
    check(one),
    check(other),
    add(one),
    inventory,
  ]);

const collecting: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    steps(calls({ afterMs: atOnce, dying: 30 }), 8),
    fc.array(containers, { maxLength: 3 }),
    fc.option(deaths, { nil: undefined }),
    steps(calls({ afterMs: atOnce, weights: { GC: 3 } }), 5),
  )
  .map(([before, gone, dies, after]) => [
    ...before,
    ...(dies === undefined ? [] : [gc({ dies })]),
    gc({ gone, begun: true }),
    ...after,
    gc(),
    inventory,
  ]);

/** The lives of the core. */
export const roads: readonly Road<IpamScenario>[] = [
  { name: 'one after the other', runs: 12, scenarios: life(plain, steps(calls({ afterMs: inTurn }))) },
  { name: 'to the last address', runs: 8, scenarios: life(plain, toTheLast) },
  { name: 'every container is checked', runs: 6, scenarios: life(plain, checked) },
  { name: 'some are checked while others go', runs: 12, scenarios: life(plain, checkedAtOnce) },
  { name: 'all at once', runs: 14, scenarios: life(plain, steps(calls({ afterMs: atOnce }))) },
  { name: 'one overtakes another', runs: 8, scenarios: life(plain, overtaking) },
  { name: 'a process dies', runs: 20, scenarios: life(plain, dying) },
  {
    name: 'many die',
    runs: 12,
    scenarios: life(plain, counted(steps(calls({ afterMs: atOnce, dying: 35, weights: { GC: 1 } })))),
  },
  { name: 'the power is cut', runs: 16, scenarios: life(plain, cuts) },
  { name: 'the disk is full', runs: 10, scenarios: life(plain, fullDisk) },
  { name: 'what is left is collected', runs: 12, scenarios: life(plain, collecting) },
  { name: 'what one leaves that dies is collected', runs: 20, scenarios: life(plain, deathBed) },
  {
    name: 'several range sets',
    runs: 14,
    scenarios: life(wide, counted(steps(calls({ afterMs: atOnce, dying: 15 })))),
  },
  { name: 'an older host-local has left empty files', runs: 10, scenarios: life(plain, emptyFiles) },
  { name: 'two look alike', runs: 12, scenarios: life(plain, lookingAlike) },
  {
    name: 'the configuration is wrong',
    runs: 2,
    scenarios: life(
      fc.constant(wrongNetworks),
      fc.constant(wrongNetworks.map((_, network) => add(0, { network }))),
    ),
  },
  {
    name: 'two networks',
    runs: 10,
    scenarios: life(twins, steps(calls({ afterMs: atOnce, networks: 2, weights: { GC: 1 } }))),
  },
];

const asksFor = (networks: Networks): fc.Arbitrary<IpamScenario> =>
  fc.tuple(networks, seeds, schedules).chain(([plans, seed, schedule]) => {
    const [plan] = plans as readonly [NetworkPlan];
    const known = plan.sets.flatMap(({ addresses, gateways }) => [...addresses, ...gateways]);
    const wanted = fc.constantFrom(...known.map((each) => each.split('/')[0] ?? ''), '10.9.9.9');
    const asking = fc.record({
      afterMs: atOnce,
      call: fc.constant('ADD' as const),
      network: fc.constant(0),
      container: containers,
      asksFor: wanted,
    });
    const list = steps(
      fc.oneof({ weight: 2, arbitrary: asking }, { weight: 2, arbitrary: calls({ afterMs: atOnce }) }),
    );
    const scenario = fc.record({
      seed: fc.constant(seed),
      schedule: fc.constant(schedule),
      networks: fc.constant(plans),
      steps: list,
    });
    return inWords(scenario, wordsOf);
  });

/** ★ Lives in which addresses are asked for by name. */
export const askingRoads: readonly Road<IpamScenario>[] = [
  { name: 'an address is asked for', runs: 40, scenarios: asksFor(plain) },
  { name: 'an address of several range sets is asked for', runs: 30, scenarios: asksFor(wide) },
];

const status: Step = { afterMs: QUIET_MS, call: 'STATUS', network: 0 };

/** ★ Lives in which the runtime asks whether an ADD can be served. */
export const statusRoads: readonly Road<IpamScenario>[] = [
  {
    name: 'STATUS, until all is taken',
    runs: 20,
    scenarios: life(
      tight,
      toTheLast.map((list) => list.flatMap((step) => [step, status])),
    ),
  },
  {
    name: 'STATUS of a configuration that is wrong',
    runs: 2,
    scenarios: life(
      fc.constant(wrongNetworks),
      fc.constant(wrongNetworks.map((_, network): Step => ({ ...status, network }))),
    ),
  },
  {
    name: 'STATUS at any time',
    runs: 20,
    scenarios: life(
      fc.oneof(tight, wide),
      steps(
        fc.oneof(
          { weight: 3, arbitrary: calls({ afterMs: atOnce }) },
          { weight: 1, arbitrary: fc.constant(status) },
        ),
      ),
    ),
  },
];
