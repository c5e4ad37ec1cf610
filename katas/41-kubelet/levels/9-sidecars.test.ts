import { describe, expect, test } from 'vitest';
import type { ContainerToKill, core, Pod, PodPhase, ProbeResult } from '#harness';
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
import { actionRows, actionsOf, phaseOf, phaseRows } from './vectors.fixture.ts';

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

    test('is started whenever it does not run', () => {
      for (const log of [undefined, exited(0), exited(1), { state: 'created' } as const]) {
        expect(act(log), log?.state).toEqual({ start: true, nextMayStart: false });
      }
    });

    test('has started when it runs', () => {
      expect(act(running)).toEqual({ start: false, nextMayStart: true });
      expect(act(running, {}, { startup: 'Failure' })).toEqual({ start: false, nextMayStart: true });
    });

    test('has started when its startup probe has succeeded, if it has one', () => {
      expect(act(running, probed)).toEqual({ start: false, nextMayStart: false });
      expect(act(running, probed, { startup: 'Unknown' })).toEqual({ start: false, nextMayStart: false });
      expect(act(running, probed, { startup: 'Success' })).toEqual({ start: false, nextMayStart: true });
    });

    test('is started again when its startup probe has failed', () => {
      expect(act(running, probed, { startup: 'Failure' })).toEqual(
        restart('StartupProbe', 'Init container log failed startup probe', false),
      );
    });

    test('is started again when its liveness probe has failed; what comes next does not wait for that', () => {
      expect(act(running, probed, { startup: 'Success', liveness: 'Failure' })).toEqual(
        restart('LivenessProbe', 'Init container log failed liveness probe', true),
      );
      const found = { startup: 'Success', liveness: 'Unknown' } as const;
      expect(act(running, probed, found)).toEqual({ start: false, nextMayStart: true });
    });

    test('is started again when its definition has changed, as soon as it has started', () => {
      const changed = { ...running, hash: 'another' };
      expect(act(changed)).toEqual(restart(undefined, 'Init container log definition changed', true));
      expect(act(changed, probed)).toEqual({ start: false, nextMayStart: false });
    });

    test('is killed first when it is lost', () => {
      const message = 'Init container is in "unknown" state, try killing it before restart';
      expect(act({ state: 'unknown' })).toEqual(restart('Unknown', message, false));
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

    test('go on when a sidecar has started, beside it', () => {
      expect(act(mixed, { a: exited() })).toEqual({ ...nothing, start: [1] });
      expect(act(mixed, { a: exited(), log: running })).toEqual(nothing);
      expect(act(mixed, { a: exited(), log: running }, { log: { startup: 'Success' } })).toEqual({
        ...nothing,
        start: [2],
      });
      expect(act(mixed, { a: exited(), log: running, b: exited() }, { log: { startup: 'Success' } })).toEqual(
        { ...nothing, initialized: true },
      );
    });

    test('are done when the last one is a sidecar that has started', () => {
      const last = podOf({ initContainers: ['a', sidecar('log')] });
      expect(act(last, { a: exited(), log: running })).toEqual({ ...nothing, initialized: true });
      expect(act(last, { log: running })).toEqual({ ...nothing, initialized: true });
      expect(act(last, { a: exited(), log: exited(0) })).toEqual({ ...nothing, start: [1] });
    });

    test('keep a sidecar running while a later one has its turn', () => {
      const there = { a: exited(), log: exited(1), b: running };
      expect(act(mixed, there)).toEqual({ ...nothing, start: [1] });
      const found = { log: { startup: 'Success', liveness: 'Failure' } } as const;
      expect(act(mixed, { ...there, log: running }, found)).toEqual({
        ...nothing,
        start: [1],
        kill: [idOf('log')],
      });
      expect(act(mixed, { a: exited(), b: running })).toEqual({ ...nothing, start: [1] });
    });

    test('start the next one and the sidecar itself when that fails after it has started', () => {
      const found = { log: { startup: 'Success', liveness: 'Failure' } } as const;
      expect(act(mixed, { a: exited(), log: running }, found)).toEqual({
        ...nothing,
        start: [1, 2],
        kill: [idOf('log')],
      });
    });

    test('keep sidecars running beside the containers, and no other', () => {
      const there = { a: exited(), log: exited(1), web: running };
      expect(act(mixed, there)).toEqual({ ...nothing, initialized: true, start: [1] });
      expect(act(mixed, { web: running })).toEqual({ ...nothing, initialized: true, start: [1] });
      const found = { log: { startup: 'Failure' } } as const;
      expect(act(mixed, { ...there, log: running }, found)).toEqual({
        ...nothing,
        initialized: true,
        start: [1],
        kill: [idOf('log')],
      });
    });

    test('kill the pod when an ordinary one has failed for good, and start no sidecar then', () => {
      const there = { a: exited(), log: exited(1), b: exited(1) };
      expect(act(mixed, there)).toEqual({ ...nothing, killPod: true });
    });
  });

  describe('What to do now', () => {
    const pod = podOf({ initContainers: [sidecar('log')], restartPolicy: 'OnFailure' });
    const act = (there: Parameters<typeof observed>[1]) => {
      const actions = computePodActions(pod, observed(pod, there), probesOf());
      const { killPod, initContainersToStart, containersToStart } = actions;
      return { killPod, init: [...initContainersToStart], start: containersToStart.toSorted() };
    };

    test('starts sidecars and containers again, each by itself', () => {
      expect(act({ log: exited(), web: running })).toEqual({ killPod: false, init: [0], start: [] });
      expect(act({ log: running, web: exited(1) })).toEqual({ killPod: false, init: [], start: [0] });
    });

    test('lets the pod end when its containers have, whatever its sidecars do', () => {
      expect(act({ log: running, web: exited(0) })).toEqual({ killPod: true, init: [], start: [] });
      const two = podOf({ initContainers: [sidecar('old'), sidecar('log')], restartPolicy: 'OnFailure' });
      const there = observed(two, { old: exited(1), log: running, web: exited(0) });
      const { killPod, initContainersToStart } = computePodActions(two, there, probesOf());
      expect([killPod, initContainersToStart]).toEqual([true, []]);
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
      expect(phase({ log: 'running', web: 'waiting' })).toBe('Pending');
      expect(phase({ log: 'running', web: 'running' })).toBe('Pending');
      expect(phase({ log: 'started', web: 'running' })).toBe('Running');
    });

    test('stays Running when a sidecar starts again beside the containers', () => {
      expect(phase({ log: 'running', web: 'running' }, { podHasInitialized: true })).toBe('Running');
      expect(phase({ log: 'waitingAfterFailure', web: 'running' }, { podHasInitialized: true })).toBe(
        'Running',
      );
    });

    test('is Running while a sidecar runs, though the containers have ended', () => {
      const never = { restartPolicy: 'Never', podHasInitialized: true };
      expect(phase({ log: 'started', web: 'failed' }, never)).toBe('Running');
    });

    test('does not ask how a sidecar has ended', () => {
      const never = { restartPolicy: 'Never', podHasInitialized: true };
      for (const log of ['failed', 'succeeded', 'waitingAfterFailure'] as const) {
        expect(phase({ log, web: 'succeeded' }, never), log).toBe('Succeeded');
        expect(phase({ log, web: 'failed' }, never), log).toBe('Failed');
      }
    });

    test('is Pending while nothing is known of a sidecar, or it waits for its first start', () => {
      const unseen: readonly Readonly<Record<string, Stage>>[] = [{}, { log: 'waiting' }, { log: 'empty' }];
      for (const more of unseen) {
        expect(phase({ ...more, web: 'running' }, { podHasInitialized: true })).toBe('Pending');
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
      ).toBe('containers with unready status: [log web]');
      expect(generateContainersReadyCondition(inputOf({ log: 'ready', web: 'ready' })).status).toBe('True');
    });
  });

  test.each(phaseRows('sidecars', 14))('agrees with the kubelet about the phase: %s', (_, row) => {
    expect(phaseOf(row)).toBe(row.expect.phase);
  });

  test.each(actionRows('sidecars', 21))('agrees with the kubelet: %s', (_, row) => {
    expect(actionsOf(row)).toEqual(row.expect);
  });
});
