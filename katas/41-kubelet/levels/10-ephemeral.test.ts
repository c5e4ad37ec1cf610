import { describe, expect, test } from 'vitest';
import { computePodActions, ephemeralContainersToStart, getPhase } from '#kata/41-kubelet/kubelet';
import { exited, observed, podOf, probesOf, running, statusesOf } from './pods.fixture.ts';
import { actionRows, actionsOf, describeActions } from './vectors.fixture.ts';

const pod = podOf({
  initContainers: ['a'],
  ephemeralContainers: [
    { name: 'debug', image: 'busybox' },
    { name: 'trace', image: 'busybox' },
  ],
});
const act = (there: Parameters<typeof observed>[1], sandboxes?: Parameters<typeof observed>[2]) => {
  const actions = computePodActions(pod, observed(pod, there, sandboxes), probesOf());
  const { ephemeralContainersToStart: ephemeral, initContainersToStart, containersToStart } = actions;
  return {
    ephemeral: ephemeral.toSorted(),
    init: [...initContainersToStart],
    start: containersToStart.toSorted(),
  };
};

describe('Level 10 ★ · Ephemeral containers', () => {
  test('start once, whatever their exit code', () => {
    expect(ephemeralContainersToStart(pod, observed(pod)), 'none of them exists yet: start both').toEqual([
      0, 1,
    ]);
    for (const debug of [
      running,
      exited(0),
      exited(1),
      { state: 'created' },
      { state: 'unknown' },
    ] as const) {
      expect(
        ephemeralContainersToStart(pod, observed(pod, { debug })),
        `indexes to start: debug (0) has an instance, ${debug.state}; the ephemeral container 1 has none`,
      ).toEqual([1]);
    }
    expect(
      ephemeralContainersToStart(podOf(), observed(podOf())),
      'a pod without ephemeral containers',
    ).toEqual([]);
  });

  test('start next to the other containers, also before the pod is initialized', () => {
    expect(act({ a: exited(), web: running, debug: running }), 'debug was created: start trace only').toEqual(
      {
        ephemeral: [1],
        init: [],
        start: [],
      },
    );
    expect(
      act({ a: running }),
      'the init container still runs: ephemeral containers start nevertheless',
    ).toEqual({ ephemeral: [0, 1], init: [], start: [] });
    expect(
      act({ a: running, debug: exited(), trace: exited(1) }),
      'both were created once: an ephemeral container is never restarted',
    ).toEqual({
      ephemeral: [],
      init: [],
      start: [],
    });
  });

  test('do not start while the sandbox is replaced', () => {
    expect(
      act({}, []),
      'without a sandbox, start the init container only; ephemeral containers start at a later sync',
    ).toEqual({ ephemeral: [], init: [0], start: [] });
    expect(
      act({ web: running }, [{ state: 'SANDBOX_NOTREADY' }]),
      'the sandbox is replaced: start the init container only; ephemeral containers start at a later sync',
    ).toEqual({
      ephemeral: [],
      init: [0],
      start: [],
    });
  });

  test('do not keep a pod alive, and do not count in its phase', () => {
    const once = { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } };
    const there = observed(once, { a: exited(), web: exited(0), debug: running });
    expect(
      computePodActions(once, there, probesOf()).killPod,
      'web has ended for good: kill the pod, although an ephemeral container runs',
    ).toBe(true);
    const statuses = statusesOf({ a: 'succeeded', web: 'succeeded', debug: 'running' });
    expect(
      getPhase(once, statuses, { podIsTerminal: false, podHasInitialized: true }),
      'ephemeral containers do not count for the phase',
    ).toBe('Succeeded');
  });

  test.each(actionRows('ephemeral', 8))('agrees with the kubelet: %s', (_, row) => {
    expect(
      actionsOf({ ...row, expect: { ephemeralStart: [], ...row.expect } }),
      describeActions(row),
    ).toEqual({
      ephemeralStart: [],
      ...row.expect,
    });
  });
});
