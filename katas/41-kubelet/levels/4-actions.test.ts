import { describe, expect, test } from 'vitest';
import type { ContainerToKill, PodActions } from '#given/41-kubelet';
import type { core, Pod, ProbeResult } from '#harness';
import { computePodActions } from '#kata/41-kubelet/kubelet';
import {
  exited,
  idOf,
  type Observed,
  type ObservedSandbox,
  observed,
  podOf,
  probesOf,
  running,
} from './pods.fixture.ts';
import { actionRows, actionsOf, describeActions } from './vectors.fixture.ts';

type Found = Readonly<Record<string, { readonly liveness?: ProbeResult; readonly startup?: ProbeResult }>>;

/** Returns the computed actions as plain arrays. */
function actionsFor(
  pod: Pod,
  containers: Readonly<Record<string, Observed | readonly Observed[]>> = {},
  { sandboxes = [{}], found = {} }: { sandboxes?: readonly ObservedSandbox[]; found?: Found } = {},
) {
  const actions = computePodActions(pod, observed(pod, containers, sandboxes), probesOf(found));
  const { killPod, createSandbox, attempt, sandboxID } = actions;
  return {
    killPod,
    createSandbox,
    attempt,
    sandboxID,
    init: [...actions.initContainersToStart],
    start: actions.containersToStart.toSorted(),
    kill: new Map(actions.containersToKill),
  };
}

const nothing = {
  killPod: false,
  createSandbox: false,
  attempt: 0,
  sandboxID: 'sandbox-0',
  init: [] as number[],
  start: [] as number[],
  kill: new Map<string, ContainerToKill>(),
};
const notReady = { state: 'SANDBOX_NOTREADY' } as const;
/** The sandbox is gone, and another one is created. */
const begins = { ...nothing, killPod: true, createSandbox: true, attempt: 1 };
/** The sandbox is gone, and no other one is created. */
const ends = { ...begins, createSandbox: false };

