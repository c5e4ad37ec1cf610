import { expect, test } from 'vitest';
import { daysAgo, row } from './cells.fixture.ts';
import { roleBindingColumns } from './rbac.ts';

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintRoleBinding
test('A RoleBinding shows the role and its subjects', () => {
  const binding = {
    metadata: { name: 'a', creationTimestamp: daysAgo(3) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [
      { kind: 'User', name: 'u1' },
      { kind: 'Group', name: 'g' },
      { kind: 'User', name: 'u2' },
      { kind: 'ServiceAccount', namespace: 'ns', name: 'sa' },
      { kind: 'Other', name: 'o' },
    ],
  };
  expect(row(roleBindingColumns, binding)).toEqual(['a', 'Role/reader', '3d', 'u1, u2', 'g', 'ns/sa']);
  const { subjects: _, ...without } = binding;
  expect(row(roleBindingColumns, without).slice(3)).toEqual(['', '', '']);
});
