import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../api/objects.ts';
import { deployment } from './deployment.ts';
import { kindViolations, parts, received, said } from './kind-laws.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
};

const metadata = {
  name: 'web',
  namespace: 'default',
  uid: '1',
  resourceVersion: '1',
  creationTimestamp: '2024-05-01T10:00:00Z',
};

/** A Deployment as a client sends it. */
function sent(spec: object = {}, status?: object): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec },
    ...(status ? { status } : {}),
  } as unknown as Deployment;
}

/** The same Deployment with defaults. */
const web = (spec: object = {}, status?: object) => received(deployment, sent(spec, status));

describe('Deployment defaults', () => {
  test('set one replica, a rolling update of 25 %, ten old ReplicaSets, and ten minutes', () => {
    expect(web().spec).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
  });

  test('keep existing values, including zeros', () => {
    const spec = { replicas: 0, revisionHistoryLimit: 0, strategy: { rollingUpdate: { maxSurge: 0 } } };
    expect(web(spec).spec).toMatchObject({
      replicas: 0,
      revisionHistoryLimit: 0,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 0 } },
    });
  });

  test('give Recreate no rollingUpdate', () => {
    expect(web({ strategy: { type: 'Recreate' } }).spec.strategy).toEqual({ type: 'Recreate' });
  });

  test('apply to the template', () => {
    expect(web().spec.template.spec).toMatchObject({ restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' });
  });

  test('complete an object without a spec', () => {
    const { spec: _, ...bare } = sent();
    expect(received(deployment, bare as Deployment)).toMatchObject({ spec: { replicas: 1 }, status: {} });
  });
});

