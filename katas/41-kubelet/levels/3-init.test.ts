import { describe, expect, test } from 'vitest';
import type { core } from '#harness';
import { computeInitContainerActions, podSandboxChanged } from '#kata/41-kubelet/kubelet';
import { exited, idOf, type Observed, observed, podOf, probesOf, running } from './pods.fixture.ts';

describe('Level 3 · Sandbox and init containers', () => {
  describe('A sandbox', () => {
    const notReady = { state: 'SANDBOX_NOTREADY' } as const;
    const changed = (hostNetwork: boolean, ...sandboxes: NonNullable<Parameters<typeof observed>[2]>) => {
      const pod = podOf({ ...(hostNetwork && { hostNetwork }) });
      return podSandboxChanged(pod, observed(pod, {}, sandboxes));
    };

    test('is needed by a pod without one', () => {
      expect(changed(false), 'without a sandbox, create one with attempt 0').toEqual({
        changed: true,
        attempt: 0,
        sandboxID: undefined,
      });
    });

    test('is kept while it is ready', () => {
      expect(changed(false, {}), 'the only sandbox is ready (its state is SANDBOX_READY): keep it').toEqual({
        changed: false,
        attempt: 0,
        sandboxID: 'sandbox-0',
      });
      expect(
        changed(false, { attempt: 3 }),
        'the only sandbox is ready (its state is SANDBOX_READY): keep it with its attempt',
      ).toEqual({ changed: false, attempt: 3, sandboxID: 'sandbox-3' });
    });

    test('is replaced when it is not ready, with the next attempt number', () => {
      expect(
        changed(false, { ...notReady, attempt: 3 }),
        'the newest sandbox is not ready: create another, with the next attempt',
      ).toEqual({
        changed: true,
        attempt: 4,
        sandboxID: 'sandbox-3',
      });
    });

    test('counts only if it is the newest one', () => {
      expect(changed(false, {}, notReady), 'the newest sandbox (listed first) is ready').toEqual({
        changed: false,
        attempt: 1,
        sandboxID: 'sandbox-1',
      });
      expect(changed(false, notReady, {}), 'the newest sandbox (listed first) is not ready').toEqual({
        changed: true,
        attempt: 2,
        sandboxID: 'sandbox-1',
      });
    });

    test('is replaced when two are ready', () => {
      expect(changed(false, {}, {}), 'two ready sandboxes: replace both').toEqual({
        changed: true,
        attempt: 2,
        sandboxID: 'sandbox-1',
      });
    });

    test('is replaced when it has no address', () => {
      expect(changed(false, { ips: [] }), 'a ready sandbox without an IP must be replaced').toEqual({
        changed: true,
        attempt: 1,
        sandboxID: 'sandbox-0',
      });
      const pod = podOf();
      const podStatus = observed(pod);
      const [{ ips: _, ...unknown } = { ips: [] }] = podStatus.sandboxStatuses;
      expect(
        podSandboxChanged(pod, {
          ...podStatus,
          sandboxStatuses: [unknown as (typeof podStatus.sandboxStatuses)[number]],
        }).changed,
        'the IPs are unknown, which is no reason to replace the sandbox',
      ).toBe(false);
    });

    test('keeps its id when it is not ready, in any network', () => {
      const old = { ...notReady, network: 'node' } as const;
      expect(changed(false, old), 'a sandbox that is not ready keeps its ID, whatever its network').toEqual({
        changed: true,
        attempt: 1,
        sandboxID: 'sandbox-0',
      });
    });

    test('is in the network of the pod', () => {
      expect(
        changed(true, { network: 'node', ips: [] }),
        'a host network pod in a sandbox of the host network',
      ).toEqual({
        changed: false,
        attempt: 0,
        sandboxID: 'sandbox-0',
      });
      expect(
        changed(true, { network: 'pod' }),
        'a host network pod in a sandbox of the pod network: replace it',
      ).toEqual({ changed: true, attempt: 1, sandboxID: undefined });
      expect(
        changed(false, { network: 'node' }),
        'a pod of the pod network in a sandbox of the host network: replace it',
      ).toEqual({
        changed: true,
        attempt: 1,
        sandboxID: undefined,
      });
    });
  });

  describe('Init containers', () => {
    /** Instances of `a`, `b` and `c` in the runtime, then those of `web`. */
    const act = (
      init: readonly (Observed | undefined)[],
      { restartPolicy = 'Always', web }: { readonly restartPolicy?: string; readonly web?: Observed } = {},
      initContainers: readonly (string | core.Container)[] = ['a', 'b', 'c'],
    ) => {
      const pod = podOf({ restartPolicy, initContainers });
      const there = Object.entries({ a: init[0], b: init[1], c: init[2], web }).flatMap(([name, state]) =>
        state ? [[name, state] as const] : [],
      );
      const actions = computeInitContainerActions(pod, observed(pod, Object.fromEntries(there)), probesOf());
      const { initialized, killPod, initContainersToStart, containersToKill } = actions;
      return { initialized, killPod, start: [...initContainersToStart], kill: [...containersToKill] };
    };
    const nothing = { initialized: false, killPod: false, start: [], kill: [] };
    const none = undefined;

    test('are done in a pod that has none', () => {
      expect(act([], {}, []), 'without init containers the pod is initialized').toEqual({
        ...nothing,
        initialized: true,
      });
    });

    test('begin with the first', () => {
      expect(act([none, none, none]), 'none exists yet: start the first one only').toEqual({
        ...nothing,
        start: [0],
      });
    });

    test('wait while one runs', () => {
      expect(act([running, none, none]), 'a runs: start nothing').toEqual(nothing);
      expect(act([exited(), running, none]), 'b runs: start nothing').toEqual(nothing);
    });

    test('go on with the next when one has exited with 0', () => {
      expect(act([exited(), none, none]), 'a has exited with 0: start b').toEqual({ ...nothing, start: [1] });
      expect(act([exited(), exited(), none]), 'a and b have exited with 0: start c').toEqual({
        ...nothing,
        start: [2],
      });
      expect(act([exited(), exited(), exited()]), 'all have exited with 0: initialized').toEqual({
        ...nothing,
        initialized: true,
      });
    });

    test('start a container again that was created but never started', () => {
      expect(
        act([exited(), { state: 'created' }, none], { restartPolicy: 'Never' }),
        'b was created but never started: start it, also with Never',
      ).toEqual({
        ...nothing,
        start: [1],
      });
    });

    test.each(['Always', 'OnFailure'])('start one again that has failed, with %s', (restartPolicy) => {
      expect(act([exited(), exited(1), none], { restartPolicy }), 'b failed: start b again, not c').toEqual({
        ...nothing,
        start: [1],
      });
      expect(act([exited(1), none, none], { restartPolicy }), 'a failed: start a again, not b').toEqual({
        ...nothing,
        start: [0],
      });
      expect(act([exited(), exited(), exited(2)], { restartPolicy }), 'c failed: start c again').toEqual({
        ...nothing,
        start: [2],
      });
    });

    test('kill the pod when one has failed and does not restart', () => {
      expect(
        act([exited(), exited(1), none], { restartPolicy: 'Never' }),
        'b failed, and Never does not restart it: kill the pod',
      ).toEqual({
        ...nothing,
        killPod: true,
      });
      expect(
        act([exited(), exited(), exited(1)], { restartPolicy: 'Never' }),
        'c failed, and Never does not restart it: kill the pod',
      ).toEqual({
        ...nothing,
        killPod: true,
      });
    });

    test('treat OOMKilled as a failure, even with exit code 0', () => {
      const oom = exited(0, { reason: 'OOMKilled' });
      expect(
        act([exited(), oom, none], { restartPolicy: 'Always' }),
        'b was OOMKilled, which is a failure although its exit code is 0: Always restarts it',
      ).toEqual({ ...nothing, start: [1] });
      expect(
        act([exited(), oom, none], { restartPolicy: 'Never' }),
        'b was OOMKilled, which is a failure although its exit code is 0: Never kills the pod',
      ).toEqual({ ...nothing, killPod: true });
      // The policy uses the reported exit code.
      expect(
        act([exited(), oom, none], { restartPolicy: 'OnFailure' }),
        'b was OOMKilled: OnFailure looks at the exit code 0, does not restart it, and the failure kills the pod',
      ).toEqual({
        ...nothing,
        killPod: true,
      });
    });

    test('kill one in state unknown before they restart it', () => {
      const kill = [
        [
          idOf('b'),
          {
            name: 'b',
            message: 'Init container is in "unknown" state, try killing it before restart',
            reason: 'Unknown',
          },
        ],
      ];
      const lost = [exited(), { state: 'unknown' } as const, none];
      expect(act(lost), 'the state of b is unknown: kill it, then start it').toEqual({
        ...nothing,
        start: [1],
        kill,
      });
      expect(
        act(lost, { restartPolicy: 'OnFailure' }),
        'the state of b is unknown, which counts as a failure for OnFailure: kill it, then start it',
      ).toEqual({ ...nothing, start: [1], kill });
      expect(
        act(lost, { restartPolicy: 'Never' }),
        'the state of b is unknown, and Never does not restart it: kill the pod',
      ).toEqual({ ...nothing, killPod: true });
    });

    test('do not run again after the runtime has removed them', () => {
      expect(act([none, none, running]), 'c runs, so a and b succeeded before: start nothing').toEqual(
        nothing,
      );
      expect(act([none, exited(), none]), 'b exited with 0, so a succeeded before: start c').toEqual({
        ...nothing,
        start: [2],
      });
      expect(act([none, none, exited()]), 'c exited with 0, so all succeeded: initialized').toEqual({
        ...nothing,
        initialized: true,
      });
      expect(act([none, exited(1), none]), 'b failed, so a succeeded before: start b again').toEqual({
        ...nothing,
        start: [1],
      });
    });

    test('are done when a container runs or was created', () => {
      for (const web of [running, { state: 'created' } as const]) {
        expect(act([none, none, none], { web }), web.state).toEqual({ ...nothing, initialized: true });
        expect(act([exited(1), none, none], { web, restartPolicy: 'Never' }), web.state).toEqual({
          ...nothing,
          initialized: true,
        });
      }
    });

    test('are done when one of several containers runs', () => {
      const pod = podOf({ initContainers: ['a'], containers: ['web', 'log'] });
      for (const name of ['web', 'log']) {
        const podStatus = observed(pod, { [name]: running });
        const { initialized, initContainersToStart } = computeInitContainerActions(
          pod,
          podStatus,
          probesOf(),
        );
        expect([initialized, initContainersToStart], name).toEqual([true, []]);
      }
    });

    test('run again when a container has exited, because that was in an earlier sandbox', () => {
      expect(
        act([none, none, none], { web: exited(1) }),
        'web exited, so it ran in an earlier sandbox: the new one begins with a',
      ).toEqual({ ...nothing, start: [0] });
      expect(
        act([exited(), none, none], { web: exited(0) }),
        'web exited, so it ran in an earlier sandbox: a exited with 0 in the new one, so start b',
      ).toEqual({ ...nothing, start: [1] });
    });

    test('use the newest instance of each', () => {
      const pod = podOf({ initContainers: ['a', 'b'] });
      const podStatus = observed(pod, { a: [exited(0), exited(1)], b: [running, exited(1)] });
      const { initContainersToStart, initialized } = computeInitContainerActions(pod, podStatus, probesOf());
      expect(
        [initContainersToStart, initialized],
        '[initContainersToStart, initialized]: the newest instance of b runs, so start nothing',
      ).toEqual([[], false]);
    });
  });
});
