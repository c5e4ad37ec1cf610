import { describe, expect, test } from 'vitest';
import { nothingSeen } from '#given/42-probes';
import type { core, Pod, ProbeResult, ProbeType } from '#harness';
import { named, vectors } from '#harness/testing';
import { count, isHeldBack, look } from '#kata/42-probes/probes';
import { containerStatus, probed, START_MS, statusOf } from './probes.fixture.ts';

interface Step {
  readonly pod: 'none' | { readonly phase: string; readonly deleting?: boolean };
  readonly container?: {
    readonly id: string;
    readonly state: 'running' | 'waiting' | 'terminated';
    readonly started?: boolean;
    readonly age?: number;
  };
  readonly outcome: 'success' | 'failure' | 'error' | 'crash';
}
interface Input {
  readonly type: ProbeType;
  readonly probe: core.Probe;
  readonly restartPolicy: string;
  readonly steps: readonly Step[];
}
interface Expect {
  readonly steps: readonly {
    readonly keepGoing: boolean;
    readonly result: ProbeResult | null;
    readonly onHold?: boolean;
    readonly run?: number;
  }[];
}

/** The rows of upstream's tests of the worker. */
const rows = named(vectors<Input, Expect>('prober', 'worker', 21));

/** Plays a row, one tick per step, and returns the state after each tick. */
function play({ type, probe, restartPolicy, steps }: Input) {
  const thresholds = { successThreshold: 1, failureThreshold: 1 };
  let state = nothingSeen;
  let known: ProbeResult | null = null;
  return steps.map(({ pod, container, outcome }) => {
    const one = probed(type, { ...thresholds, ...probe }, { restartPolicy });
    const isDeleting = pod !== 'none' && pod.deleting === true;
    const metadata = {
      ...one.pod.metadata,
      ...(isDeleting && { deletionTimestamp: '2024-04-17T00:00:00Z' }),
    };
    const { age = 0, ...fields } = container ?? {};
    const status: Pod['status'] | undefined =
      pod === 'none'
        ? undefined
        : { ...statusOf(...(container ? [containerStatus({ ...fields, ageMs: age * 1_000 })] : [])), ...pod };
    const what = { ...one, pod: { ...one.pod, metadata } };
    const looked = look(what, state, { status, nowMs: START_MS, startedMs: START_MS - 1_000_000 });
    const isAnswer = looked.next === 'probe' && (outcome === 'success' || outcome === 'failure');
    const tick = isAnswer ? count(what, looked.state, outcome === 'success' ? 'Success' : 'Failure') : looked;
    if (looked.state.containerID !== state.containerID) known = null;
    known = [...looked.results, ...(isAnswer ? tick.results : [])].at(-1) ?? known;
    state = tick.state;
    return { keepGoing: looked.next !== 'end', result: known, onHold: state.onHold, run: state.resultRun };
  });
}

const aged = (ageMs: number, started = true) => containerStatus({ ageMs, started });

describe('Level 6 · What has to wait', () => {
  test.each([
    [0, true],
    [4_999, true],
    [5_000, false],
    [9_000, false],
  ])('waits for the initial delay: %i ms after the start, held back: %s', (ageMs, isTooEarly) => {
    const one = { type: 'liveness', probe: { initialDelaySeconds: 5 } } as const;
    expect(
      isHeldBack(one, aged(ageMs), START_MS),
      `isHeldBack ${ageMs} ms after the start of the container, with initialDelaySeconds 5`,
    ).toBe(isTooEarly);
  });

  test.each([
    ['liveness', true, false],
    ['liveness', false, true],
    ['readiness', true, false],
    ['readiness', false, true],
    ['startup', true, true],
    ['startup', false, false],
  ] as const)('runs the startup probe first: %s, started %s, held back: %s', (type, started, isTooEarly) => {
    expect(
      isHeldBack({ type, probe: {} }, aged(0, started), START_MS),
      `isHeldBack of a ${type} probe, with started ${started}: startup probes run until the container has started, the others after that`,
    ).toBe(isTooEarly);
  });

  test('a container without the field started has not started', () => {
    expect(
      isHeldBack({ type: 'readiness', probe: {} }, containerStatus(), START_MS),
      'started is absent in the status: the readiness probe must wait',
    ).toBe(true);
    expect(
      isHeldBack({ type: 'startup', probe: {} }, containerStatus(), START_MS),
      'started is absent in the status: the startup probe must run',
    ).toBe(false);
  });

  test.each([
    ['liveness', 'Success'],
    ['readiness', 'Failure'],
    ['startup', 'Unknown'],
  ] as const)('look allows a probe that is not held back: %s', (type, result) => {
    const sight = {
      status: statusOf(containerStatus({ started: type !== 'startup' })),
      nowMs: START_MS,
      startedMs: START_MS,
    };
    const seen = { ...nothingSeen, containerID: 'containerd://c1' };
    expect(
      look(probed(type), nothingSeen, sight),
      `a new container whose ${type} probe is due: store the initial result and run the probe`,
    ).toEqual({ state: seen, results: [result], next: 'probe' });
    expect(
      look(probed(type), seen, sight),
      'the same container: store nothing more, and run the probe',
    ).toEqual({ state: seen, results: [], next: 'probe' });
  });

  test('look allows the readiness probe of a terminating pod', () => {
    const one = probed('readiness');
    const metadata = { ...one.pod.metadata, deletionTimestamp: '2024-04-17T00:00:00Z' };
    const sight = {
      status: statusOf(containerStatus({ started: true })),
      nowMs: START_MS,
      startedMs: START_MS,
    };
    expect(
      look({ ...one, pod: { ...one.pod, metadata } }, nothingSeen, sight).next,
      'the readiness probe must also run while the pod is being deleted',
    ).toBe('probe');
  });

  test('look waits if the probe is held back', () => {
    const status = statusOf(containerStatus({ started: false }));
    const sight = { status, nowMs: START_MS, startedMs: START_MS };
    expect(
      look(probed('liveness'), nothingSeen, sight),
      'the container has not started, so the liveness probe is held back: store the initial result, and wait',
    ).toEqual({
      state: { ...nothingSeen, containerID: 'containerd://c1' },
      results: ['Success'],
      next: 'wait',
    });
  });

  test.each(rows)('agrees with Kubernetes: %s', (_, { input, expect: expected }) => {
    const played = play(input);
    expect(played, 'the ticks of this row').toHaveLength(expected.steps.length);
    for (const [i, step] of expected.steps.entries())
      expect(
        played[i],
        `tick ${i + 1} of a ${input.type} probe with ${JSON.stringify(input.probe)}, after the steps ${input.steps
          .slice(0, i + 1)
          .map((one) => JSON.stringify(one))
          .join(', ')}`,
      ).toMatchObject(step);
  });
});