describe('Level 4 · What to do now', () => {
  describe('A new sandbox', () => {
    const pod = (restartPolicy: string, more: Parameters<typeof podOf>[0] = {}) =>
      podOf({ restartPolicy, containers: ['web', 'log'], ...more });

    test('is created for a pod without one, and starts the containers', () => {
      expect(
        actionsFor(pod('Never'), {}, { sandboxes: [] }),
        'the pod has no sandbox: create one with attempt 0, and start all containers',
      ).toEqual({
        ...begins,
        attempt: 0,
        sandboxID: undefined,
        start: [0, 1],
      });
    });

    test('begins with the first init container', () => {
      const withInit = pod('Always', { initContainers: ['a', 'b'] });
      expect(
        actionsFor(withInit, {}, { sandboxes: [] }),
        'the pod has no sandbox: create one, and start the first init container only',
      ).toEqual({
        ...begins,
        attempt: 0,
        sandboxID: undefined,
        init: [0],
      });
      const ran = { a: exited(), b: exited(), web: running, log: running };
      expect(
        actionsFor(withInit, ran, { sandboxes: [notReady] }),
        'the sandbox is not ready: create another, and begin with init container a',
      ).toEqual({ ...begins, init: [0] });
    });

    test('is created when the old one is gone, with all containers', () => {
      expect(
        actionsFor(pod('Always'), { web: exited(), log: running }, { sandboxes: [notReady] }),
        'the sandbox is not ready: create another, and start all containers, whatever their state was',
      ).toEqual({
        ...begins,
        start: [0, 1],
      });
    });

    test('leaves out containers that have succeeded and do not restart', () => {
      const ran = { web: exited(0), log: exited(1) };
      expect(
        actionsFor(pod('OnFailure'), ran, { sandboxes: [notReady] }),
        'OnFailure and web exited with 0: start log only in the new sandbox',
      ).toEqual({ ...begins, start: [1] });
      const own = pod('Always', { containers: [{ name: 'web', restartPolicy: 'OnFailure' }, 'log'] });
      expect(
        actionsFor(own, { web: exited(0), log: exited(0) }, { sandboxes: [notReady] }),
        'the policy of web itself is OnFailure and it exited with 0: start log only',
      ).toEqual({
        ...begins,
        start: [1],
      });
      const always = pod('OnFailure', { containers: [{ name: 'web', restartPolicy: 'Always' }, 'log'] });
      expect(
        actionsFor(always, { web: exited(0), log: exited(0) }, { sandboxes: [notReady] }),
        'the policy of web itself is Always: start it in the new sandbox; log exited with 0 and is done',
      ).toEqual({
        ...begins,
        start: [0],
      });
    });

    test('restarts a container with its own policy Never, unless the policy of the pod is Never', () => {
      const own = pod('Always', { containers: [{ name: 'web', restartPolicy: 'Never' }] });
      expect(
        actionsFor(own, { web: exited(0) }, { sandboxes: [notReady] }),
        'a new sandbox leaves out only OnFailure containers that exited with 0: the policy of web is Never, so start it',
      ).toEqual({
        ...begins,
        start: [0],
      });
    });

    test('is not created when no container has work left', () => {
      const ran = { web: exited(0), log: exited(0) };
      expect(
        actionsFor(pod('OnFailure'), ran, { sandboxes: [notReady] }),
        'OnFailure and all containers exited with 0: stop the old sandbox, and create no other',
      ).toEqual(ends);
      const withInit = pod('OnFailure', { initContainers: ['a'] });
      expect(
        actionsFor(withInit, ran, { sandboxes: [notReady] }),
        'all containers exited with 0: create no sandbox for the init containers either',
      ).toEqual(ends);
    });

    test('is not created for a pod with policy Never that has started', () => {
      expect(
        actionsFor(pod('Never'), { web: running }, { sandboxes: [notReady] }),
        'Never and a container was created before: stop the old sandbox, and create no other',
      ).toEqual(ends);
      const withInit = pod('Never', { initContainers: ['a'] });
      expect(
        actionsFor(withInit, { a: exited() }, { sandboxes: [notReady] }),
        'Never and an init container was created before: create no other sandbox',
      ).toEqual(ends);
      // The policies of its containers do not matter here.
      const own = pod('Never', { containers: [{ name: 'web', restartPolicy: 'Always' }] });
      expect(
        actionsFor(own, { web: exited() }, { sandboxes: [notReady] }),
        'Never of the pod decides: create no other sandbox, whatever the policy of a container',
      ).toEqual(ends);
    });

    test('is created again for a pod with policy Never that has no container yet', () => {
      expect(
        actionsFor(pod('Never'), {}, { sandboxes: [{ ...notReady, attempt: 4 }] }),
        'Never, but no container was ever created: create another sandbox with the next attempt, and start all',
      ).toEqual({
        ...begins,
        attempt: 5,
        sandboxID: 'sandbox-4',
        start: [0, 1],
      });
    });
  });

  describe('A good sandbox', () => {
    test('is left alone when all containers run', () => {
      const pod = podOf({ containers: ['web', 'log'], initContainers: ['a'] });
      expect(
        actionsFor(pod, { a: exited(), web: running, log: running }),
        'all containers run: nothing to do',
      ).toEqual(nothing);
    });

    test('runs its init containers first', () => {
      const pod = podOf({ initContainers: ['a', 'b'] });
      expect(actionsFor(pod), 'nothing exists yet: start a only').toEqual({
        ...nothing,
        init: [0],
      });
      expect(actionsFor(pod, { a: running }), 'a runs: wait').toEqual(nothing);
      expect(actionsFor(pod, { a: exited() }), 'a exited with 0: start b only').toEqual({
        ...nothing,
        init: [1],
      });
      expect(actionsFor(pod, { a: exited(), b: exited() }), 'a and b exited with 0: start web').toEqual({
        ...nothing,
        start: [0],
      });
      expect(
        actionsFor(pod, { a: exited(), b: { state: 'unknown' } }).kill.size,
        'the state of b is unknown: kill it before it starts again',
      ).toBe(1);
    });

    test('is killed when an init container has failed and does not restart', () => {
      const pod = podOf({ initContainers: ['a', 'b'], restartPolicy: 'Never' });
      expect(
        actionsFor(pod, { a: exited(1) }),
        'a failed, and Never does not restart it: kill the pod',
      ).toEqual({ ...nothing, killPod: true });
    });

    test('starts all missing containers at once, and restarts those that exited', () => {
      const pod = podOf({ containers: ['web', 'log', 'db'], restartPolicy: 'OnFailure' });
      expect(actionsFor(pod), 'nothing exists yet: start all').toEqual({
        ...nothing,
        start: [0, 1, 2],
      });
      expect(
        actionsFor(pod, { web: exited(0), log: exited(1), db: running }),
        'OnFailure: log failed and starts again; web exited with 0 and does not',
      ).toEqual({
        ...nothing,
        start: [1],
      });
      expect(
        actionsFor(pod, { web: exited(0), log: exited(0), db: { state: 'created' } }),
        'db was never started: start it',
      ).toEqual({
        ...nothing,
        start: [2],
      });
    });

    test('does not look for a reason to kill a container that does not run', () => {
      const pod = podOf({ containers: ['web', 'log'], restartPolicy: 'OnFailure' });
      const found = { web: { liveness: 'Failure' } } as const;
      for (const web of [exited(0), exited(0, { hash: 'another' })]) {
        expect(actionsFor(pod, { web, log: running }, { found })).toEqual(nothing);
      }
    });

    test('is killed when no container runs or will restart', () => {
      const pod = podOf({ containers: ['web', 'log'], restartPolicy: 'OnFailure' });
      expect(
        actionsFor(pod, { web: exited(), log: exited() }),
        'both exited with 0, and OnFailure restarts neither: kill the pod',
      ).toEqual({ ...nothing, killPod: true });
      expect(actionsFor(pod, { web: exited(), log: running }), 'log still runs: keep the pod').toEqual(
        nothing,
      );
      const deleted = podOf({}, { deletionTimestamp: '2024-04-17T00:00:00Z' });
      expect(
        actionsFor(deleted, { web: exited(1) }),
        'the pod is being deleted and web does not run: kill the pod',
      ).toEqual({ ...nothing, killPod: true });
      expect(actionsFor(deleted, { web: running }), 'the pod is being deleted, and web still runs').toEqual(
        nothing,
      );
    });

    test('kills a container in state unknown before it restarts it', () => {
      const message = 'Container is in "unknown" state, try killing it before restart';
      expect(actionsFor(podOf({ restartPolicy: 'Never' }), { web: { state: 'unknown' } })).toEqual({
        ...nothing,
        start: [0],
        kill: new Map([[idOf('web'), { name: 'web', message, reason: 'Unknown' }]]),
      });
    });
  });

  describe('A container that runs', () => {
    const Changed = { ...running, hash: 'another' };
    const killed = (
      reason: ContainerToKill['reason'] | undefined,
      message: string,
      restartPolicy: string,
      {
        container = {},
        web = running,
        found = {},
      }: {
        container?: Partial<core.Container>;
        web?: Observed;
        found?: Found['web'] & {};
      },
      expected: Partial<typeof nothing>,
    ) => {
      const pod = podOf({
        restartPolicy,
        containers: [{ name: 'web', image: 'image', ...container }, 'log'],
      });
      const kill = new Map([[idOf('web'), { name: 'web', message, ...(reason && { reason }) }]]);
      expect(
        actionsFor(pod, { web, log: running }, { found: { web: found } }),
        `web with restartPolicy ${container.restartPolicy ?? restartPolicy} must be killed; it restarts only if its policy allows that or its definition has changed`,
      ).toEqual({
        ...nothing,
        ...expected,
        kill,
      });
    };
    const failed = { liveness: 'Failure' } as const;

    test('is restarted when its liveness probe has failed', () => {
      const message = 'Container web failed liveness probe, will be restarted';
      killed('LivenessProbe', message, 'Always', { found: failed }, { start: [0] });
      killed('LivenessProbe', message, 'OnFailure', { found: failed }, { start: [0] });
    });

    test('is restarted when its startup probe has failed', () => {
      const found = { startup: 'Failure' } as const;
      const message = 'Container web failed startup probe, will be restarted';
      killed('StartupProbe', message, 'Always', { found }, { start: [0] });
    });

    test('is killed without a restart when its policy is Never', () => {
      const message = 'Container web failed liveness probe';
      killed('LivenessProbe', message, 'Never', { found: failed }, {});
      const never = { restartPolicy: 'Never' };
      killed('LivenessProbe', message, 'Always', { container: never, found: failed }, {});
      const onFailure = { restartPolicy: 'OnFailure' };
      const again = `${message}, will be restarted`;
      killed('LivenessProbe', again, 'Never', { container: onFailure, found: failed }, { start: [0] });
    });

    test('ignores rules about exit codes, because it has none yet', () => {
      const container = {
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [1] } }],
      };
      killed(
        'LivenessProbe',
        'Container web failed liveness probe',
        'Always',
        { container, found: failed },
        {},
      );
    });

    test('is replaced when its definition has changed, whatever its policy', () => {
      const message = 'Container web definition changed, will be restarted';
      for (const policy of ['Always', 'OnFailure', 'Never']) {
        killed(undefined, message, policy, { web: Changed }, { start: [0] });
      }
      killed(undefined, message, 'Never', { web: Changed, found: failed }, { start: [0] });
    });

    test('is left alone while its probes have not failed', () => {
      for (const result of ['Success', 'Unknown'] as const) {
        const found = { web: { liveness: result, startup: result } };
        expect(actionsFor(podOf(), { web: running }, { found }), 'only Failure is a reason to kill').toEqual(
          nothing,
        );
      }
    });

    test('ends the pod if it was the last', () => {
      const message = 'Container web failed liveness probe';
      const pod = podOf({ restartPolicy: 'Never' });
      expect(
        actionsFor(pod, { web: running }, { found: { web: failed } }),
        'web is killed, Never does not restart it, and nothing else runs: kill the pod',
      ).toEqual({
        ...nothing,
        killPod: true,
        kill: new Map([[idOf('web'), { name: 'web', message, reason: 'LivenessProbe' }]]),
      });
    });

    test('ignores the probe results of an earlier instance', () => {
      const pod = podOf();
      const podStatus = observed(pod, { web: [running, exited(1)] });
      const probes = {
        liveness: (id: string) => (id === idOf('web', 0) ? ('Failure' as const) : undefined),
        startup: () => undefined,
      };
      const actions: PodActions = computePodActions(pod, podStatus, probes);
      expect(
        [actions.containersToStart, actions.containersToKill],
        '[containersToStart, containersToKill]: the failed result belongs to the old instance, and the newest one runs',
      ).toEqual([[], new Map()]);
    });
  });

  test('has no memory: the same input gives the same result twice', () => {
    const pod = podOf({ containers: ['web', 'log'] });
    const podStatus = observed(pod, { web: exited(1), log: running });
    const [first, second] = [0, 1].map(() => computePodActions(pod, podStatus, probesOf()));
    expect(second, 'computePodActions must not change its input').toEqual(first);
  });

  test.each([...actionRows('plain', 21), ...actionRows('own policy', 5)])(
    'agrees with the kubelet: %s',
    (_, row) => expect(actionsOf(row), describeActions(row)).toEqual(row.expect),
  );
});
