import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'namespace-controller';

/** The namespaces of a scenario. */
export const NAMESPACES = ['blue', 'green'] as const;

/** The kinds of content besides pods. PodTemplates can only be deleted one by one. */
export const KINDS = ['configmaps', 'secrets', 'leases', 'podtemplates'] as const;
export type Kind = (typeof KINDS)[number];

type NamespaceName = (typeof NAMESPACES)[number];

/** How a pod ends. */
export interface PodEnd {
  /** Its grace period, in seconds. */
  readonly graceSeconds: number;
  /** `none`: it is on no node. `ended`: its containers have ended. */
  readonly state: 'none' | 'running' | 'ended';
  /** The time that it needs to stop, in percent of its grace period. Absent: its node is lost, and it never stops. */
  readonly stopsAt?: number;
}

/** An operation of the environment. */
export type Operation =
  | { readonly do: 'fill'; readonly in: NamespaceName; readonly kind: Kind; readonly held: boolean }
  | { readonly do: 'run'; readonly in: NamespaceName; readonly pod: PodEnd; readonly held: boolean }
  | { readonly do: 'delete'; readonly in: NamespaceName }
  /** Another apiserver has admitted an object before it knew of the deletion. */
  | { readonly do: 'arrive'; readonly in: NamespaceName; readonly kind: Kind }
  /** A namespace that is gone is created again, with an object. */
  | { readonly do: 'again'; readonly in: NamespaceName }
  /** Another controller has to finalize the namespace, too. */
  | { readonly do: 'hold'; readonly in: NamespaceName }
  /** The finalizers of the content are removed. */
  | { readonly do: 'release'; readonly in: NamespaceName }
  /** Discovery lacks the group of leases, or fails. */
  | { readonly do: 'hide'; readonly what: 'group' | 'all' }
  | { readonly do: 'show' }
  /** The apiserver answers requests for this kind with 404, as if it did not know it. */
  | { readonly do: 'unserve'; readonly kind: Kind | 'pods' }
  | { readonly do: 'serve' };

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** A scenario for the controller. */
export interface NamespaceScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const name = fc.constantFrom(...NAMESPACES);
const kind = fc.constantFrom(...KINDS);
const rarely = fc.integer({ min: 0, max: 4 }).map((n) => n === 4);
const pod: fc.Arbitrary<PodEnd> = fc.record(
  {
    graceSeconds: fc.constantFrom(1, 10, 30, 60),
    state: fc.constantFrom('running' as const, 'running' as const, 'none' as const, 'ended' as const),
    stopsAt: fc.constantFrom(0, 20, 100),
  },
  { requiredKeys: ['graceSeconds', 'state'] },
);

const fill = fc.record({ do: fc.constant('fill' as const), in: name, kind, held: rarely });
const run = fc.record({ do: fc.constant('run' as const), in: name, pod, held: rarely });
const remove = fc.record({ do: fc.constant('delete' as const), in: name });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: fill },
  { weight: 3, arbitrary: run },
  { weight: 4, arbitrary: remove },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), in: name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('arrive' as const), in: name, kind }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), in: name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), in: name }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('hide' as const), what: fc.constantFrom('group', 'all') }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'show' as const }) },
);

const faults = fc.oneof(
  { weight: 3, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS) },
);

/** Returns steps that fill a namespace and delete it. */
const filled = (contents: readonly Operation[], ...more: readonly Step[]): readonly Step[] => [
  ...contents.map((operation) => at({ ...operation, in: 'blue' } as Operation)),
  at({ do: 'delete', in: 'blue' }, 1_000),
  ...more,
];

const contents = fc.array(fc.oneof(fill, fill, run), { minLength: 1, maxLength: 5 });

/** A pod that is on no node, so that its deletion takes no time. */
const POD: Operation = { do: 'run', in: 'blue', pod: { graceSeconds: 1, state: 'none' }, held: false };

/** A pod on a lost node. */
const LOST: Operation = { do: 'run', in: 'blue', pod: { graceSeconds: 30, state: 'running' }, held: false };

/** A pod that has ended, with a long grace period. */
const ENDED: Operation = { do: 'run', in: 'blue', pod: { graceSeconds: 3_600, state: 'ended' }, held: true };

/** The server refuses one request of the first attempt, or carries it out without an answer. */
const failing = fc
  .tuple(
    contents,
    fc.integer({ min: 4_990, max: 5_040 }),
    fc.constantFrom('deleteCollection', 'list', 'list', 'delete', 'updateStatus', 'finalize', 'get'),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom('refuse' as const, 'refuse' as const, 'time-out' as const),
    fc.boolean(),
  )
  .map(([all, afterMs, verb, requests, fault, performed]) =>
    filled(
      [POD, ...all],
      strike(
        fault === 'refuse'
          ? { fault, process: PROCESS, reason: 'InternalError', requests, verb }
          : { fault, process: PROCESS, performed, verb },
        afterMs,
      ),
    ),
  );

/** Discovery or an apiserver lacks a kind that the namespace contains. */
const lacking = fc
  .tuple(
    contents,
    fc.oneof(
      fc.record({
        do: fc.constant('hide' as const),
        what: fc.constantFrom('group' as const, 'all' as const),
      }),
      fc.record({ do: fc.constant('unserve' as const), kind: fc.constantFrom(...KINDS, 'pods' as const) }),
    ),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 60_000 }) },
    ),
  )
  .map(([all, obstacle, endsAfterMs]) =>
    filled(
      [
        ...KINDS.map((each) => ({ do: 'fill' as const, in: 'blue' as const, kind: each, held: false })),
        ...(obstacle.do === 'unserve' && obstacle.kind === 'pods' ? [POD] : []),
        ...all,
      ],
      at(obstacle, 100),
      ...(endsAfterMs === undefined
        ? []
        : [at({ do: obstacle.do === 'hide' ? 'show' : 'serve' }, endsAfterMs)]),
    ),
  );

