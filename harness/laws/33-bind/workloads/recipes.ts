import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { type Operation, PROCESS, type Step } from '../operations.ts';
import { plain } from './plans.ts';

type Recipe = fc.Arbitrary<readonly Step[]>;

const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const create = (cpu: number, priority = 0, afterMs = 0): Step =>
  step({ do: 'create', pod: plain(cpu, priority) }, afterMs);
const wait = (afterMs: number): Step => step({ do: 'nothing' }, afterMs);
const holdBack = (resource: string, forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: PROCESS, resource, forMs }, afterMs);

const reap = (afterMs = 0): Step => step({ do: 'reap' }, afterMs);

/** Long enough for pending work to end. */
const calmMs = fc.integer({ min: 12_000, max: 20_000 });
const briefly = fc.integer({ min: 0, max: 40 });

/** Reduces the cluster to one empty node with this cpu. */
const stage = (afterMs: number, cpu: number, pods = 8): readonly Step[] => [
  step({ do: 'begin-anew', as: { cpu, pods, disk: 'hdd' } }, afterMs),
  wait(12_000),
];

/** A bind times out, applied or not, while the watch lags and another pod waits for the room. */
const unanswered: Recipe = fc
  .record({
    afterMs: calmMs,
    cpu: fc.constantFrom(500, 1000),
    performed: fc.constantFrom(true, true, true, false),
    late: fc.constantFrom(true, true, true, false),
  })
  .map(({ afterMs, cpu, performed, late }) => [
    ...stage(afterMs, 250),
    create(1000, 100),
    create(cpu),
    wait(15_000),
    ...(late ? [holdBack('pods', 200_000)] : []),
    strike({ fault: 'time-out', process: PROCESS, performed }),
    step({ do: 'resize', node: 0, cpu: 1000 }),
    wait(90_000),
  ]);

/** A bind fails, and the reads of the pod after it fail several times. */
const unheard: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 6 }))
  .map(([afterMs, requests]) => [
    ...stage(afterMs, 1000),
    strike({ fault: 'refuse', process: PROCESS, reason: 'ServiceUnavailable', requests: 1, verb: 'bind' }),
    strike({ fault: 'refuse', process: PROCESS, reason: 'ServiceUnavailable', requests, verb: 'get' }),
    create(500),
    wait(30_000),
  ]);

/** A pod changes during a slow bind. */
const touched: Recipe = fc
  .tuple(calmMs, fc.boolean(), fc.boolean())
  .map(([afterMs, tolerate, again]) => [
    ...stage(afterMs, 1000),
    ...Array.from({ length: again ? 2 : 1 }, () =>
      strike({ fault: 'time-out', process: PROCESS, performed: false, verb: 'bind' }),
    ),
    create(500),
    ...(again ? [wait(65_000)] : []),
    step(tolerate ? { do: 'tolerate', pod: 0 } : { do: 'relabel', pod: 0, app: 'db' }, 3_000),
    wait(70_000),
  ]);

/** A waiting pod is being deleted but still exists when room for it becomes free. */
const dying: Recipe = fc
  .tuple(calmMs, fc.boolean())
  .map(([afterMs, reaped]) => [
    ...stage(afterMs, 250),
    step({ do: 'create', pod: { ...plain(1000), kind: 'held' } }),
    wait(15_000),
    step({ do: 'delete', pod: 0 }),
    step({ do: 'resize', node: 0, cpu: 1000 }, 1_000),
    ...(reaped ? [reap(5_000)] : []),
    wait(5_000),
  ]);

/** A bind fails, and the pod is deleted or bound before the retry; its assumed room must become free (k#28883). */
export const refused: Recipe = fc
  .record({
    afterMs: calmMs,
    reason: fc.constantFrom(
      'InternalError' as const,
      'TooManyRequests' as const,
      'ServiceUnavailable' as const,
      'Conflict' as const,
    ),
    next: fc.constantFrom('delete' as const, 'bind' as const, 'nothing' as const),
    laterMs: fc.integer({ min: 50, max: 900 }),
  })
  .map(({ afterMs, reason, next, laterMs }) => [
    ...stage(afterMs, 1000),
    step({ do: 'add-node', node: 1, as: { cpu: 500, pods: 8, disk: 'hdd' } }),
    wait(100),
    strike({ fault: 'refuse', process: PROCESS, reason, requests: 1 }),
    create(1000),
    ...(next === 'bind'
      ? [step({ do: 'bind', pod: 0, node: 1 }, laterMs)]
      : [step({ do: next, pod: 0 } as Operation, laterMs)]),
    ...(next === 'nothing' ? [] : [create(1000, 0, 100)]),
    wait(3_000),
  ]);

