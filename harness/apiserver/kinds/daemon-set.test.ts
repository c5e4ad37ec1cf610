import { describe, expect, test } from 'vitest';
import { daemonSet } from './daemon-set.ts';
import { refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';

describe('DaemonSet', () => {
  test('is updated one node at a time by default', () => {
    expect(sampleOf(daemonSet, { 'spec.updateStrategy': undefined }).spec).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
    });
  });

  test('counts the changes of its template in an annotation', () => {
    const generation = 'deprecated.daemonset.template.generation';
    const created = daemonSet.prepareForCreate(sampleOf(daemonSet));
    expect(created.metadata.annotations).toEqual({ [generation]: '1' });
    const scaled = daemonSet.prepareForUpdate(sampleOf(daemonSet, { 'spec.minReadySeconds': 9 }), created);
    expect(scaled.metadata.annotations).toEqual({ [generation]: '1' });
    const image = { 'spec.template.spec.containers.0.image': 'nginx:2' };
    const updated = daemonSet.prepareForUpdate(sampleOf(daemonSet, image), created);
    expect(updated.metadata.annotations).toEqual({ [generation]: '2' });
  });

  test.each([
    [{ 'spec.selector': {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
    [
      { 'spec.selector': { matchLabels: { app: 'db' } } },
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      { 'spec.updateStrategy.type': 'Some' },
      'spec.updateStrategy: Unsupported value: {"Type":"Some","RollingUpdate":{"MaxUnavailable":"10%","MaxSurge":0}}: supported values: "RollingUpdate", "OnDelete"',
    ],
    [
      { 'spec.updateStrategy.rollingUpdate.maxSurge': 1 },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    ],
    [
      { 'spec.updateStrategy.rollingUpdate.maxUnavailable': 0 },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ],
    [
      { 'spec.updateStrategy.rollingUpdate.maxUnavailable': '101%' },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      { 'spec.template.spec.restartPolicy': 'Never' },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      { 'spec.revisionHistoryLimit': -1 },
      'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(daemonSet, changes)).toEqual([why]);
  });

  test('never changes its selector', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
    expect(refusedUpdate(daemonSet, { 'spec.selector': selector })).toEqual([
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
    ]);
  });

  test('rejects negative counts in its status', () => {
    expect(refusedStatus(daemonSet, { 'status.numberReady': -1 })).toEqual([
      'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});
