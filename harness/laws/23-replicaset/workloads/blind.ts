import fc from 'fast-check';
import { type ContainerName, PROCESS } from '../operations.ts';
import { calmMs, few, holdBack, type Recipe, scale, step, strike } from './recipes.ts';

const nothing = (afterMs: number) => step({ do: 'nothing' }, afterMs);
const run = (afterMs = 1_000) => step({ do: 'run' }, afterMs);
const touch = (afterMs: number) => step({ do: 'touch', set: 'web' }, afterMs);

/** Its cache shows deleted pods while ages reach one magnitude, so that the order of deletion changes. */
export const ageing: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 14_000, max: 18_000 }), fc.integer({ min: 1, max: 3 }))
  .map(([afterMs, gapMs, count]) => [
    scale(count, afterMs),
    run(),
    scale(2 * count, gapMs),
    run(),
    holdBack('pods', 150_000, 2_000),
    scale(count),
    touch(61_000),
    touch(20_000),
    touch(20_000),
    nothing(1_000),
  ]);

/** The same, and the deletes got no response. */
export const ageingUnheard: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 3_000, max: 4_000 }))
  .map(([afterMs, gapMs]) => [
    scale(1, afterMs),
    run(),
    scale(3, gapMs),
    run(500),
    holdBack('pods', 150_000, 1_000),
    ...[1, 2].map(() => strike({ fault: 'time-out' as const, process: PROCESS, performed: true })),
    scale(1),
    nothing(70_000),
  ]);

/** Its expectations expire, and the first reads from the server fail. */
export const expiredAndRefused: Recipe = fc
  .tuple(calmMs, few, fc.constantFrom(1, 2))
  .map(([afterMs, replicas, requests]) => [
    scale(0, afterMs),
    holdBack('pods', 400_000, 2_000),
    scale(replicas),
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }, 290_000),
    touch(20_000),
    nothing(10_000),
  ]);

/** A create gets no response; the controller reads from the server, and is woken several times before it observes any pod. */
export const wokenBlind: Recipe = fc
  .record({ afterMs: calmMs, replicas: few, skip: fc.nat({ max: 4 }), performed: fc.boolean() })
  .map(({ afterMs, replicas, skip, performed }) => [
    scale(0, afterMs),
    holdBack('pods', 120_000, 2_000),
    strike({ fault: 'time-out', process: PROCESS, performed }),
    scale(replicas),
    touch(62_000 + skip),
    touch(5_000),
    touch(5_000),
    nothing(1_000),
  ]);

/**
 * A create or a delete gets no response and is not performed. Meanwhile the ReplicaSet is scaled again, which the controller does not
 * observe before it reads from the server.
 */
export const resized: Recipe = fc
  .tuple(
    calmMs,
    fc.constantFrom<readonly [from: number, to: number, then: number]>(
      [0, 4, 1],
      [0, 3, 2],
      [0, 5, 1],
      [4, 0, 3],
    ),
  )
  .map(([afterMs, [from, to, then]]) => [
    scale(from, afterMs),
    run(),
    strike({ fault: 'time-out', process: PROCESS, performed: false }, 2_000),
    scale(to),
    strike({ fault: 'delay-watches', process: PROCESS, forMs: 150_000 }, 2_000),
    scale(then, 1_000),
    nothing(80_000),
  ]);

/** It starts to create pods, and from then on receives no events; one of the pods is deleted. */
export const deaf: Recipe = fc
  .record({
    afterMs: calmMs,
    replicas: fc.integer({ min: 2, max: 5 }),
    laterMs: fc.integer({ min: 15, max: 120 }),
    pod: fc.nat({ max: 1 }),
  })
  .map(({ afterMs, replicas, laterMs, pod }) => [
    scale(0, afterMs),
    scale(replicas, 10_000),
    strike({ fault: 'delay-watches', process: PROCESS, forMs: 400_000 }, laterMs),
    step({ do: 'kill', pod }, 5_000),
    nothing(350_000),
  ]);

/** A status write conflicts with a change of the ReplicaSet that the controller has not observed. */
export const overtaken: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 1, max: 3 }), fc.nat({ max: 4 }))
  .map(([afterMs, replicas, more, pod]) => [
    scale(replicas, afterMs),
    run(),
    holdBack('replicasets', 20_000, 3_000),
    scale(replicas + more),
    step({ do: 'flip', pod }, 1_000),
    nothing(1_000),
  ]);

const marks = fc.oneof(
  fc.record({ do: fc.constant('flip' as const), pod: fc.nat({ max: 5 }) }),
  fc.record({ do: fc.constant('price' as const), pod: fc.nat({ max: 5 }), cost: fc.constantFrom(-1, 5) }),
);

/** More pods than nodes, some with a deletion cost; two must be deleted. */
export const crowds: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 4, max: 6 }), fc.array(marks, { minLength: 2, maxLength: 4 }))
  .map(([afterMs, replicas, each]) => [
    scale(replicas, afterMs),
    run(),
    ...each.map((mark) => step(mark, 1_000)),
    scale(replicas - 2, 40_000),
    nothing(3_000),
  ]);

/** Pods that became ready at about the same time, long ago, on different nodes: the uids decide. */
export const elders: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1_000, max: 3_000 }), fc.integer({ min: 1_000, max: 3_000 }))
  .map(([afterMs, gapMs, otherGapMs]) => [
    scale(1, afterMs),
    run(),
    scale(2, gapMs),
    run(),
    scale(3, otherGapMs),
    run(),
    scale(2, 70_000),
    scale(1, 1_000),
    nothing(3_000),
  ]);