describe('Deployment validation', () => {
  const causesOf = (spec: object) => said(deployment.validate(web(spec)));

  test('accepts the minimum', () => {
    expect(causesOf({})).toEqual([]);
  });

  test('requires a selector', () => {
    expect(causesOf({ selector: undefined })).toEqual([
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  test('rejects an empty selector', () => {
    expect(causesOf({ selector: {} })).toEqual([
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ]);
  });

  test('rejects a selector that cannot be parsed', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    expect(causesOf({ selector })).toEqual([
      'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Near"}]}: invalid label selector',
    ]);
  });

  test('rejects a template that the selector does not match', () => {
    expect(causesOf({ selector: { matchLabels: { app: 'api' } } })).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  test.each(['Never', 'OnFailure'])('rejects the restart policy %s', (restartPolicy) => {
    const spec = { ...template.spec, restartPolicy };
    expect(causesOf({ template: { ...template, spec } })).toEqual([
      `spec.template.spec.restartPolicy: Unsupported value: "${restartPolicy}": supported values: "Always"`,
    ]);
  });

  test('rejects pods with a deadline', () => {
    const spec = { ...template.spec, activeDeadlineSeconds: 5 };
    expect(causesOf({ template: { ...template, spec } })).toEqual([
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
    ]);
  });

  test('rejects negative numbers', () => {
    expect(causesOf({ replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3 })).toEqual([
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0',
      'spec.revisionHistoryLimit: Invalid value: -3: must be greater than or equal to 0',
    ]);
  });

  test('requires progressDeadlineSeconds above minReadySeconds', () => {
    expect(causesOf({ minReadySeconds: 599 })).toEqual([]);
    expect(causesOf({ minReadySeconds: 600 })).toEqual([
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ]);
  });
});

test('warns if the name is not a valid hostname', () => {
  const named = (name: string) => {
    const object = web();
    return deployment.warningsOnCreate?.({ ...object, metadata: { ...object.metadata, name } });
  };
  expect(named('web')).toEqual([]);
  expect(named('web.example')).toEqual([
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
  ]);
});

describe('Deployment strategy', () => {
  const causesOf = (strategy: object) => said(deployment.validate(web({ strategy })));
  const rolling = (rollingUpdate: object) => causesOf({ rollingUpdate });

  test('rejects an unknown type', () => {
    expect(causesOf({ type: 'Canary' })).toEqual([
      'spec.strategy: Unsupported value: {"Type":"Canary","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ]);
  });

  test('rejects rollingUpdate for Recreate', () => {
    expect(causesOf({ type: 'Recreate', rollingUpdate: { maxSurge: 1 } })).toEqual([
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ]);
  });

  test.each([
    { maxUnavailable: 0, maxSurge: 0 },
    { maxUnavailable: 0, maxSurge: '0%' },
  ])('rejects $maxUnavailable and $maxSurge, which allow no progress', (rollingUpdate) => {
    expect(rolling(rollingUpdate)).toEqual([
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ]);
  });

  test.each([
    { maxUnavailable: 0, maxSurge: 1 },
    { maxUnavailable: '100%', maxSurge: 0 },
    { maxUnavailable: 500, maxSurge: '300%' },
  ])('accepts $maxUnavailable and $maxSurge', (rollingUpdate) => {
    expect(rolling(rollingUpdate)).toEqual([]);
  });

  test('rejects maxUnavailable above 100 %', () => {
    expect(rolling({ maxUnavailable: '101%' })).toEqual([
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ]);
  });

  test('accepts only numbers and percentages', () => {
    expect(rolling({ maxUnavailable: -1, maxSurge: '5' })).toEqual([
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
      'spec.strategy.rollingUpdate.maxSurge: Invalid value: "5": a valid percent string must be a numeric string ' +
        "followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ]);
  });
});

describe('Deployment create and update', () => {
  test('ignore a status that a client creates', () => {
    expect(deployment.prepareForCreate(web({}, { replicas: 3 })).status).toEqual({});
  });

  test('keep the status in an update', () => {
    const old = web({}, { replicas: 3 });
    expect(deployment.prepareForUpdate(web({ replicas: 5 }, { replicas: 9 }), old)).toMatchObject({
      spec: { replicas: 5 },
      status: { replicas: 3 },
    });
  });

  test('reject a changed selector', () => {
    const labels = { app: 'web', tier: 'front' };
    const changed = web({
      selector: { matchLabels: labels },
      template: { ...template, metadata: { labels } },
    });
    expect(said(deployment.validateUpdate(changed, web()))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
    ]);
  });

  test('increase the generation when the spec or the annotations change', () => {
    const old = web();
    const annotated = { ...old, metadata: { ...old.metadata, annotations: { why: 'because' } } };
    const labelled = { ...old, metadata: { ...old.metadata, labels: { why: 'because' } } };
    expect(deployment.sameDesiredState?.(web(), old)).toBe(true);
    expect(deployment.sameDesiredState?.(labelled, old)).toBe(true);
    expect(deployment.sameDesiredState?.({ ...old, status: { replicas: 1 } }, old)).toBe(true);
    expect(deployment.sameDesiredState?.(web({ replicas: 2 }), old)).toBe(false);
    expect(deployment.sameDesiredState?.(web({ paused: true }), old)).toBe(false);
    expect(deployment.sameDesiredState?.(annotated, old)).toBe(false);
  });
});

describe('Deployment status', () => {
  const statusUpdate = (status: object, old: object = {}) =>
    said(deployment.validateStatusUpdate?.(web({}, status), web({}, old)) ?? []);

  test('is the only part that its subresource writes, except annotations', () => {
    const old = web();
    const changed = {
      ...web({ replicas: 7 }, { replicas: 7 }),
      metadata: { ...old.metadata, labels: { stale: 'yes' }, annotations: { fresh: 'yes' } },
    };
    expect(deployment.prepareForStatusUpdate?.(changed, old)).toEqual({
      ...old,
      metadata: { ...old.metadata, annotations: { fresh: 'yes' } },
      status: { replicas: 7 },
    });
  });

  test('rejects counts above the number of pods', () => {
    expect(statusUpdate({ replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 })).toEqual(
      [
        'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
      ],
    );
  });

  test('rejects more available pods than ready pods', () => {
    expect(statusUpdate({ replicas: 3, readyReplicas: 1, availableReplicas: 2 })).toEqual([
      'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
    ]);
  });

  test('rejects a decreased collisionCount', () => {
    expect(statusUpdate({ collisionCount: 2 }, { collisionCount: 1 })).toEqual([]);
    expect(statusUpdate({}, { collisionCount: 1 })).toEqual([
      'status.collisionCount: Invalid value: 0: cannot be decremented',
    ]);
  });

  test('rejects negative numbers', () => {
    const negative = { observedGeneration: -1, unavailableReplicas: -1, terminatingReplicas: -1 };
    expect(statusUpdate(negative)).toEqual([
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});

describe('Deployment laws', () => {
  test('scale through spec.replicas and report the selector as text', () => {
    const selector = { matchLabels: { tier: 'a' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] };
    const object = web({ replicas: 3, selector }, { replicas: 2 });
    const { scale } = deployment;
    expect(scale?.replicas(object)).toBe(3);
    expect(scale?.currentReplicas(object)).toBe(2);
    expect(scale?.selector(object)).toBe('app,tier=a');
  });

  test('hold for any part of a Deployment that is sent', () => {
    const whole = sent(
      { replicas: 2, paused: true, minReadySeconds: 5, strategy: { type: 'Recreate', rollingUpdate: {} } },
      { replicas: 1, observedGeneration: 1 },
    );
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(deployment, part)).toEqual([]);
      }),
    );
  });
});
