import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { container, lines, storedPod } from './pod.fixture.ts';
import { validatePodStatusUpdate } from './status.ts';

const check = (status: core.PodStatus, old: core.PodStatus = {}, spec: Partial<core.PodSpec> = {}) =>
  lines(validatePodStatusUpdate(storedPod(spec, status), storedPod(spec, old)));

const containerStatus = (state: core.ContainerState, name = 'app'): core.ContainerStatus => ({
  name,
  state,
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
});
const running = { running: { startedAt: '2024-05-01T10:00:00Z' } };
const ended = (exitCode: number) => ({ terminated: { exitCode } });

describe('status of a pod', () => {
  test.each([
    ['Always', 0, true],
    ['Always', 1, true],
    ['OnFailure', 1, true],
    ['OnFailure', 0, false],
    ['Never', 0, false],
    ['Never', 1, false],
  ])('accepts a restart under %s after exit code %d: %s', (restartPolicy, exitCode, allowed) => {
    const causes = check(
      { containerStatuses: [containerStatus(running)] },
      { containerStatuses: [containerStatus(ended(exitCode))] },
      { restartPolicy },
    );
    const refusal =
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state';
    expect(causes).toEqual(allowed ? [] : [refusal]);
  });

  test('accepts the restart of a sidecar under any policy, but not of other init containers', () => {
    const initContainers = [
      container({ name: 'sidecar', restartPolicy: 'Always' }),
      container({ name: 'init' }),
    ];
    const statuses = (state: core.ContainerState) => ({
      initContainerStatuses: [containerStatus(state, 'sidecar'), containerStatus(state, 'init')],
    });
    expect(check(statuses(running), statuses(ended(1)), { restartPolicy: 'Never', initContainers })).toEqual([
      'status.initContainerStatuses[1].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
  });

  test('rejects the restart of an ephemeral container', () => {
    const statuses = (state: core.ContainerState) => ({
      ephemeralContainerStatuses: [containerStatus(state)],
    });
    expect(check(statuses(running), statuses(ended(0)))).toEqual([
      'status.ephemeralContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
  });

  test('can drop a container', () => {
    expect(check({}, { containerStatuses: [containerStatus(ended(0))] }, { restartPolicy: 'Never' })).toEqual(
      [],
    );
  });

  test('has at most one address per family', () => {
    expect(check({ podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] })).toEqual([]);
    expect(check({ podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }] })).toEqual([
      'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.1"}]: may specify no more than one IP for each IP family',
    ]);
    expect(check({ podIPs: [{ ip: 'nowhere' }] })).toEqual([
      'status.podIPs[0]: Invalid value: "nowhere": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    expect(check({ hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.2' }] })).toEqual([
      'status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`',
    ]);
  });

  test('has conditions with qualified names', () => {
    const conditions = [
      { type: 'Ready', status: 'True' },
      { type: 'example.com/lb-ready', status: 'True' },
      { type: 'a b', status: 'True' },
    ];
    expect(check({ conditions })).toEqual([
      expect.stringMatching(/^status\.conditions\[2\]\.Type: Invalid value: "a b": name part must/),
    ]);
  });

  test('nominates a node by a valid name', () => {
    expect(check({ nominatedNodeName: 'n1' })).toEqual([]);
    expect(check({ nominatedNodeName: 'N1' })).toEqual([
      expect.stringMatching(/^status\.nominatedNodeName: Invalid/),
    ]);
    expect(check({ nominatedNodeName: 'n1' }, {}, { nodeName: 'n2' })).toEqual([
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    ]);
    expect(check({ nominatedNodeName: 'n1' }, { nominatedNodeName: 'n1' }, { nodeName: 'n2' })).toEqual([]);
  });

  test('rejects a negative observedGeneration', () => {
    const condition = { type: 'Ready', status: 'True', observedGeneration: -1 };
    expect(check({ observedGeneration: -1, conditions: [condition] })).toEqual([
      'status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ]);
  });

  test('rejects a changed quality of service class', () => {
    expect(check({ qosClass: 'Guaranteed' })).toEqual([
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ]);
  });

  test('requires canonical addresses, but keeps stored ones', () => {
    const old = { podIPs: [{ ip: '010.0.0.1' }] };
    expect(check(old)).toEqual(['status.podIPs[0]: Invalid value: "010.0.0.1": must not have leading 0s']);
    expect(check(old, old)).toEqual([]);
  });

  test('accepts the restart of a container whose own policy or rule restarts it', () => {
    const exitCodes = { operator: 'In', values: [42] };
    const restartPolicyRules = [{ action: 'Restart', exitCodes }];
    const again = (container: object, exitCode: number) =>
      check(
        { containerStatuses: [containerStatus(running)] },
        { containerStatuses: [containerStatus(ended(exitCode))] },
        { restartPolicy: 'Never', containers: [{ name: 'app', image: 'a', ...container }] },
      );
    const refused = [
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ];
    expect(again({ restartPolicy: 'Never', restartPolicyRules }, 42)).toEqual([]);
    expect(again({ restartPolicy: 'Never', restartPolicyRules }, 1)).toEqual(refused);
    expect(again({ restartPolicy: 'OnFailure' }, 1)).toEqual([]);
    expect(again({ restartPolicy: 'OnFailure' }, 0)).toEqual(refused);
    const all = [{ action: 'RestartAllContainers', exitCodes }];
    expect(again({ restartPolicy: 'Never', restartPolicyRules: all }, 0)).toEqual([]);
  });
});
