import type { ClusterRoleBinding, RoleBinding, Subject } from '#api/rbac/v1';
import { age, type Column, name, text, wide } from './column.ts';

type Binding = Pick<RoleBinding & ClusterRoleBinding, 'metadata' | 'roleRef' | 'subjects'>;

/** The columns of a RoleBinding, and of a ClusterRoleBinding. */
export const roleBindingColumns: readonly Column<Binding>[] = [
  name,
  text('Role', 'The role that is given.', ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`),
  age,
  wide(
    text(
      'Users',
      'The users that have the role.',
      subjects('User', ({ name: of }) => of),
    ),
  ),
  wide(
    text(
      'Groups',
      'The groups that have the role.',
      subjects('Group', ({ name: of }) => of),
    ),
  ),
  wide(
    text(
      'ServiceAccounts',
      'The service accounts that have the role.',
      subjects('ServiceAccount', ({ namespace, name: of }) => `${namespace ?? ''}/${of}`),
    ),
  ),
];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/rbac/helpers.go SubjectsStrings */
function subjects(kind: string, textOf: (subject: Subject) => string): (binding: Binding) => string {
  return ({ subjects: all }) =>
    (all ?? [])
      .filter((subject) => subject.kind === kind)
      .map(textOf)
      .join(', ');
}
