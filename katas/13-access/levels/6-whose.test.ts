import { describe, expect, test } from 'vitest';
import type { rbac, User } from '#given/13-access';
import type { ObjectCache } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { appliesTo, rulesFor, rulesOfRole } from '#kata/13-access/access';
import {
  cacheOf,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  subject,
  user,
} from './objects.fixture.ts';

const jane = user('jane', 'dev', 'system:authenticated');
const builder = user('system:serviceaccount:ci:builder', 'system:serviceaccounts');

const rule = (...verbs: string[]): rbac.PolicyRule => ({ verbs, apiGroups: [''], resources: ['pods'] });

/** The verbs of the rules, and the errors, in order. */
const found = (who: User, namespace: string, cache: ObjectCache): string[] =>
  [...rulesFor(who, namespace, cache)].map((each) => ('error' in each ? each.error : each.rule.verbs.join()));

describe('Level 6 · Whose rules', () => {
  test.each([
    ['User jane', jane, 'default', true],
    ['User bob', jane, 'default', false],
    ['User *', jane, 'default', false],
    ['Group dev', jane, 'default', true],
    ['Group ops', jane, 'default', false],
    ['Group jane', jane, 'default', false],
    ['User dev', jane, 'default', false],
    ['ServiceAccount ci/builder', builder, 'default', true],
    ['ServiceAccount ci/builder', builder, '', true],
    ['ServiceAccount other/builder', builder, 'ci', false],
    ['ServiceAccount builder', builder, 'ci', true],
    ['ServiceAccount builder', builder, 'default', false],
    ['ServiceAccount builder', builder, '', false],
    ['ServiceAccount nobody', user('system:serviceaccount::nobody'), '', false],
    ['User system:serviceaccount:ci:builder', builder, 'default', true],
    ['Robot jane', jane, 'default', false],
  ])('a subject is a user, a group or a service account: %s', (text, who, bindingNamespace, applies) => {
    expect(
      appliesTo(subject(text), who, bindingNamespace),
      `${text} of a binding in ${bindingNamespace || 'the whole cluster'}, and the user ${who.name}`,
    ).toBe(applies);
  });

  const cache = cacheOf(
    role('ci', 'reader', rule('get')),
    role('other', 'reader', rule('delete')),
    clusterRole('reader', rule('list')),
  );
  const ofRole = (kind: string, name: string, bindingNamespace: string): unknown =>
    rulesOfRole({ kind, name }, bindingNamespace, cache);

  test('a Role is in the namespace of its binding, a ClusterRole in none', () => {
    expect(ofRole('Role', 'reader', 'ci'), 'the Role ci/reader').toEqual({ rules: [rule('get')] });
    expect(ofRole('ClusterRole', 'reader', 'ci'), 'the ClusterRole reader').toEqual({
      rules: [rule('list')],
    });
  });

  test('a role without rules has none', () => {
    const empty = cacheOf({ ...clusterRole('empty'), rules: null } as never);
    expect(rulesOfRole({ kind: 'ClusterRole', name: 'empty' }, '', empty)).toEqual({ rules: [] });
  });

  test('a role that does not exist is an error', () => {
    expect(ofRole('Role', 'reader', 'default')).toEqual({
      error: 'role.rbac.authorization.k8s.io "reader" not found',
    });
    expect(ofRole('ClusterRole', 'writer', 'ci')).toEqual({
      error: 'clusterrole.rbac.authorization.k8s.io "writer" not found',
    });
    expect(ofRole('Rolle', 'reader', 'ci')).toEqual({ error: 'unsupported role reference kind: "Rolle"' });
  });

  const bound = cacheOf(
    role('ci', 'reader', rule('get'), rule('list')),
    clusterRole('watcher', rule('watch')),
    clusterRole('deleter', rule('delete')),
    roleBinding('ci', 'readers', 'Role reader', subject('User jane')),
    roleBinding('ci', 'deleters', 'ClusterRole deleter', subject('Group dev')),
    roleBinding('other', 'deleters', 'ClusterRole deleter', subject('User jane')),
    clusterRoleBinding('watchers', 'ClusterRole watcher', subject('Group dev')),
  );

  test('a user has the rules of the whole cluster, and those of the namespace', () => {
    expect(found(jane, 'ci', bound), 'ClusterRoleBindings, then RoleBindings in ci, each by name').toEqual([
      'watch',
      'delete',
      'get',
      'list',
    ]);
  });

  test('a RoleBinding counts only in its namespace, even if it refers to a ClusterRole', () => {
    expect(found(jane, 'default', bound), 'there is no binding in default').toEqual(['watch']);
    expect(found(jane, '', bound), 'without a namespace only ClusterRoleBindings count').toEqual(['watch']);
  });

  test('somebody else has no rules', () => {
    expect(found(user('bob'), 'ci', bound)).toEqual([]);
  });

  test('a missing role hides no other rule', () => {
    const withMissing = cacheOf(
      clusterRole('watcher', rule('watch')),
      clusterRoleBinding('a', 'ClusterRole missing', subject('User jane')),
      clusterRoleBinding('b', 'ClusterRole watcher', subject('User jane')),
    );
    expect(found(jane, '', withMissing), 'the error, and the rules that can be found').toEqual([
      'clusterrole.rbac.authorization.k8s.io "missing" not found',
      'watch',
    ]);
  });

  test('a missing role is an error only for the subjects of its binding', () => {
    const withMissing = cacheOf(clusterRoleBinding('a', 'ClusterRole missing', subject('User bob')));
    expect(found(jane, '', withMissing), 'the binding does not name jane').toEqual([]);
  });

  test('a binding that is being deleted still counts', () => {
    const binding = clusterRoleBinding('a', 'ClusterRole watcher', subject('User jane'));
    const metadata = { ...binding.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['keep'] };
    expect(found(jane, '', cacheOf(clusterRole('watcher', rule('watch')), { ...binding, metadata }))).toEqual(
      ['watch'],
    );
  });

  test('a binding with two subjects that apply gives its rules once', () => {
    const twice = cacheOf(
      clusterRole('watcher', rule('watch')),
      clusterRoleBinding('a', 'ClusterRole watcher', subject('User jane'), subject('Group dev')),
    );
    expect(found(jane, '', twice)).toEqual(['watch']);
    const [first] = [...rulesFor(jane, '', twice)];
    expect(first, 'the first subject that applies').toMatchObject({
      subject: { kind: 'User', name: 'jane' },
    });
  });

  interface Row {
    readonly subjects: readonly rbac.Subject[];
    readonly user: string;
    readonly groups: readonly string[];
    readonly bindingNamespace: string;
  }

  test.each(named(vectors<Row, { applies: boolean }>('rbac', 'appliesTo', 6)))(
    "agrees with upstream's appliesTo: %s",
    (_, { input, expect: { applies } }) => {
      const who = user(input.user, ...input.groups);
      expect(
        input.subjects.some((each) => appliesTo(each, who, input.bindingNamespace)),
        ruleFor('whether one of the subjects is the user', input),
      ).toBe(applies);
    },
  );
});