/** Another client binds the pod, and the scheduler has not observed it. */
const outrun: Recipe = fc
  .tuple(calmMs, fc.constantFrom(500, 1000))
  .map(([afterMs, cpu]) => [
    ...stage(afterMs, 250),
    create(cpu),
    wait(15_000),
    step({ do: 'add-node', node: 3, as: { cpu: 2000, pods: 8, disk: 'hdd' } }),
    step({ do: 'cordon', node: 3, on: true }),
    holdBack('pods', 20_000, 100),
    step({ do: 'bind', pod: 0, node: 1 }),
    step({ do: 'resize', node: 0, cpu: 1000 }, 10),
    create(1000, 0, 5_000),
    wait(20_000),
  ]);

/** A pod is replaced by a larger pod of the same name, and the scheduler has not observed it. */
const reborn: Recipe = fc
  .tuple(calmMs, fc.constantFrom(1000, 2000), briefly)
  .map(([afterMs, cpu, laterMs]) => [
    ...stage(afterMs, 250),
    create(500),
    wait(15_000),
    holdBack('pods', 30_000),
    step({ do: 'recreate', pod: 0, as: plain(cpu) }),
    step({ do: 'resize', node: 0, cpu: 500 }, laterMs),
    wait(35_000),
  ]);

/** The scheduler crashes just before or after a bind, and restarts with a stale list, which shows free room. */
const forgetful: Recipe = fc
  .record({
    afterMs: calmMs,
    performed: fc.boolean(),
    forMs: fc.constantFrom(20_000, 60_000),
    rivals: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ afterMs, performed, forMs, rivals }) => [
    ...stage(afterMs, 1000),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed, restartAfterMs: 3_000 }),
    create(500),
    ...Array.from({ length: rivals }, (_, i) => create(500, i * 10)),
    strike({ fault: 'lag', replica: 0, forMs }, 100),
    strike({ fault: 'lag', replica: 1, forMs }),
    step({ do: 'place', node: 0, cpu: 1000 }),
    wait(forMs),
  ]);

/** A bound pod is deleted, perhaps before the informer showed it on its node, and no watch reports the deletion. */
export const unseen: Recipe = fc
  .record({
    afterMs: calmMs,
    how: fc.constantFrom('delete' as const, 'delete' as const, 'end' as const),
    seen: fc.constantFrom(false, false, true),
  })
  .map(({ afterMs, how, seen }) => [
    ...stage(afterMs, 250),
    create(1000),
    wait(15_000),
    ...(seen ? [] : [holdBack('pods', 20_000)]),
    step({ do: 'resize', node: 0, cpu: 1000 }),
    ...(seen ? [holdBack('pods', 20_000, 1_000)] : []),
    step(how === 'end' ? { do: 'end', pod: 0, phase: 'Failed' } : { do: 'delete', pod: 0 }, 200),
    reap(),
    strike({ fault: 'compact' }),
    strike({ fault: 'fail-watches', process: PROCESS, reason: 'Expired' }, 100),
    create(1000, 0, 25_000),
    wait(5_000),
  ]);

/** A node is recreated while pods are still bound to its name. */
const remade: Recipe = fc
  .tuple(calmMs, fc.constantFrom(0, 5, 3_000), fc.boolean())
  .map(([afterMs, goneMs, late]) => [
    ...stage(afterMs, 1000),
    create(500),
    wait(1_000),
    ...(late ? [holdBack('nodes', 5_000)] : []),
    step({ do: 'remove-node', node: 0 }),
    step({ do: 'add-node', node: 0, as: { cpu: 1000, pods: 8, disk: 'ssd' } }, goneMs),
    create(1000),
    create(500),
    wait(12_000),
  ]);

/** More pods than fit arrive at once, so each decision must count before the server has it. */
const rush: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 3, max: 6 }), fc.constantFrom(0, 500), fc.boolean())
  .map(([afterMs, pods, cpu, late]) => [
    ...stage(afterMs, 1000, 2),
    ...(late ? [holdBack('pods', 9_000, 10)] : []),
    step({ do: 'cordon', node: 0, on: true }),
    ...Array.from({ length: pods }, (_, i) => create(cpu, i)),
    step({ do: 'cordon', node: 0, on: false }, 3_000),
    wait(20_000),
  ]);

