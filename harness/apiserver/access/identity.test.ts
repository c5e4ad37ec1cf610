import { describe, expect, test } from 'vitest';
import { resourceAttributes } from './attributes.ts';
import { withoutUserName } from './impersonation.ts';
import { nodeOf, selectsPodsOf } from './node-identity.ts';
import { serviceAccountName, serviceAccountOf, userOfClaims } from './service-account-users.ts';

describe('The name of a service account', () => {
  // Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/serviceaccount/util_test.go TestMakeUsername, TestMatchUsername
  test.each([
    ['ns', 'name', true],
    ['ns', 'name.with.dots', true],
    ['namespace-with-dashes', 'name', true],
    ['ns.with.dots', 'name', false],
    ['ns:x', 'name', false],
    ['ns', 'name:x', false],
    ['', 'name', false],
    ['ns', '', false],
    ['ns', 'Name', false],
  ])('names the account %s/%s: %s', (namespace, name, isValid) => {
    const userName = serviceAccountName(namespace, name);
    expect(serviceAccountOf(userName)).toEqual(isValid ? { namespace, name } : undefined);
  });
});

test('Claims contain the pod, the node and the id of the token', () => {
  const user = userOfClaims({
    ...{ iss: 'i', sub: 's', aud: ['a'], iat: 0, nbf: 0, exp: 1, jti: 'id' },
    'kubernetes.io': {
      namespace: 'ns',
      serviceaccount: { name: 'build', uid: 'a1' },
      pod: { name: 'p', uid: 'b2' },
      node: { name: 'n', uid: 'c3' },
    },
  });
  expect(user).toEqual({
    name: 'system:serviceaccount:ns:build',
    uid: 'a1',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
    extra: {
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['b2'],
      'authentication.kubernetes.io/credential-id': ['JTI=id'],
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/node-uid': ['c3'],
    },
  });
});

test('A node is a user with the name of a node, in the group of nodes', () => {
  expect(nodeOf({ name: 'system:node:n1', groups: ['system:nodes'] })).toBe('n1');
  expect(nodeOf({ name: 'system:node:n1', groups: [] })).toBeUndefined();
  expect(nodeOf({ name: 'n1', groups: ['system:nodes'] })).toBeUndefined();
});

test.each([
  ['spec.nodeName=n1', true],
  ['spec.nodeName==n1', true],
  ['status.phase=Running,spec.nodeName=n1', true],
  ['spec.nodeName!=n1', false],
  ['spec.nodeName=n2', false],
  ['metadata.name=n1', false],
  ['spec.nodeName', false],
  ['', false],
])('A field selector selects the pods of n1: %s', (fieldSelector, selects) => {
  const asked = resourceAttributes(
    { name: 'x', groups: [] },
    { verb: 'list', resource: 'pods', fieldSelector },
  );
  expect(selectsPodsOf('n1', asked)).toBe(selects);
});

test('The message about a missing user name prints the headers as Go does', () => {
  expect(withoutUserName({ user: '', groups: ['a', 'b'], uid: 'u', extra: { k: ['v'] } })).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string{"a", "b"}, Extra:map[string][]string{"k":[]string{"v"}}} without impersonating a user name',
  );
});
