import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { resourceQuota } from './resource-quota.ts';

describe('ResourceQuota', () => {
  test('makes amounts canonical', () => {
    expect(sampleOf(resourceQuota).spec.hard).toMatchObject({ 'requests.cpu': '500m' });
  });

  const requirement = 'spec.scopeSelector.matchExpressions';
  test.each([
    [
      { 'spec.hard': { pods: '-1' } },
      'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    [{ 'spec.hard': { pods: '1500m' } }, 'spec.hard[pods]: Invalid value: "1500m": must be an integer'],
    [{ 'spec.scopes': ['constructor'] }, 'spec.scopes: Invalid value: ["constructor"]: unsupported scope'],
    [{ 'spec.scopes': ['Sunny'] }, 'spec.scopes: Invalid value: ["Sunny"]: unsupported scope'],
    [
      { 'spec.scopes': ['Terminating', 'NotTerminating'] },
      'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
    ],
    [
      { 'spec.hard': { services: '1' } },
      'spec.scopes: Invalid value: ["NotTerminating"]: unsupported scope applied to resource',
    ],
    [
      { [requirement]: [{ scopeName: 'PriorityClass', operator: 'In' }] },
      `${requirement}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
    ],
    [
      { [requirement]: [{ scopeName: 'Terminating', operator: 'In', values: ['x'] }] },
      `${requirement}.operator: Invalid value: "In": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(resourceQuota, changes)).toEqual([why]);
  });

  test.each(['count/jobs.batch', 'requests.example.com/gpu', 'hugepages-2Mi', 'limits.memory', 'configmaps'])(
    'bounds %s',
    (name) => {
      expect(refused(resourceQuota, { 'spec.hard': { [name]: '1' }, 'spec.scopes': undefined })).toEqual([]);
    },
  );

  test('accepts only known resources', () => {
    expect(refused(resourceQuota, { 'spec.hard': { cakes: '1' } })).toEqual([
      'spec.hard[cakes]: Invalid value: "cakes": must be a standard resource type or fully qualified',
      'spec.hard[cakes]: Invalid value: "cakes": must be a standard resource for quota',
    ]);
  });

  test('never changes its scopes, in any order', () => {
    const of = { 'spec.hard': { pods: '1' }, 'spec.scopes': ['BestEffort', 'Terminating'] };
    expect(refusedUpdate(resourceQuota, { 'spec.scopes': ['Terminating', 'BestEffort'] }, of)).toEqual([]);
    expect(refusedUpdate(resourceQuota, { 'spec.scopes': ['BestEffort'] }, of)).toEqual([
      'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
    ]);
  });

  test('rejects negative amounts in its status', () => {
    expect(refusedStatus(resourceQuota, { 'status.used': { pods: '-1' } })).toEqual([
      'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });

  test('warns about requests above limits', () => {
    const hard = { cpu: '2', 'limits.cpu': '1', 'requests.storage': '1Gi' };
    expect(resourceQuota.warningsOnCreate?.(sampleOf(resourceQuota, { 'spec.hard': hard }))).toEqual([
      'ResourceQuota cpu (2) should be less than limits.cpu (1)',
    ]);
  });
});