/** Pods with a high priority fit nowhere and are woken repeatedly; a pod that fits arrives later. */
const crowd: Recipe = fc
  .tuple(
    calmMs,
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.integer({ min: 100, max: 2_000 }), { minLength: 3, maxLength: 8 }),
  )
  .map(([afterMs, waiting, passes]) => [
    ...stage(afterMs, 500),
    step({ do: 'place', node: 0, cpu: 500 }),
    ...Array.from({ length: waiting }, () => create(500, 100)),
    ...passes.map((laterMs) => step({ do: 'pass', node: 0, cpu: 250 }, laterMs)),
    create(0),
    wait(5_000),
  ]);

/** Pods of several priorities wait for a cordoned node while the scheduler restarts. */
const queueing: Recipe = fc
  .tuple(calmMs, fc.array(fc.constantFrom(0, 10, 100), { minLength: 2, maxLength: 4 }))
  .map(([afterMs, priorities]) => [
    ...stage(afterMs, 1000),
    step({ do: 'cordon', node: 0, on: true }),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed: false, restartAfterMs: 5_000 }),
    ...priorities.map((priority) => create(500, priority)),
    step({ do: 'cordon', node: 0, on: false }, 3_000),
    wait(10_000),
  ]);

/** Fills the node; each pod that comes and goes wakes the waiting pod, which is rejected again. */
const turnedAway = (times: number): readonly Step[] => [
  step({ do: 'resize', node: 0, cpu: 250 }),
  ...Array.from({ length: times }, () => step({ do: 'pass', node: 0, cpu: 0 }, 12_000)),
];

/** A pod has several rejections and failed binds: each kind has its own count, and the last kind decides the backoff. */
const counted: Recipe = fc
  .record({
    afterMs: calmMs,
    rejections: fc.integer({ min: 2, max: 4 }),
    first: fc.constantFrom('rejections' as const, 'errors' as const),
  })
  .map(({ afterMs, rejections, first }) => [
    ...stage(afterMs, 1000),
    ...(first === 'errors' ? [refuseBinds(3)] : turnedAway(0)),
    create(500),
    ...(first === 'errors' ? [wait(4_500)] : []),
    ...turnedAway(first === 'errors' ? 1 : rejections),
    refuseBinds(1),
    step({ do: 'resize', node: 0, cpu: 1000 }, 12_000),
    wait(12_000),
  ]);

const refuseBinds = (requests: number): Step =>
  strike({ fault: 'refuse', process: PROCESS, reason: 'ServiceUnavailable', requests, verb: 'bind' });

/** Many binds fail at once, so that many backoffs end together. */
const together: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 6, max: 9 }))
  .map(([afterMs, pods]) => [
    ...stage(afterMs, 8_000, 20),
    refuseBinds(pods),
    ...Array.from({ length: pods }, () => create(500)),
    wait(12_000),
  ]);

/** Binds fail so often that 1 s shifted by their count overflows 32 bits. */
const outage: Recipe = calmMs.map((afterMs) => [
  ...stage(afterMs, 1000),
  refuseBinds(36),
  create(500),
  wait(370_000),
]);

/** Another pod arrives during a bind that times out after a minute. */
const meanwhile: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1_500, max: 9_000 }))
  .map(([afterMs, laterMs]) => [
    ...stage(afterMs, 4000),
    strike({ fault: 'time-out', process: PROCESS, performed: false, verb: 'bind' }),
    create(500),
    create(500, 0, laterMs),
    wait(70_000),
  ]);

/** Another client binds the pod to another node during its bind; a second pod waits for the assumed room. */
const overtaken = (late: boolean): Recipe =>
  fc.tuple(calmMs, fc.boolean()).map(([afterMs, more]) => [
    ...stage(afterMs, 1000),
    strike({ fault: 'time-out', process: PROCESS, performed: false, verb: 'bind' }),
    create(1000),
    create(1000, 0, 500),
    // Too small for the waiting pod.
    step({ do: 'add-node', node: 1, as: { cpu: 500, pods: 8, disk: 'hdd' } }, 500),
    ...(late ? [holdBack('pods', 90_000, 500)] : []),
    step({ do: 'bind', pod: 0, node: 1 }, 500),
    wait(75_000),
    ...(more ? [step({ do: 'resize', node: 1, cpu: 2000 }), create(500), wait(3_000)] : []),
  ]);