/** Pods became ready some seconds apart, a little more than a minute ago: their ages lie around a power of two of nanoseconds. */
export const atPowersOfTwo: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 3_200, max: 5_000 }), fc.constantFrom(61_500, 66_000))
  .map(([afterMs, gapMs, ageMs]) => [
    scale(1, afterMs),
    run(),
    scale(2, gapMs),
    run(),
    scale(1, ageMs),
    nothing(3_000),
  ]);

/** Four pods on three nodes, one with a deletion cost, which counts more than the node. */
export const prices: Recipe = fc
  .tuple(calmMs, fc.constantFrom<readonly [pod: number, cost: number]>([1, -1], [2, -1], [0, 5]))
  .map(([afterMs, [pod, cost]]) => [
    scale(4, afterMs),
    run(),
    step({ do: 'price', pod, cost }, 2_000),
    scale(3, 2_000),
    nothing(3_000),
  ]);

/** One or two nodes have a pod of another ReplicaSet of the same Deployment; then each node gets a pod. One must be deleted. */
export const related: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 2 }))
  .map(([afterMs, others]) => [
    scale(0, afterMs),
    step({ do: 'create', set: 'canary', replicas: others }, 2_000),
    run(2_000),
    scale(3, 2_000),
    run(),
    scale(2, 20_000),
    nothing(3_000),
  ]);

/** Two pods are unready, lost or only scheduled, one with a low deletion cost; a third is in an earlier phase. One must be deleted. */
export const lessFarOn: Recipe = fc
  .tuple(calmMs, fc.constantFrom('bind' as const, 'flip' as const, 'lose' as const), fc.nat({ max: 1 }))
  .map(([afterMs, how, pod]) => [
    scale(2, afterMs),
    ...(how === 'bind'
      ? [step({ do: 'bind' }, 1_000)]
      : // The second pod becomes the first one that runs.
        [run(), step({ do: how, pod: 0 }, 1_000), step({ do: how, pod: how === 'lose' ? 0 : 1 })]),
    step({ do: 'price', pod, cost: -1 }, 1_000),
    scale(3, 1_000),
    ...(how === 'bind' ? [] : [step({ do: 'bind' }, 1_000)]),
    scale(2, 2_000),
    nothing(3_000),
  ]);

/** One pod has been ready for long, after two restarts; the other has just become ready, after its first restart. */
export const readyAgain: Recipe = fc.tuple(calmMs, fc.nat({ max: 1 })).map(([afterMs, old]) => {
  const restart = (pod: number) => [step({ do: 'flip', pod }, 1_000), step({ do: 'flip', pod }, 1_000)];
  return [
    scale(2, afterMs),
    run(),
    ...restart(old),
    ...restart(old),
    ...restart(1 - old).map((each, i) => (i === 0 ? { ...each, afterMs: 100_000 } : each)),
    scale(1, 2_000),
    nothing(3_000),
  ];
});

/** Two pods on two nodes. A container of one restarted, and the init container of the other more often. */
export const setupRestarts: Recipe = fc
  .tuple(calmMs, fc.nat({ max: 1 }), fc.constantFrom<ContainerName>('web', 'proxy'))
  .map(([afterMs, worst, of]) => {
    const restart = (pod: number, container: ContainerName) => [
      step({ do: 'flip', pod }),
      step({ do: 'flip', pod, of: container }),
    ];
    const all = [0, 1];
    return [
      scale(2, afterMs),
      run(),
      ...restart(worst, of),
      ...restart(1 - worst, 'setup'),
      ...restart(1 - worst, 'setup'),
      // In the end both pods become ready in the same second.
      ...all.map((pod) => step({ do: 'flip', pod }, pod === 0 ? 5_000 : 0)),
      ...all.map((pod) => step({ do: 'flip', pod, of: 'proxy' }, pod === 0 ? 2_000 : 0)),
      scale(1, 10_000),
      nothing(3_000),
    ];
  });

/** Pods that became ready at the same moment, with different restart counts. */
export const restarts: Recipe = fc
  .tuple(
    calmMs,
    fc.nat({ max: 2 }),
    fc.nat({ max: 1 }),
    fc.constantFrom<readonly (readonly ContainerName[])[]>(
      // The second container of one pod, or the first of another, restarts.
      [['log', 'log'], ['web']],
      [['proxy', 'proxy'], []],
      // The init container of another pod restarted more often than the sidecar.
      [['proxy'], ['setup', 'setup']],
      // More restarts in total, but fewer of a single container.
      [
        ['web', 'web', 'web'],
        ['web', 'web', 'log', 'log'],
      ],
    ),
  )
  .map(([afterMs, worst, next, [ofWorst = [], ofOther = []]]) => {
    const other = (worst + 1 + next) % 3;
    const restart = (pod: number, containers: readonly ContainerName[]) =>
      containers.flatMap((of) => [step({ do: 'flip', pod }), step({ do: 'flip', pod, of })]);
    const all = [0, 1, 2];
    return [
      scale(3, afterMs),
      run(),
      ...restart(worst, ofWorst),
      ...restart(other, ofOther),
      // In the end all pods become ready in the same second.
      ...all.map((pod) => step({ do: 'flip', pod }, pod === 0 ? 5_000 : 0)),
      ...all.map((pod) => step({ do: 'flip', pod, of: 'proxy' }, pod === 0 ? 2_000 : 0)),
      scale(2, 10_000),
      nothing(3_000),
    ];
  });
