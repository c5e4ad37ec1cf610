import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { ProbeResult } from '../contracts/node/probe-manager.ts';
import { hashContainer, unknownToKill } from './containers.ts';
import type { RuntimeContainerStatus } from './pod-status.ts';
import { restartsAfterKill, shouldContainerBeRestarted, whyToKill } from './restart.ts';

const web: core.Container = { name: 'web', image: 'image' };

const podOf = (restartPolicy: string | undefined, metadata: Partial<Pod['metadata']> = {}): Pod =>
  ({ metadata, spec: { containers: [web], restartPolicy }, status: {} }) as unknown as Pod;

type State = RuntimeContainerStatus['state'] | number;

/** Returns the containers in the runtime, newest first, each given as a state or as an exit code. */
const statusOf = (...states: State[]) => ({
  containerStatuses: [
    { name: 'other', state: 'running' },
    ...states.map((state) =>
      typeof state === 'number' ? { name: 'web', state: 'exited', exitCode: state } : { name: 'web', state },
    ),
  ] as unknown as RuntimeContainerStatus[],
});

describe('A container', () => {
  const restarted = (restartPolicy: string, ...states: State[]) =>
    shouldContainerBeRestarted(web, podOf(restartPolicy), statusOf(...states));

  test('is started if the runtime has none, or it never started, or its state is unknown', () => {
    expect(restarted('Never')).toBe(true);
    expect(restarted('Never', 'created')).toBe(true);
    expect(restarted('Never', 'unknown')).toBe(true);
  });

  test('is not restarted while it runs', () => {
    expect(restarted('Always', 'running')).toBe(false);
  });

  test('follows its restart policy after it has exited', () => {
    expect(restarted('OnFailure', 1)).toBe(true);
    expect(restarted('OnFailure', 0)).toBe(false);
    expect(restarted('Always', 0)).toBe(true);
    expect(restarted('Never', 1)).toBe(false);
  });

  test('follows its newest instance', () => {
    expect(restarted('OnFailure', 'running', 1)).toBe(false);
    expect(restarted('OnFailure', 0, 1)).toBe(false);
    expect(restarted('OnFailure', 1, 0)).toBe(true);
  });

  test('is never started in a pod that is being deleted', () => {
    const pod = podOf('Always', { deletionTimestamp: '2024-04-17T00:00:00Z' });
    for (const there of [statusOf(), statusOf(1), statusOf('created')]) {
      expect(shouldContainerBeRestarted(web, pod, there)).toBe(false);
    }
  });

  test("is restarted after a kill unless its policy, or by default its pod's, is Never", () => {
    expect(
      ['Always', 'OnFailure', 'Never', undefined].map((policy) => restartsAfterKill(web, podOf(policy))),
    ).toEqual([true, true, false, true]);
    expect(restartsAfterKill({ ...web, restartPolicy: 'OnFailure' }, podOf('Never'))).toBe(true);
    expect(restartsAfterKill({ ...web, restartPolicy: 'Never' }, podOf('Always'))).toBe(false);
    const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [1] } }];
    expect(restartsAfterKill({ ...web, restartPolicy: 'Never', restartPolicyRules }, podOf('Always'))).toBe(
      false,
    );
  });

  test('is killed with a message that names its kind if its state is unknown', () => {
    expect(unknownToKill('web', 'Init container')).toEqual({
      name: 'web',
      message: 'Init container is in "unknown" state, try killing it before restart',
      reason: 'Unknown',
    });
  });
});

describe('A running container', () => {
  const why = (found: { liveness?: ProbeResult; startup?: ProbeResult }, hash = hashContainer(web)) => {
    const of = (id: string) => (id === 'web-2' ? found : undefined);
    return whyToKill(
      web,
      { id: 'web-2', hash },
      { liveness: (id) => of(id)?.liveness, startup: (id) => of(id)?.startup },
    );
  };

  test('is not killed while no probe has failed', () => {
    for (const result of ['Success', 'Unknown', undefined] as const) {
      expect(why(result ? { liveness: result, startup: result } : {})).toBe(undefined);
    }
  });

  test('is killed when a probe has failed', () => {
    expect(why({ liveness: 'Failure', startup: 'Success' })).toEqual({
      name: 'web',
      message: 'Container web failed liveness probe',
      reason: 'LivenessProbe',
    });
    expect(why({ startup: 'Failure' })).toEqual({
      name: 'web',
      message: 'Container web failed startup probe',
      reason: 'StartupProbe',
    });
    expect(why({ liveness: 'Failure', startup: 'Failure' })?.reason).toBe('LivenessProbe');
  });

  test('is killed when its definition has changed, whatever the probes report', () => {
    const changed = { name: 'web', message: 'Container web definition changed' };
    expect(why({}, 'another')).toEqual(changed);
    expect(why({ liveness: 'Failure' }, 'another')).toEqual(changed);
  });
});
