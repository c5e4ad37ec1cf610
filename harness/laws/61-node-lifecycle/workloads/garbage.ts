import fc from 'fast-check';
import type * as core from '#api/core/v1';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { type AskedPod, GARBAGE, type Operation, type Step } from '../operations.ts';
import { OUT_OF_SERVICE } from '../oracle/obligations.ts';
import { BEGUN_MS, EVERYTHING, perhaps, type Story, step, wait } from './parts.ts';

const NODES = [{ zone: 'a' }, { zone: 'a' }];
/** Longer than a quarantine and three looks. */
const COLLECTED_MS = 110_000;

const podOn = (pod: number, node: AskedPod['node'], more: Partial<AskedPod> = {}): AskedPod => ({
  pod,
  node,
  tolerations: [EVERYTHING],
  ...more,
});

const CAST: readonly AskedPod[] = [
  podOn(1, 0),
  podOn(2, 0, { ended: 'Succeeded' }),
  podOn(3, 0, { isHeld: true }),
  podOn(4, 1),
];

const deletesNode = (afterMs: number): Step => step(afterMs, { do: 'delete-node', node: 0 });
const createsNode = (afterMs: number): Step => step(afterMs, { do: 'create-node', node: 0 });
const fault = fc.oneof(crashes(GARBAGE), apiFaults(GARBAGE)).map((strike): Step => ({ strike, afterMs: 0 }));

/** A Node is deleted; it comes back, or not; pods of it are deleted meanwhile. */
export const orphans: fc.Arbitrary<Story> = fc
  .record({
    backMs: perhaps(fc.constantFrom(1_000, 15_000, 30_000, 90_000)),
    deletesPod: fc.boolean(),
    faults: fc.array(fault, { maxLength: 2 }),
    isReleased: fc.boolean(),
    dies: fc.boolean(),
  })
  .map(({ backMs, deletesPod, faults, isReleased, dies }) => ({
    nodes: NODES,
    present: CAST,
    steps: [
      wait(BEGUN_MS),
      ...(dies ? [step(0, { do: 'die', node: 0 })] : []),
      deletesNode(0),
      ...faults,
      ...(deletesPod ? [step(3_000, { do: 'delete-pod', pod: 1 })] : []),
      ...(backMs === null ? [] : [createsNode(backMs)]),
      wait(COLLECTED_MS),
      ...(isReleased ? [step(0, { do: 'release-pod', pod: 3 })] : []),
    ],
  }));

/** A Node is deleted, comes back for long, and is deleted again: its second absence has a quarantine of its own. */
export const twice: fc.Arbitrary<Story> = fc
  .record({ backMs: fc.constantFrom(5_000, 15_000), staysMs: fc.constantFrom(160_000, 200_000) })
  .map(({ backMs, staysMs }) => ({
    nodes: NODES,
    present: CAST,
    steps: [wait(BEGUN_MS), deletesNode(0), createsNode(backMs), deletesNode(staysMs), wait(COLLECTED_MS)],
  }));

/** The collector sees a new Node late, or cannot read it, but sees its pods. */
export const lateNode: fc.Arbitrary<Story> = fc
  .record({ isReadable: fc.boolean(), isNew: fc.boolean(), requests: fc.constantFrom(2, 5) })
  .map(({ isReadable, isNew, requests }) => ({
    nodes: NODES,
    present: isNew ? [podOn(4, 1)] : CAST,
    steps: [
      wait(BEGUN_MS),
      deletesNode(0),
      {
        strike: { fault: 'delay-watches', process: GARBAGE, resource: 'nodes', forMs: 170_000 },
        afterMs: 3_000,
      },
      ...(isReadable
        ? []
        : [
            {
              strike: {
                fault: 'refuse',
                process: GARBAGE,
                reason: 'InternalError',
                verb: 'get',
                requests,
              } as const,
              afterMs: 0,
            },
          ]),
      createsNode(0),
      step(0, { do: 'create-pod', ...podOn(1, 0) }),
      wait(190_000),
    ],
  }));

/** A machine is off, and a user says so with a taint, or does not. */
export const outOfService: fc.Arbitrary<Story> = fc
  .record({
    isDead: fc.boolean(),
    isJudged: fc.boolean(),
    taint: fc.constantFrom<core.Taint['effect'] | undefined>(
      'NoExecute',
      'NoExecute',
      'NoSchedule',
      undefined,
    ),
    tail: perhaps(fault),
    isReleased: fc.boolean(),
  })
  .map(({ isDead, isJudged, taint, tail, isReleased }) => ({
    nodes: NODES,
    present: CAST,
    steps: [
      wait(BEGUN_MS),
      ...(isDead ? [step(0, { do: 'die', node: 0 })] : []),
      ...(isDead && isJudged ? [step(1_000, { do: 'judge', node: 0 })] : []),
      ...(taint === undefined
        ? []
        : [
            step(0, {
              do: 'taint',
              node: 0,
              taint: { key: OUT_OF_SERVICE, effect: taint, value: 'nodeshutdown' },
            }),
          ]),
      ...(tail === null ? [] : [tail]),
      step(5_000, { do: 'delete-pod', pod: 1 }),
      step(0, { do: 'delete-pod', pod: 3 }),
      wait(60_000),
      ...(isReleased ? [step(0, { do: 'release-pod', pod: 3 })] : []),
    ],
  }));

/** A pod takes the name of an orphan, before or between the requests of the collector. */
export const namesakes: fc.Arbitrary<Story> = fc
  .record({
    at: fc.constantFrom('before', 'written'),
    afterMs: fc.constantFrom(1_000, 38_000),
    requests: fc.constantFrom(0, 1, 4),
    verb: fc.constantFrom('patch', 'delete', 'get'),
  })
  .map(({ at, afterMs, requests, verb }): Story => {
    const replaces: Operation = { do: 'replace-pod', ...podOn(1, 1) };
    return {
      nodes: NODES,
      present: CAST,
      steps: [
        wait(BEGUN_MS),
        ...(requests === 0
          ? []
          : [
              {
                strike: {
                  fault: 'refuse',
                  process: GARBAGE,
                  reason: 'InternalError',
                  verb,
                  requests,
                } as const,
                afterMs: 0,
              },
            ]),
        deletesNode(0),
        at === 'before'
          ? step(afterMs, replaces)
          : step(0, { do: 'trap', pod: 1, when: 'written', then: replaces }),
        wait(COLLECTED_MS),
      ],
    };
  });

/** Pods without a node. */
export const unscheduled: fc.Arbitrary<Story> = fc.record({ isHeld: fc.boolean() }).map(({ isHeld }) => ({
  nodes: NODES,
  present: [podOn(1, 'none', { isHeld }), podOn(2, 'none')],
  steps: [wait(BEGUN_MS), step(0, { do: 'delete-pod', pod: 1 }), wait(50_000)],
}));
