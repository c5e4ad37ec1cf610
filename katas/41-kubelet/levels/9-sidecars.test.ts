import { describe, expect, test } from 'vitest';
import type { ContainerToKill, PodPhase } from '#given/41-kubelet';
import type { core, Pod, ProbeResult } from '#harness';
import {
  computeInitContainerActions,
  computePodActions,
  computeSidecarActions,
  generateContainersReadyCondition,
  getPhase,
} from '#kata/41-kubelet/kubelet';
import {
  exited,
  idOf,
  type Observed,
  observed,
  podOf,
  probesOf,
  running,
  type Stage,
  statusesOf,
} from './pods.fixture.ts';
import {
  actionRows,
  actionsOf,
  describeActions,
  describePhase,
  phaseOf,
  phaseRows,
} from './vectors.fixture.ts';

const sidecar = (name: string, more: Partial<core.Container> = {}): core.Container => ({
  name,
  image: 'image',
  restartPolicy: 'Always',
  ...more,
});
const probed = { startupProbe: {}, livenessProbe: {} };

describe('Level 9 ★ · Sidecars', () => {
  describe('A sidecar that has had its turn', () => {
    const act = (
      log: Observed | undefined,
      container: Partial<core.Container> = {},
      found: { readonly liveness?: ProbeResult; readonly startup?: ProbeResult } = {},
    ) => {
      const pod = podOf({ initContainers: [sidecar('log', container)], restartPolicy: 'Never' });
      const [init] = pod.spec.initContainers as [core.Container];
      const { start, kill, nextMayStart } = computeSidecarActions(
        init,
        observed(pod, log ? { log } : {}),
        probesOf({ log: found }),
      );
      return { start, nextMayStart, ...(kill && { kill }) };
    };
    const restart = (
      reason: ContainerToKill['reason'] | undefined,
      message: string,
      nextMayStart: boolean,
    ) => ({
      start: true,
      nextMayStart,
      kill: { name: 'log', message, ...(reason && { reason }) },
    });

    test('starts whenever it does not run', () => {
      for (const log of [undefined, exited(0), exited(1), { state: 'created' } as const]) {
        expect(act(log), log?.state).toEqual({ start: true, nextMayStart: false });
      }
    });

    test('has started when it runs', () => {
      expect(act(running), 'it runs and has no startup probe: the next init container may start').toEqual({
        start: false,
        nextMayStart: true,
      });
      expect(
        act(running, {}, { startup: 'Failure' }),
        'it has no startup probe: a startup result must not count',
      ).toEqual({ start: false, nextMayStart: true });
    });

    test('has started when its startup probe has succeeded, if it has one', () => {
      expect(
        act(running, probed),
        'it runs, but its startup probe has no result yet: the next one must wait',
      ).toEqual({ start: false, nextMayStart: false });
      expect(
        act(running, probed, { startup: 'Unknown' }),
        'its startup result is Unknown: the next one must wait',
      ).toEqual({ start: false, nextMayStart: false });
      expect(
        act(running, probed, { startup: 'Success' }),
        'its startup probe has succeeded: the next one may start',
      ).toEqual({ start: false, nextMayStart: true });
    });

    test('restarts when its startup probe has failed', () => {
      expect(
        act(running, probed, { startup: 'Failure' }),
        'its startup probe has failed: kill and restart it, and the next one must wait',
      ).toEqual(restart('StartupProbe', 'Init container log failed startup probe', false));
    });

    test('restarts when its liveness probe has failed; the next container does not wait for that', () => {
      expect(
        act(running, probed, { startup: 'Success', liveness: 'Failure' }),
        'its liveness probe has failed after it had started: kill and restart it, and the next one may start meanwhile',
      ).toEqual(restart('LivenessProbe', 'Init container log failed liveness probe', true));
      const found = { startup: 'Success', liveness: 'Unknown' } as const;
      expect(
        act(running, probed, found),
        'a liveness result other than Failure is no reason to kill it',
      ).toEqual({ start: false, nextMayStart: true });
    });

    test('restarts when its definition has changed, but only once it has started', () => {
      const changed = { ...running, hash: 'another' };
      expect(act(changed), 'its definition has changed, and it has started: kill and restart it').toEqual(
        restart(undefined, 'Init container log definition changed', true),
      );
      expect(
        act(changed, probed),
        'its definition has changed, but its startup probe has not succeeded yet: leave it alone for now',
      ).toEqual({ start: false, nextMayStart: false });
    });

    test('is killed before the restart when its state is unknown', () => {
      const message = 'Init container is in "unknown" state, try killing it before restart';
      expect(act({ state: 'unknown' }), 'its state is unknown: kill it before it starts again').toEqual(
        restart('Unknown', message, false),
      );
    });
  });

  describe('Init containers', () => {
    const act = (
      pod: Pod,
      there: Parameters<typeof observed>[1],
      found: Parameters<typeof probesOf>[0] = {},
    ) => {
      const { initialized, killPod, initContainersToStart, containersToKill } = computeInitContainerActions(
        pod,
        observed(pod, there),
        probesOf(found),
      );
      return { initialized, killPod, start: [...initContainersToStart], kill: [...containersToKill.keys()] };
    };
    const nothing = { initialized: false, killPod: false, start: [], kill: [] };
    const mixed = podOf({
      initContainers: ['a', sidecar('log', probed), 'b'],
      restartPolicy: 'Never',
    });

    test('continue as soon as a sidecar has started', () => {
      expect(act(mixed, { a: exited() }), 'a exited with 0: start the sidecar (1)').toEqual({
        ...nothing,
        start: [1],
      });
      expect(
        act(mixed, { a: exited(), log: running }),
        'the sidecar runs, but its startup probe has not succeeded: start nothing',
      ).toEqual(nothing);
      expect(
        act(mixed, { a: exited(), log: running }, { log: { startup: 'Success' } }),
        'the sidecar has started: start b (2) beside it',
      ).toEqual({
        ...nothing,
        start: [2],
      });
      expect(
        act(mixed, { a: exited(), log: running, b: exited() }, { log: { startup: 'Success' } }),
        'the sidecar has started and b exited with 0: initialized',
      ).toEqual({ ...nothing, initialized: true });
    });

    test('are done when the last one is a sidecar that has started', () => {
      const last = podOf({ initContainers: ['a', sidecar('log')] });
      expect(
        act(last, { a: exited(), log: running }),
        'the last init container is a sidecar without a startup probe that runs: initialized',
      ).toEqual({ ...nothing, initialized: true });
      expect(act(last, { log: running }), 'the sidecar runs, so a succeeded before: initialized').toEqual({
        ...nothing,
        initialized: true,
      });
      expect(
        act(last, { a: exited(), log: exited(0) }),
        'the sidecar has exited, also with 0: start it again, and do not count it as done',
      ).toEqual({ ...nothing, start: [1] });
    });

    test('keep a sidecar running while a later init container runs', () => {
      const there = { a: exited(), log: exited(1), b: running };
      expect(act(mixed, there), 'b runs and the sidecar has exited: start the sidecar (1) again').toEqual({
        ...nothing,
        start: [1],
      });
      const found = { log: { startup: 'Success', liveness: 'Failure' } } as const;
      expect(
        act(mixed, { ...there, log: running }, found),
        'b runs and the liveness probe of the sidecar has failed: kill and restart it',
      ).toEqual({
        ...nothing,
        start: [1],
        kill: [idOf('log')],
      });
      expect(
        act(mixed, { a: exited(), b: running }),
        'b runs and the sidecar does not exist: start it',
      ).toEqual({ ...nothing, start: [1] });
    });

    test('start the next one and restart the sidecar when it fails after it has started', () => {
      const found = { log: { startup: 'Success', liveness: 'Failure' } } as const;
      expect(
        act(mixed, { a: exited(), log: running }, found),
        'the sidecar had started, and its liveness probe failed: restart it (1), and start b (2) at the same time',
      ).toEqual({
        ...nothing,
        start: [1, 2],
        kill: [idOf('log')],
      });
    });

    test('keep only sidecars running next to the containers', () => {
      const there = { a: exited(), log: exited(1), web: running };
      expect(
        act(mixed, there),
        'web runs: the pod is initialized, and the sidecar (1) that exited starts again',
      ).toEqual({ ...nothing, initialized: true, start: [1] });
      expect(
        act(mixed, { web: running }),
        'web runs and the sidecar does not exist: start the sidecar only, not a or b',
      ).toEqual({ ...nothing, initialized: true, start: [1] });
      const found = { log: { startup: 'Failure' } } as const;
      expect(
        act(mixed, { ...there, log: running }, found),
        'web runs and the startup probe of the sidecar has failed: kill and restart it',
      ).toEqual({
        ...nothing,
        initialized: true,
        start: [1],
        kill: [idOf('log')],
      });
    });

    test('kill the pod and start no sidecar when an ordinary one has failed and does not restart', () => {
      const there = { a: exited(), log: exited(1), b: exited(1) };
      expect(
        act(mixed, there),
        'b failed, and Never does not restart it: kill the pod, and start no sidecar',
      ).toEqual({ ...nothing, killPod: true });
    });
  });

  describe('What to do now', () => {
    const pod = podOf({ initContainers: [sidecar('log')], restartPolicy: 'OnFailure' });
    const act = (there: Parameters<typeof observed>[1]) => {
      const actions = computePodActions(pod, observed(pod, there), probesOf());
      const { killPod, initContainersToStart, containersToStart } = actions;
      return { killPod, init: [...initContainersToStart], start: containersToStart.toSorted() };
    };

    test('restarts sidecars and containers independently', () => {
      expect(
        act({ log: exited(), web: running }),
        'the sidecar has exited and web runs: start the sidecar only',
      ).toEqual({ killPod: false, init: [0], start: [] });
      expect(
        act({ log: running, web: exited(1) }),
        'web failed, and OnFailure restarts it: start web only',
      ).toEqual({ killPod: false, init: [], start: [0] });
    });

    test('ends the pod when its containers have ended, whatever its sidecars do', () => {
      expect(
        act({ log: running, web: exited(0) }),
        'web has ended for good: kill the pod, although the sidecar runs',
      ).toEqual({ killPod: true, init: [], start: [] });
      const two = podOf({ initContainers: [sidecar('old'), sidecar('log')], restartPolicy: 'OnFailure' });
      const there = observed(two, { old: exited(1), log: running, web: exited(0) });
      const { killPod, initContainersToStart } = computePodActions(two, there, probesOf());
      expect(
        [killPod, initContainersToStart],
        '[killPod, initContainersToStart]: web has ended for good, so no sidecar starts again',
      ).toEqual([true, []]);
    });
  });

  describe('The phase', () => {
    const phase = (
      stages: Readonly<Record<string, Stage>>,
      { restartPolicy = 'Always', podHasInitialized = false, podIsTerminal = false } = {},
    ): PodPhase =>
      getPhase(podOf({ initContainers: [sidecar('log')], restartPolicy }), statusesOf(stages), {
        podIsTerminal,
        podHasInitialized,
      });

    test('is Pending until the sidecar has started', () => {
      expect(phase({ log: 'running', web: 'waiting' }), 'the sidecar has not started: Pending').toBe(
        'Pending',
      );
      expect(
        phase({ log: 'running', web: 'running' }),
        'the sidecar runs but started is not true: Pending, although web runs',
      ).toBe('Pending');
      expect(
        phase({ log: 'started', web: 'running' }),
        'the sidecar has started, so it does not keep the pod Pending',
      ).toBe('Running');
    });

    test('stays Running when a sidecar restarts', () => {
      expect(
        phase({ log: 'running', web: 'running' }, { podHasInitialized: true }),
        'the pod was initialized before: a sidecar that starts again does not make it Pending',
      ).toBe('Running');
      expect(
        phase({ log: 'waitingAfterFailure', web: 'running' }, { podHasInitialized: true }),
        'the pod was initialized before: a sidecar that waits for its restart does not make it Pending',
      ).toBe('Running');
    });

    test('is Running while a sidecar runs, even if the containers have ended', () => {
      const never = { restartPolicy: 'Never', podHasInitialized: true };
      expect(
        phase({ log: 'started', web: 'failed' }, never),
        'all containers have ended, but a sidecar still runs: Running',
      ).toBe('Running');
    });

    test('ignores the exit code of a sidecar', () => {
      const never = { restartPolicy: 'Never', podHasInitialized: true };
      for (const log of ['failed', 'succeeded', 'waitingAfterFailure'] as const) {
        expect(
          phase({ log, web: 'succeeded' }, never),
          `the sidecar log is ${log}, web has succeeded, and the policy is Never: the sidecar does not count`,
        ).toBe('Succeeded');
        expect(
          phase({ log, web: 'failed' }, never),
          `the sidecar log is ${log}, web has failed, and the policy is Never: the sidecar does not count`,
        ).toBe('Failed');
      }
    });

    test('is Pending while a sidecar has no status or waits for its first start', () => {
      const unseen: readonly Readonly<Record<string, Stage>>[] = [{}, { log: 'waiting' }, { log: 'empty' }];
      for (const more of unseen) {
        expect(
          phase({ ...more, web: 'running' }, { podHasInitialized: true }),
          `web runs, and the sidecar log has ${more.log === undefined ? 'no status' : `the status ${more.log}`}: Pending`,
        ).toBe('Pending');
      }
    });
  });

  describe('Conditions', () => {
    const pod = podOf({ initContainers: ['a', sidecar('log')] });
    const inputOf = (stages: Readonly<Record<string, Stage>>) => ({
      pod,
      statuses: statusesOf(stages),
      phase: 'Pending' as const,
      conditions: [],
    });

    test('ContainersReady waits for a sidecar to be ready, and names it first', () => {
      expect(
        generateContainersReadyCondition(inputOf({ a: 'succeeded', log: 'started', web: 'running' })).message,
        'the sidecar is not ready, and comes before web; ordinary init containers do not count',
      ).toBe('containers with unready status: [log web]');
      expect(
        generateContainersReadyCondition(inputOf({ log: 'ready', web: 'ready' })).status,
        'the sidecar and web are ready',
      ).toBe('True');
    });
  });

  test.each(phaseRows('sidecars', 14))('agrees with the kubelet about the phase: %s', (_, row) => {
    expect(phaseOf(row), describePhase(row)).toBe(row.expect.phase);
  });

  test.each(actionRows('sidecars', 21))('agrees with the kubelet: %s', (_, row) => {
    expect(actionsOf(row), describeActions(row)).toEqual(row.expect);
  });
});
