import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { KubeObject, ResourceQuota } from '../../api/objects.ts';
import { resourceQuotas } from '../../api/plain-resources.ts';
import { persistentVolumeClaims, pods, secrets, services } from '../../api/resource.ts';
import { ruleFor, vectors } from '../../testing/vectors.ts';
import { evaluatorOf, isCountedBy } from './quota-evaluators.ts';
import { namesAbove, negativeNames, type ResourceList, sameAmounts } from './resource-lists.ts';

const object = (fields: object): KubeObject =>
  ({ metadata: { name: 'x' }, ...fields }) as unknown as KubeObject;
const NOW = Date.UTC(2024, 3, 17);

describe('The usage of a pod', () => {
  test.each(vectors<{ pod: object }, { usage: ResourceList }>('quota', 'usage', 5))(
    'agrees with upstream: $name',
    ({ input, expect: { usage } }) => {
      const found = evaluatorOf(pods).usage(object(input.pod), NOW);
      expect(sameAmounts(found, usage), ruleFor(`is ${JSON.stringify(found)}`, input)).toBe(true);
    },
  );

  test('ends with its grace period, if the pod is stuck', () => {
    const pod = (deletionTimestamp: string) =>
      object({ metadata: { deletionTimestamp, deletionGracePeriodSeconds: 30 }, spec: { containers: [] } });
    const usage = (deletionTimestamp: string) => evaluatorOf(pods).usage(pod(deletionTimestamp), NOW);
    expect(usage('2024-04-16T23:59:30Z')).toMatchObject({ pods: '1' });
    expect(usage('2024-04-16T23:59:29Z')).toEqual({ 'count/pods': '1' });
  });
});

describe('The resources that a pod must name', () => {
  test.each(
    vectors<{ required: string[]; containers: core.Container[] }, { error: string }>(
      'quota',
      'constraints',
      2,
    ),
  )('agrees with upstream: $name', ({ input, expect: { error } }) => {
    const { required, containers } = input;
    expect(evaluatorOf(pods).missing(required, object({ spec: { containers } }))).toBe(error);
  });
});

describe('Lists of resources', () => {
  test.each(
    vectors<{ a: ResourceList; b: ResourceList }, { result: boolean; exceeded: string[] }>(
      'quota',
      'lessThanOrEqual',
      3,
    ),
  )('compare as upstream: $name', ({ input, expect: { exceeded } }) => {
    expect(namesAbove(input.a, input.b)).toEqual(exceeded);
  });

  test.each(vectors<{ a: ResourceList }, { names: string[] }>('quota', 'isNegative', 2))(
    'find amounts below 0 as upstream: $name',
    ({ input, expect: { names } }) => {
      expect([...negativeNames(input.a)].sort()).toEqual(names);
    },
  );
});

describe('The usage of other objects', () => {
  test('of a Service depends on its type', () => {
    const usage = (spec: object) =>
      evaluatorOf(services).usage(object({ spec: { ports: [{}, {}], ...spec } }), NOW);
    expect(usage({ type: 'ClusterIP' })).toMatchObject({ services: '1', 'services.nodeports': '0' });
    expect(usage({ type: 'NodePort' })).toMatchObject({
      'services.nodeports': '2',
      'services.loadbalancers': '0',
    });
    expect(usage({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false })).toMatchObject({
      'services.nodeports': '0',
      'services.loadbalancers': '1',
    });
  });

  test('of a claim is its storage in whole bytes, by its class, too', () => {
    const spec = { storageClassName: 'gold', resources: { requests: { storage: '1.5' } } };
    expect(evaluatorOf(persistentVolumeClaims).usage(object({ spec }), NOW)).toEqual({
      persistentvolumeclaims: '1',
      'count/persistentvolumeclaims': '1',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'requests.storage': '2',
      'gold.storageclass.storage.k8s.io/requests.storage': '2',
    });
  });

  test('of every other object is one', () => {
    expect(evaluatorOf(secrets).usage(object({}), NOW)).toEqual({ 'count/secrets': '1', secrets: '1' });
    expect(evaluatorOf({ group: 'example.com', plural: 'crontabs' }).usage(object({}), NOW)).toEqual({
      'count/crontabs.example.com': '1',
    });
  });
});

describe('A quota counts an object', () => {
  const quota = (spec: object): ResourceQuota =>
    object({ kind: resourceQuotas.kind, spec, status: { hard: { pods: '1' } } }) as unknown as ResourceQuota;
  const counts = (spec: object, pod: object): boolean =>
    isCountedBy(evaluatorOf(pods), quota(spec), object({ spec: { containers: [{}], ...pod } }));

  test.each([
    ['Terminating', { activeDeadlineSeconds: 0 }, true],
    ['Terminating', {}, false],
    ['NotTerminating', {}, true],
    ['BestEffort', {}, true],
    ['BestEffort', { containers: [{ resources: { requests: { cpu: '1' } } }] }, false],
    ['NotBestEffort', {}, false],
    ['PriorityClass', { priorityClassName: 'high' }, true],
    ['PriorityClass', {}, false],
    ['CrossNamespacePodAffinity', {}, false],
  ])('in the scope %s: %o %s', (scope, pod, expected) => {
    expect(counts({ scopes: [scope] }, pod)).toBe(expected);
  });

  test.each([
    ['In', ['high'], true],
    ['NotIn', ['high'], false],
    ['NotIn', ['low'], true],
    ['Exists', undefined, true],
    ['DoesNotExist', undefined, false],
  ])('by its priority class: %s %o %s', (operator, values, expected) => {
    const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] };
    expect(counts({ scopeSelector }, { priorityClassName: 'high' })).toBe(expected);
  });

  test('of its kind alone', () => {
    const of = (resource: { group: string; plural: string }) =>
      isCountedBy(evaluatorOf(resource), quota({}), object({}));
    expect(of(secrets)).toBe(false);
  });
});
