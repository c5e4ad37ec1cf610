import { describe, expect, test } from 'vitest';
import type { ClusterRole, ClusterRoleBinding, Decision, RoleBinding, rbac } from '#given/13-access';
import type { KubeObject, ObjectCache } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { authorize, authorizeByRoles } from '#kata/13-access/access';
import {
  about,
  aboutPath,
  cacheOf,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  stored,
  subject,
  user,
} from './objects.fixture.ts';

const jane = user('jane', 'dev');
const getWeb = about(jane, { verb: 'get', resource: 'pods', namespace: 'default', name: 'web' });
const reader: rbac.PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

const decide = (...objects: readonly KubeObject[]): Decision => authorizeByRoles(getWeb, cacheOf(...objects));

describe('Level 7 · The answer', () => {
  test('a rule that allows the request allows it, and the reason names the binding', () => {
    expect(
      decide(
        role('default', 'reader', reader),
        roleBinding('default', 'readers', 'Role reader', subject('User jane')),
      ),
    ).toEqual({
      verdict: 'allow',
      reason: 'RBAC: allowed by RoleBinding "readers/default" of Role "reader" to User "jane"',
    });
  });

  test('without such a rule RBAC has no opinion: it never denies', () => {
    expect(decide(), 'no bindings').toEqual({ verdict: 'no opinion' });
    expect(
      decide(
        role('other', 'reader', reader),
        roleBinding('other', 'readers', 'Role reader', subject('User jane')),
      ),
      'a binding in another namespace',
    ).toEqual({ verdict: 'no opinion' });
  });

  test('a RoleBinding allows no path, whatever namespace the request has', () => {
    const health: rbac.PolicyRule = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
    const decision = authorizeByRoles(
      { ...aboutPath(jane, 'get', '/healthz'), namespace: 'default' },
      cacheOf(
        clusterRole('health', health),
        roleBinding('default', 'health', 'ClusterRole health', subject('User jane')),
      ),
    );
    expect(decision, 'a path is in no namespace').toEqual({ verdict: 'no opinion' });
  });

  const missing = clusterRoleBinding('a', 'ClusterRole missing', subject('User jane'));

  test('a missing role does not hide the rules of other roles', () => {
    expect(
      decide(
        missing,
        clusterRole('reader', reader),
        clusterRoleBinding('b', 'ClusterRole reader', subject('Group dev')),
      ),
      'the binding b allows it, although the role of a is missing',
    ).toEqual({
      verdict: 'allow',
      reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to Group "dev"',
    });
  });

  test('a missing role is the reason if nothing allows the request', () => {
    expect(decide(missing), 'one error').toEqual({
      verdict: 'no opinion',
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found',
    });
    expect(
      decide(missing, roleBinding('default', 'b', 'Role gone', subject('User jane'))).reason,
      'several errors: aggregated joins them',
    ).toBe(
      'RBAC: [clusterrole.rbac.authorization.k8s.io "missing" not found, ' +
        'role.rbac.authorization.k8s.io "gone" not found]',
    );
  });

  const ask = (...decisions: readonly Decision[]): Decision =>
    authorize(
      getWeb,
      decisions.map((decision) => () => decision),
    );

  test('the first authorizer with an opinion decides', () => {
    const allow: Decision = { verdict: 'allow', reason: 'because' };
    expect(ask({ verdict: 'no opinion', reason: 'not a node' }, allow), 'allow').toEqual(allow);
    expect(ask({ verdict: 'deny', reason: 'never' }, allow), 'deny').toEqual({
      verdict: 'deny',
      reason: 'never',
    });
    expect(ask(allow, { verdict: 'deny' }), 'the second is not asked').toEqual(allow);
  });

  test('without any opinion, all reasons together are the reason', () => {
    expect(ask(), 'nobody has a reason').toEqual({ verdict: 'no opinion' });
    expect(
      ask(
        { verdict: 'no opinion', reason: 'one' },
        { verdict: 'no opinion' },
        { verdict: 'no opinion', reason: 'two' },
      ),
      'each reason on its own line',
    ).toEqual({ verdict: 'no opinion', reason: 'one\ntwo' });
  });

  test('an error leaves the decision to the others', () => {
    const failed: Decision = { verdict: 'no opinion', error: 'webhook: timeout' };
    expect(ask(failed, { verdict: 'allow' }), 'an allow is an allow').toMatchObject({ verdict: 'allow' });
    expect(ask(failed), 'without one, the error must not get lost').toMatchObject({
      verdict: 'no opinion',
      error: 'webhook: timeout',
    });
  });

  test('system:masters may do everything, whatever the authorizers say', () => {
    const admin = about(user('root', 'system:masters'), { verb: 'delete', resource: 'nodes', name: 'n' });
    expect(authorize(admin, [() => ({ verdict: 'deny' })])).toMatchObject({ verdict: 'allow' });
  });

  interface Request {
    readonly user: string;
    readonly groups: readonly string[];
    readonly verb: string;
    readonly path?: string;
    readonly resource?: string;
  }
  interface Row {
    readonly clusterRoles?: readonly Pick<ClusterRole, 'metadata' | 'rules'>[];
    readonly roleBindings?: readonly Pick<RoleBinding, 'metadata' | 'roleRef' | 'subjects'>[];
    readonly clusterRoleBindings?: readonly Pick<ClusterRoleBinding, 'roleRef' | 'subjects'>[];
    readonly allow: readonly Request[];
    readonly deny: readonly Request[];
  }

  const cacheOfRow = (row: Row): ObjectCache =>
    cacheOf(
      ...(row.clusterRoles ?? []).map(({ metadata, ...fields }) => stored('ClusterRole', metadata, fields)),
      ...(row.roleBindings ?? []).map(({ metadata, ...fields }, index) =>
        stored('RoleBinding', { ...metadata, name: `binding-${index}` }, fields),
      ),
      ...(row.clusterRoleBindings ?? []).map((fields, index) =>
        stored('ClusterRoleBinding', { name: `binding-${index}` }, fields),
      ),
    );

  test.each(named(vectors<Row, { asListed: true }>('rbac', 'authorize', 3)))(
    "agrees with upstream's authorizer: %s",
    (_, { input }) => {
      const allowed = ({ user: name, groups, path, resource = '', ...asked }: Request): boolean => {
        const who = user(name, ...groups);
        const attributes =
          path === undefined ? about(who, { resource, ...asked }) : aboutPath(who, asked.verb, path);
        return authorizeByRoles(attributes, cacheOfRow(input)).verdict === 'allow';
      };
      for (const [requests, wanted] of [
        [input.allow, true],
        [input.deny, false],
      ] as const) {
        for (const request of requests) {
          expect(allowed(request), ruleFor('whether the roles allow the request', request)).toBe(wanted);
        }
      }
    },
  );
});