/** Objects arrive after the deletion, from an apiserver that did not know of it. */
const late = fc
  .tuple(
    contents,
    fc.array(fc.tuple(kind, fc.integer({ min: 0, max: 1_900 })), { minLength: 1, maxLength: 2 }),
  )
  .map(([all, arrivals]) =>
    filled(all, ...arrivals.map(([each, afterMs]) => at({ do: 'arrive', in: 'blue', kind: each }, afterMs))),
  );

/** Pods end slowly or are held. One is on a lost node, or has ended with a long grace period. */
const podsLeft = fc
  .tuple(
    fc.array(run, { minLength: 1, maxLength: 2 }),
    fc.array(fill, { minLength: 1, maxLength: 3 }),
    fc.constantFrom<readonly Operation[]>([], [LOST], [ENDED]),
  )
  .map(([all, others, last]) =>
    filled([
      ...(last.includes(LOST) ? all.map((each) => ({ ...each, held: false })) : all),
      ...others,
      ...last,
    ]),
  );

/** A namespace is gone while the answer to its last request is lost, and is created again meanwhile. */
const again = fc
  .tuple(
    contents,
    fc.constantFrom('time-out' as const, 'time-out' as const, 'crash' as const),
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 100, max: 20_000 }),
  )
  .map(([all, fault, skip, forMs]) => [
    ...all.map((operation) => at({ ...operation, in: 'blue', held: false } as Operation)),
    at({ do: 'delete', in: 'blue' }, 1_000),
    strike(
      fault === 'time-out'
        ? { fault, process: PROCESS, performed: true, verb: 'finalize' }
        : { fault, process: PROCESS, skip: skip + 6, performed: true, restartAfterMs: forMs },
      4_000,
    ),
    strike({ fault: 'delay-watches', process: PROCESS, forMs: 90_000 }),
    at({ do: 'again', in: 'blue' }, 30_000),
    at({ do: 'again', in: 'blue' }, 40_000),
  ]);

/** Finalizers hold objects, and other controllers hold the namespace. */
const held = fc
  .tuple(
    fc.array(fc.tuple(kind, fc.boolean()), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.boolean(),
    pauses,
  )
  .map(([all, isHeld, isReleased, pauseMs]) => [
    ...(isHeld ? [at({ do: 'hold', in: 'blue' })] : []),
    ...filled(
      all.map(([each, holds]) => ({ do: 'fill' as const, in: 'blue' as const, kind: each, held: holds })),
      ...(isReleased ? [at({ do: 'release', in: 'blue' }, 6_000 + pauseMs)] : []),
    ),
  ]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
): fc.Arbitrary<NamespaceScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const any = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios of namespaces that are filled and deleted. */
export function scenarios(): readonly Workload<NamespaceScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(any, 14), runs: 24 },
    { name: 'requests that fail', scenarios: scenariosWith(failing, 1), runs: 24 },
    { name: 'kinds that are missing', scenarios: scenariosWith(lacking, 1), runs: 16 },
    { name: 'late objects', scenarios: scenariosWith(late, 1), runs: 8 },
    { name: 'pods that remain', scenarios: scenariosWith(podsLeft, 1), runs: 14 },
    { name: 'a new namespace of the name', scenarios: scenariosWith(again, 1), runs: 12 },
    { name: 'finalizers', scenarios: scenariosWith(held, 1), runs: 10 },
  ];
}

function describeScenario(scenario: NamespaceScenario): readonly string[] {
  const { steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : say(step))),
    ...sayHealing(steps),
  ];
}

function say(operation: Operation): string {
  switch (operation.do) {
    case 'fill':
      return `create one of ${operation.kind} in ${operation.in}${operation.held ? ', with a finalizer' : ''}`;
    case 'run':
      return `create a pod in ${operation.in}${operation.held ? ', with a finalizer' : ''}: ${sayPod(operation.pod)}`;
    case 'delete':
      return `delete namespace ${operation.in}`;
    case 'arrive':
      return `another apiserver stores one of ${operation.kind} in ${operation.in}`;
    case 'again':
      return `create namespace ${operation.in} again, if it is gone`;
    case 'hold':
      return `another controller adds a finalizer to the spec of namespace ${operation.in}`;
    case 'release':
      return `the finalizers of the content of ${operation.in} are removed`;
    case 'hide':
      return operation.what === 'all' ? 'discovery fails' : 'discovery lacks the group of leases';
    case 'show':
      return 'discovery is complete';
    case 'unserve':
      return `the apiserver answers requests for ${operation.kind} with 404`;
    case 'serve':
      return 'the apiserver serves every kind';
  }
}

function sayPod({ graceSeconds, state, stopsAt }: PodEnd): string {
  if (state === 'none') return 'on no node';
  if (state === 'ended') return `it has ended, with a grace period of ${graceSeconds} s`;
  const ends = stopsAt === undefined ? 'never' : `after ${stopsAt} % of it`;
  return `grace period ${graceSeconds} s, stops ${ends}`;
}
