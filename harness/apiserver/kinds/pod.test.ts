import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../api/freeze.ts';
import type { Pod } from '../../api/objects.ts';
import { received } from './kind-laws.ts';
import { MIRROR_POD, POD_DELETION_COST } from './pod/annotations.ts';
import { container, lines, storedPod } from './pod/pod.fixture.ts';
import { pod } from './pod.ts';

const annotated = (annotations: Record<string, string>): Pod => {
  const stored = storedPod();
  return { ...stored, metadata: { ...stored.metadata, annotations } };
};

describe('Pod', () => {
  test('starts pending, with a quality of service class from its resources', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' } };
    const sent = pod.setDefaults(deepFreeze({ ...storedPod({ containers: [container({ resources })] }) }));
    expect(pod.prepareForCreate(sent).status).toEqual({ phase: 'Pending', qosClass: 'Guaranteed' });
    expect(pod.prepareForCreate(storedPod({}, { phase: 'Running', podIP: '10.0.0.1' })).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    });
  });

  test('reports the scheduling gates that hold it back', () => {
    const gated = storedPod({ schedulingGates: [{ name: 'x.io/a' }] });
    expect(pod.prepareForCreate(gated).status.conditions).toEqual([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        lastProbeTime: null,
        lastTransitionTime: '2024-05-01T10:00:00Z',
      },
    ]);
    expect(lines(pod.validate({ ...gated, spec: { ...gated.spec, nodeName: 'n1' } }))).toEqual([
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ]);
  });

  test('requires containers', () => {
    const { spec: _, ...rest } = storedPod();
    const sent = received(pod, rest as Pod);
    expect(lines(pod.validate(sent))).toEqual(['spec.containers: Required value']);
  });

  test('rejects ephemeral containers and padded images on create', () => {
    expect(lines(pod.validate(storedPod({ ephemeralContainers: [container({ name: 'debug' })] })))).toEqual([
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
    expect(lines(pod.validate(storedPod({ containers: [container({ image: 'a ' })] })))).toEqual([
      'spec.containers[0].image: Invalid value: "a ": must not have leading or trailing whitespace',
    ]);
  });

  test('requires a service account for its tokens', () => {
    const volumes = [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }];
    expect(pod.validate(storedPod({ volumes, serviceAccountName: 'default' }))).toEqual([]);
    expect(lines(pod.validate(storedPod({ volumes })))).toEqual([
      'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ]);
  });

  test.each([
    ['100', true],
    ['-2147483648', true],
    ['2147483648', false],
    ['+1', false],
    ['01', false],
    ['', false],
  ])('accepts the deletion cost %j: %s', (cost, isValid) => {
    const refusal = `metadata.annotations[${POD_DELETION_COST}]: Invalid value: "${cost}": must be a 32bit integer`;
    expect(lines(pod.validate(annotated({ [POD_DELETION_COST]: cost })))).toEqual(isValid ? [] : [refusal]);
  });

  test('stays a mirror pod for its whole life, and never becomes one', () => {
    const path = `metadata.annotations[${MIRROR_POD}]`;
    const [plain, mirror] = [annotated({}), annotated({ [MIRROR_POD]: 'hash' })];
    expect(lines(pod.validate(mirror))).toEqual([
      `${path}: Invalid value: "hash": must set spec.nodeName if mirror pod annotation is set`,
    ]);
    expect(lines(pod.validateUpdate(plain, mirror))).toEqual([
      `${path}: Forbidden: may not remove or update mirror pod annotation`,
    ]);
    expect(lines(pod.validateUpdate(mirror, plain))).toContain(
      `${path}: Forbidden: may not add mirror pod annotation`,
    );
  });

  test('keeps its status in an update', () => {
    const old = storedPod();
    const changed = pod.prepareForUpdate({ ...old, status: { phase: 'Running' } }, old);
    expect(changed.status).toBe(old.status);
    expect(pod.validateUpdate(changed, old)).toEqual([]);
  });

  test('keeps its spec and its owners in a status update', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true };
    const stored = storedPod();
    const old = deepFreeze({ ...stored, metadata: { ...stored.metadata, ownerReferences: [owner] } });
    const sent = deepFreeze({
      ...stored,
      metadata: { ...stored.metadata, labels: { seen: 'yes' } },
      spec: { ...stored.spec, nodeName: 'n1' },
      status: { phase: 'Running' },
    });
    const changed = pod.prepareForStatusUpdate?.(sent, old);
    expect(changed).toEqual({
      ...old,
      metadata: { ...old.metadata, labels: { seen: 'yes' } },
      status: { phase: 'Running', qosClass: 'BestEffort' },
    });
    expect(changed && pod.validateStatusUpdate?.(changed, old)).toEqual([]);
  });

  test('keeps its quality of service class and observed generations when a client omits them', () => {
    const old = storedPod(
      {},
      {
        observedGeneration: 2,
        conditions: [
          { type: 'Ready', status: 'False', observedGeneration: 1 },
          { type: 'Twice', status: 'True', observedGeneration: 2 },
          { type: 'Twice', status: 'True', observedGeneration: 3 },
        ],
      },
    );
    const kept = pod.prepareForStatusUpdate?.({ ...old, status: {} }, old);
    expect(kept?.status).toEqual({ observedGeneration: 2, qosClass: 'BestEffort' });
    const conditions = ['Twice', 'Ready', 'Twice', 'New'].map((type) => ({ type, status: 'True' }));
    const status = { observedGeneration: 4, conditions };
    expect(pod.prepareForStatusUpdate?.({ ...old, status }, old).status).toEqual({
      observedGeneration: 4,
      qosClass: 'BestEffort',
      conditions: [
        { type: 'Twice', status: 'True', observedGeneration: 2 },
        { type: 'Ready', status: 'True', observedGeneration: 1 },
        { type: 'Twice', status: 'True', observedGeneration: 3 },
        { type: 'New', status: 'True' },
      ],
    });
  });

  test('increases its generation with its spec, but not with its status', () => {
    const old = storedPod();
    const respelt = { ...old.spec, containers: [{ ...container(), ...old.spec.containers[0] }] };
    expect(pod.sameDesiredState?.({ ...old, spec: respelt, status: { phase: 'Running' } }, old)).toBe(true);
    expect(pod.sameDesiredState?.({ ...old, spec: { ...old.spec, tolerations: [{}] } }, old)).toBe(false);
  });

  test('exposes one address in both fields', () => {
    const both = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    const statusOf = (status: Pod['status']) => pod.setDefaults({ ...storedPod(), status }).status;
    expect(statusOf({ podIP: '10.0.0.1' })).toEqual(both);
    expect(statusOf({ podIPs: [{ ip: '10.0.0.1' }] })).toEqual(both);
    expect(statusOf({ podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }] })).toEqual(both);
  });

  test('can be selected by its node and its phase', () => {
    const fields = pod.selectableFields(
      storedPod({ nodeName: 'n1', hostNetwork: true }, { podIP: '10.0.0.1' }),
    );
    expect(fields).toEqual({
      'spec.nodeName': 'n1',
      'spec.restartPolicy': 'Always',
      'spec.schedulerName': 'default-scheduler',
      'spec.serviceAccountName': '',
      'spec.hostNetwork': 'true',
      'status.phase': 'Pending',
      'status.podIP': '10.0.0.1',
      'status.nominatedNodeName': '',
    });
    expect(Object.keys(fields)).toEqual(pod.selectableFieldNames);
  });

  test('does not change when defaults are set twice', () => {
    const once = pod.setDefaults(storedPod());
    expect(pod.setDefaults(once)).toBe(once);
  });
});

describe('grace period of a pod', () => {
  const grace = (asked: number | undefined, phase = 'Running', nodeName = 'n1', own = 30) =>
    pod.gracePeriodSeconds?.(storedPod({ nodeName, terminationGracePeriodSeconds: own }, { phase }), asked);

  test('comes from the spec unless the request overrides it', () => {
    expect(grace(undefined)).toBe(30);
    expect(grace(5)).toBe(5);
    expect(grace(0)).toBe(0);
  });

  test('is zero when no kubelet runs the pod', () => {
    expect(grace(5, 'Pending', '')).toBe(0);
    expect(grace(5, 'Succeeded')).toBe(0);
    expect(grace(5, 'Failed')).toBe(0);
  });

  test('is one second when it would be negative', () => {
    expect(grace(-1)).toBe(1);
    expect(grace(undefined, 'Running', 'n1', -5)).toBe(1);
  });
});
