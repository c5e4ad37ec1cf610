import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReplicaSet } from '../../api/objects.ts';
import { kindViolations, parts, received, said } from './kind-laws.ts';
import { replicaSet } from './replica-set.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
};

function sent(spec: object = {}, status?: object): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web-1',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec },
    ...(status ? { status } : {}),
  } as unknown as ReplicaSet;
}

const web = (spec: object = {}, status?: object) => received(replicaSet, sent(spec, status));

describe('ReplicaSet', () => {
  test('has one replica by default, and a status with zero replicas', () => {
    expect(web()).toMatchObject({
      spec: { replicas: 1, template: { spec: { restartPolicy: 'Always' } } },
      status: { replicas: 0 },
    });
  });

  test('always has a number of replicas in its status', () => {
    expect(web({}, { observedGeneration: 1 }).status).toEqual({ replicas: 0, observedGeneration: 1 });
  });

  test('ignores a status that a client creates', () => {
    expect(replicaSet.prepareForCreate(web({}, { replicas: 3 })).status).toEqual({ replicas: 0 });
  });

  test('rejects negative numbers', () => {
    expect(said(replicaSet.validate(web({ replicas: -1, minReadySeconds: -1 })))).toEqual([
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('rejects an empty selector with the message for a Deployment', () => {
    expect(said(replicaSet.validate(web({ selector: {} })))).toEqual([
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ]);
  });

  test('rejects a template that the selector does not match', () => {
    expect(said(replicaSet.validate(web({ selector: { matchLabels: { app: 'api' } } })))).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  test('rejects a missing template', () => {
    const causes = said(replicaSet.validate(web({ template: undefined })));
    expect(causes[0]).toBe(
      'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
    );
    expect(causes).toContain('spec.template.spec.containers: Required value');
  });

  test('rejects a changed selector', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
    expect(said(replicaSet.validateUpdate(web({ selector }), web()))).toEqual([
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
    ]);
  });

  test('increases its generation with the spec only', () => {
    const old = web();
    const annotated = { ...old, metadata: { ...old.metadata, annotations: { why: 'because' } } };
    expect(replicaSet.sameDesiredState?.(annotated, old)).toBe(true);
    expect(replicaSet.sameDesiredState?.(web({ replicas: 0 }), old)).toBe(false);
  });

  test('accepts labels in a status update, unlike a Deployment', () => {
    const old = web();
    const changed = {
      ...web({ replicas: 7 }, { replicas: 7 }),
      metadata: { ...old.metadata, labels: { a: 'b' } },
    };
    expect(replicaSet.prepareForStatusUpdate?.(changed, old)).toEqual({ ...changed, spec: old.spec });
  });

  test('rejects counts in the status above the number of pods', () => {
    const status = { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 3, availableReplicas: 4 };
    expect(said(replicaSet.validateStatusUpdate?.(web({}, status), web()) ?? [])).toEqual([
      'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas',
    ]);
  });

  test('rejects negative numbers in the status', () => {
    const negative = { observedGeneration: -1, terminatingReplicas: -1 };
    const causes = replicaSet.validateStatusUpdate?.(web({}, negative), web()) ?? [];
    expect(said(causes)).toEqual([
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = sent({ replicas: 2, minReadySeconds: 5 }, { replicas: 1, readyReplicas: 1 });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(replicaSet, part)).toEqual([]);
      }),
    );
  });
});
