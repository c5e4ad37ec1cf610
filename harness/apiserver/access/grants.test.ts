import { describe, expect, test } from 'vitest';
import type * as rbac from '#api/rbac/v1';
import type { ClusterRole, ClusterRoleBinding, RoleBinding } from '../../api/objects.ts';
import {
  aggregated,
  allowedBy,
  changesOnlyCollectorFields,
  isAggregate,
  notHeld,
  singleRights,
} from './grants.ts';

const rule = (verbs: string, resources: string, ...resourceNames: string[]): rbac.PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
});

const metadata = { name: 'r', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const reader = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata,
  rules: [],
} as ClusterRole;

describe('The reason of an allow', () => {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  const inCi = {
    ...reader,
    kind: 'RoleBinding',
    metadata: { ...metadata, namespace: 'ci' },
    roleRef,
  } as RoleBinding;
  const everywhere = { ...reader, kind: 'ClusterRoleBinding', roleRef } as ClusterRoleBinding;

  test('names the binding, the role and the subject', () => {
    expect(allowedBy(everywhere, { kind: 'Group', name: 'dev' })).toBe(
      'RBAC: allowed by ClusterRoleBinding "r" of ClusterRole "view" to Group "dev"',
    );
  });

  test('names the namespaces of a RoleBinding and of a service account after their names', () => {
    expect(allowedBy(inCi, { kind: 'ServiceAccount', name: 'builder', namespace: 'build' })).toBe(
      'RBAC: allowed by RoleBinding "r/ci" of ClusterRole "view" to ServiceAccount "builder/build"',
    );
    expect(allowedBy(inCi, { kind: 'ServiceAccount', name: 'builder' })).toContain('"builder/ci"');
  });
});

describe('The message about rights that a user does not have', () => {
  const jane = { name: 'jane', groups: ['dev', 'system:authenticated'] };
  const lines = (...missing: readonly rbac.PolicyRule[]): string[] =>
    notHeld(jane, missing).split('\n').slice(1);

  test('names the user and its groups', () => {
    expect(notHeld(jane, [rule('get', 'pods')])).toBe(
      'user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    );
  });

  // Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/policy_compact_test.go TestCompactRules
  test('joins the verbs of one resource, and sorts the lines', () => {
    expect(lines(rule('list', 'secrets'), rule('get', 'pods'), rule('list', 'pods'))).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["list"]}',
    ]);
  });

  test('separates names, and paths', () => {
    expect(
      lines(rule('get', 'pods', 'web'), rule('get', 'pods'), { verbs: ['get'], nonResourceURLs: ['/x'] }),
    ).toEqual([
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["web"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
    ]);
  });

  test('ends with the problems, which name roles in the plural', () => {
    const problems = [
      'role.rbac.authorization.k8s.io "a" not found',
      'clusterrole.rbac.authorization.k8s.io "b" not found',
    ];
    expect(notHeld(jane, [rule('get', 'pods')], problems)).toContain(
      '; resolution errors: [[roles.rbac.authorization.k8s.io "a" not found, clusterroles.rbac.authorization.k8s.io "b" not found]]',
    );
  });
});

test('Several errors stand in brackets, each once', () => {
  expect([aggregated([]), aggregated(['a']), aggregated(['a', 'b', 'a'])]).toEqual(['', 'a', '[a, b]']);
});

// Upstream: kubernetes/component-helpers@v0.36.3 auth/rbac/validation/policy_comparator_test.go TestBreakdownRule
test('A rule splits into rights with one verb, one resource and one name, or one path', () => {
  const both: rbac.PolicyRule = { ...rule('get list', 'pods', 'a', 'b'), nonResourceURLs: ['/x'] };
  expect(singleRights(both)).toEqual([
    rule('get', 'pods', 'a'),
    rule('get', 'pods', 'b'),
    rule('list', 'pods', 'a'),
    rule('list', 'pods', 'b'),
    { nonResourceURLs: ['/x'], verbs: ['get'] },
    { nonResourceURLs: ['/x'], verbs: ['list'] },
  ]);
  expect(singleRights({ verbs: ['get'] })).toEqual([]);
});

test('An update by the garbage collector changes owner references and finalizers, and nothing else', () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'x' }];
  const orphaned = { ...reader, metadata: { ...metadata, ownerReferences, finalizers: ['orphan'] } };
  const labelled = { ...orphaned, metadata: { ...orphaned.metadata, labels: { a: 'b' } } };
  expect(changesOnlyCollectorFields({ object: reader, old: orphaned })).toBe(true);
  expect(changesOnlyCollectorFields({ object: labelled, old: orphaned })).toBe(false);
  expect(
    changesOnlyCollectorFields({ object: { ...reader, rules: [rule('get', 'pods')] }, old: reader }),
  ).toBe(false);
  expect(changesOnlyCollectorFields({ object: reader })).toBe(false);
});

test('A role is an aggregate if it has a selector', () => {
  const withSelectors = (clusterRoleSelectors: object[]): ClusterRole =>
    ({ ...reader, aggregationRule: { clusterRoleSelectors } }) as ClusterRole;
  expect([reader, withSelectors([]), withSelectors([{}]), undefined].map(isAggregate)).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