/** A pod changes during its backoff so that it could fit. */
const mended: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 100, max: 900 }))
  .map(([afterMs, errors, laterMs]) => [
    ...stage(afterMs, 1000),
    refuseBinds(errors),
    create(500),
    step({ do: 'tolerate', pod: 0 }, laterMs),
    wait(9_000),
  ]);

/** A bind fails, and the pod is deleted before the response arrives. */
const vanishing: Recipe = fc
  .tuple(calmMs, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 5 }))
  .map(([afterMs, gone]) => [
    ...stage(afterMs, 1000),
    ...gone.flatMap((laterMs) => [
      strike({ fault: 'refuse', process: PROCESS, reason: 'TooManyRequests', requests: 1, verb: 'bind' }),
      create(500, 0, 3_000),
      step({ do: 'delete', pod: 0 }, laterMs),
    ]),
    wait(3_000),
  ]);

/** A bind has an unknown outcome, and the pod changes during the read of it. The write of its condition fails, too. */
const outdated: Recipe = fc
  .tuple(calmMs, fc.array(fc.integer({ min: 25, max: 60 }), { minLength: 6, maxLength: 8 }))
  .map(([afterMs, changes]) => [
    ...stage(afterMs, 1000),
    ...changes.flatMap((laterMs) => [
      ...(['bind', 'patch'] as const).map((verb) =>
        strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests: 1, verb }),
      ),
      create(500, 0, 3_000),
      step({ do: 'relabel', pod: 0, app: 'db' }, laterMs),
      step({ do: 'delete', pod: 0 }, 3_000),
      reap(),
    ]),
    wait(3_000),
  ]);

/** The cluster has no node for a while. */
const bare: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 3 }))
  .map(([afterMs, pods]) => [
    ...stage(afterMs, 1000),
    step({ do: 'remove-node', node: 0 }),
    ...Array.from({ length: pods }, (_, i) => create(250, 0, 300 * i)),
    wait(9_000),
    step({ do: 'add-node', node: 1, as: { cpu: 2000, pods: 8, disk: 'hdd' } }),
    wait(3_000),
  ]);

/**
 * The recipes, each with its number of runs for each hundred. Random operations and faults also lead to these situations, but
 * so rarely that a hundred runs would find nothing.
 */
export const all: readonly {
  readonly name: string;
  readonly recipe: Recipe;
  readonly runs: number;
  /** Each message takes up to 20 ms. @defaultValue random */
  readonly isSlow?: boolean;
}[] = [
  // Some have more runs because half of their scenarios are harmless.
  { name: 'a bind without a response', recipe: unanswered, runs: 5 },
  { name: 'reads that fail after a bind', recipe: unheard, runs: 3 },
  { name: 'a pod that is changed while it is being bound', recipe: touched, runs: 5 },
  { name: 'a pod that is being deleted while it waits', recipe: dying, runs: 3 },
  { name: 'a bind that is refused', recipe: refused, runs: 4 },
  { name: 'another client binds the pod first', recipe: outrun, runs: 3 },
  { name: 'a pod that is recreated', recipe: reborn, runs: 3 },
  { name: 'a restart with a stale list', recipe: forgetful, runs: 5 },
  { name: 'a deletion that no watch reports', recipe: unseen, runs: 5 },
  { name: 'a node that is recreated', recipe: remade, runs: 3 },
  { name: 'more pods than there is room for', recipe: rush, runs: 3 },
  { name: 'important pods that fit nowhere', recipe: crowd, runs: 3 },
  { name: 'a restart with waiting pods', recipe: queueing, runs: 3 },
  { name: 'rejections and failed binds of one pod', recipe: counted, runs: 6 },
  { name: 'many binds that are refused at once', recipe: together, runs: 3 },
  { name: 'binds that are refused for minutes', recipe: outage, runs: 2 },
  { name: 'a pod that arrives during a slow bind', recipe: meanwhile, runs: 3 },
  { name: 'another client binds the pod during its bind', recipe: overtaken(false), runs: 6 },
  {
    name: 'another client binds the pod during its bind, and the watch lags',
    recipe: overtaken(true),
    runs: 6,
  },
  { name: 'a pod that changes during its backoff', recipe: mended, runs: 3 },
  { name: 'a pod that is deleted while it is being bound', recipe: vanishing, runs: 4 },
  { name: 'a pod that changes while it is being read', recipe: outdated, runs: 4, isSlow: true },
  { name: 'a cluster without nodes', recipe: bare, runs: 3 },
];
