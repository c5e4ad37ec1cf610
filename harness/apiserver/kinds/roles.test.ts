import { describe, expect, test } from 'vitest';
import { refused } from './declared.fixture.ts';
import { clusterRole, role } from './roles.ts';

describe('Role', () => {
  test.each([
    [{ verbs: undefined }, 'rules[0].verbs: Required value: verbs must contain at least one value'],
    [
      { apiGroups: undefined },
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
    [
      { resources: undefined },
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ],
  ])('rejects a rule with %j', (changes, why) => {
    const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
    expect(refused(role, { rules: [{ ...rule, ...changes }] })).toEqual([why]);
  });

  test('has rules for resources only', () => {
    expect(refused(role, { rules: [{ verbs: ['get'], nonResourceURLs: ['/'] }] })).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/"]: namespaced rules cannot apply to non-resource URLs',
    ]);
  });

  test('can have any name that is valid in a path', () => {
    expect(refused(role, { 'metadata.name': 'system:Node' })).toEqual([]);
    expect(refused(role, { 'metadata.name': 'a/b' })).toEqual([
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });
});

describe('ClusterRole', () => {
  test('has rules for resources or for paths', () => {
    expect(refused(clusterRole, { 'rules.1.resources': ['pods'] })).toEqual([
      'rules[1].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
    ]);
  });

  test('selects the roles that it aggregates', () => {
    const selectors = 'aggregationRule.clusterRoleSelectors';
    expect(refused(clusterRole, { [selectors]: undefined })).toEqual([
      `${selectors}: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`,
    ]);
    const wrong = [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }];
    expect(refused(clusterRole, { [selectors]: wrong })).toEqual([
      `${selectors}[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`,
    ]);
  });
});
