import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { clusterRoleBinding, roleBinding } from './role-bindings.ts';

const group = 'rbac.authorization.k8s.io';

describe('RoleBinding', () => {
  test('defaults the API group of users and groups', () => {
    expect(sampleOf(roleBinding, { 'roleRef.apiGroup': undefined })).toMatchObject({
      roleRef: { apiGroup: group },
      subjects: [{ kind: 'User', apiGroup: group }],
    });
    expect(sampleOf(clusterRoleBinding).subjects).toEqual([
      { kind: 'Group', apiGroup: group, name: 'devs' },
      { kind: 'ServiceAccount', namespace: 'default', name: 'web' },
    ]);
  });

  test.each([
    [
      { 'roleRef.kind': 'Rule' },
      'roleRef.kind: Unsupported value: "Rule": supported values: "Role", "ClusterRole"',
    ],
    [
      { 'roleRef.apiGroup': 'apps' },
      'roleRef.apiGroup: Unsupported value: "apps": supported values: "rbac.authorization.k8s.io"',
    ],
    [{ 'roleRef.name': '' }, 'roleRef.name: Required value'],
    [{ 'subjects.0.name': '' }, 'subjects[0].name: Required value'],
    [
      { 'subjects.0.kind': 'Robot' },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [
      { 'subjects.0': { kind: 'ServiceAccount', apiGroup: group, name: 'a' } },
      'subjects[0].apiGroup: Unsupported value: "rbac.authorization.k8s.io": supported values: ""',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(roleBinding, changes)).toEqual([why]);
  });

  test('never changes its role, but can change its subjects', () => {
    expect(refusedUpdate(roleBinding, { subjects: undefined })).toEqual([]);
    expect(refusedUpdate(roleBinding, { 'roleRef.name': 'admin' })).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"admin"}: cannot change roleRef',
    ]);
  });
});

describe('ClusterRoleBinding', () => {
  test('binds to a ClusterRole, and requires the namespace of a service account', () => {
    expect(
      refused(clusterRoleBinding, { 'roleRef.kind': 'Role', 'subjects.1.namespace': undefined }),
    ).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[1].namespace: Required value',
    ]);
  });
});
