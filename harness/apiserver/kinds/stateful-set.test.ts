import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { statefulSet } from './stateful-set.ts';

describe('StatefulSet', () => {
  test('manages pods in order by default, updates from the last to the first, and retains volumes', () => {
    const unsaid = ['replicas', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy', 'ordinals'];
    const changes = Object.fromEntries(unsaid.map((field) => [`spec.${field}`, undefined]));
    expect(sampleOf(statefulSet, changes).spec).toMatchObject({
      ...{ replicas: 1, podManagementPolicy: 'OrderedReady', revisionHistoryLimit: 10 },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
  });

  test('gets no default partition if it sets the type of its update strategy', () => {
    const { spec } = sampleOf(statefulSet, { 'spec.updateStrategy': { type: 'RollingUpdate' } });
    expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate' });
  });

  test('has claim templates with type and status, as if they were stored', () => {
    expect(sampleOf(statefulSet).spec.volumeClaimTemplates).toMatchObject([
      {
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
        spec: { volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    ]);
  });

  test.each([
    [{ 'metadata.name': 'a.b' }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
    [
      { 'spec.podManagementPolicy': 'Some' },
      `spec.podManagementPolicy: Invalid value: "Some": must be 'OrderedReady' or 'Parallel'`,
    ],
    [
      { 'spec.updateStrategy': { type: 'Some' } },
      `spec.updateStrategy: Invalid value: {"Type":"Some","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
    ],
    [
      { 'spec.updateStrategy.type': 'OnDelete' },
      `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
    ],
    [
      { 'spec.persistentVolumeClaimRetentionPolicy.whenScaled': 'Some' },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Some": supported values: "Retain", "Delete"',
    ],
    [
      { 'spec.ordinals.start': -1 },
      'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
    ],
    [{ 'spec.selector': {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
    [
      { 'spec.selector': { matchLabels: { app: 'db' } } },
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      { 'spec.template.spec.restartPolicy': 'Never' },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      { 'spec.template.spec.activeDeadlineSeconds': 5 },
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
    ],
    [{ 'spec.serviceName': 'a.b' }, 'spec.serviceName: Invalid value: "a.b": must not contain dots'],
  ])('rejects %j', (changes, why) => {
    expect(refused(statefulSet, changes)).toEqual([why]);
  });

  test('selects nothing without a selector, not even its own pods', () => {
    expect(refused(statefulSet, { 'spec.selector': undefined })).toEqual([
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  test('accepts volume mounts of its claim templates', () => {
    const mount = { 'spec.template.spec.containers.0.volumeMounts': [{ name: 'data', mountPath: '/data' }] };
    expect(refused(statefulSet, mount)).toEqual([]);
    expect(refused(statefulSet, { ...mount, 'spec.volumeClaimTemplates': undefined })).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ]);
  });

  test('can change only a few fields', () => {
    const changes = { 'spec.replicas': 9, 'spec.ordinals.start': 2, 'spec.minReadySeconds': 1 };
    expect(refusedUpdate(statefulSet, changes)).toEqual([]);
    expect(refusedUpdate(statefulSet, { 'spec.serviceName': 'other' })).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  });

  test('rejects counts above the number of pods, and a decreased collisionCount', () => {
    expect(refusedStatus(statefulSet, { 'status.readyReplicas': 4 })).toEqual([
      'status.readyReplicas: Invalid value: 4: cannot be greater than status.replicas',
    ]);
    expect(
      refusedStatus(statefulSet, { 'status.availableReplicas': 3, 'status.collisionCount': undefined }),
    ).toEqual([
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.readyReplicas',
      'status.collisionCount: Invalid value: 0: cannot be decremented',
    ]);
  });

  test('warns about an unlimited history', () => {
    expect(
      statefulSet.warningsOnCreate?.(sampleOf(statefulSet, { 'spec.revisionHistoryLimit': -1 })),
    ).toEqual([
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    ]);
  });
});
