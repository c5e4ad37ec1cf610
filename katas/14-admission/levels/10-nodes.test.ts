import { describe, expect, test } from 'vitest';
import { namespaces, nodes, type Pod, pods, type Resource, serviceAccounts } from '#harness';
import { defineResource } from '#harness/testing';
import { newAdmission, restrictNode, restrictPod, restrictToken } from '#kata/14-admission/admission';
import { attributes, pod, stored, TestApiserver } from './context.fixture.ts';

const OWNER = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-n1', controller: true };
const MIRROR = { 'kubernetes.io/config.mirror': 'x' };

/** A mirror pod of node n1, with other fields as given. */
const mirror = (spec: object = {}, metadata: object = {}): Pod =>
  pod({ nodeName: 'n1', ...spec }, { annotations: MIRROR, ownerReferences: [OWNER], ...metadata });

const on = (name: string, nodeName: string, spec: object = {}): Pod =>
  stored(pods, name, { spec: { nodeName, ...spec } });

const token = (audience?: string) => ({
  name: 'token',
  projected: { sources: [{ serviceAccountToken: { path: 'token', ...(audience && { audience }) } }] },
});

const world = [
  stored(namespaces, 'ns', { status: { phase: 'Active' } }),
  stored(nodes, 'n1', {
    metadata: { labels: { 'kubernetes.io/hostname': 'n1' } },
    spec: { taints: [{ key: 'a' }] },
  }),
  on('own', 'n1', { volumes: [token()] }),
  on('vault', 'n1', { volumes: [token('vault')] }),
  on('other', 'n2'),
];
const server = new TestApiserver({ stored: world });
const { cache } = server.context;

type Sent = Parameters<typeof attributes>[0];

const said = async (act: () => string | undefined) => {
  const { value, error } = await server.outcome(act);
  return error?.message ?? (value || 'is allowed');
};

describe('Level 10 ★ · Nodes', () => {
  const create = (object: Pod) => said(() => restrictPod('n1', attributes({ object }), cache));

  test('A node may create a mirror pod of its static pod', async () => {
    expect(await create(mirror())).toBe('is allowed');
    const annotations = { 'kubernetes.io/config.mirror': '' };
    expect(await create(mirror({}, { annotations }))).toBe('is allowed');
  });

  test.each([
    [
      'another pod',
      pod({ nodeName: 'n1' }),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    ],
    [
      'a pod of another node',
      mirror({ nodeName: 'n2' }),
      'node "n1" can only create pods with spec.nodeName set to itself',
    ],
    [
      'a pod without an owner',
      mirror({}, { ownerReferences: [] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'a pod of another owner',
      mirror({}, { ownerReferences: [{ ...OWNER, name: 'n2' }] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'a pod of an owner in another group',
      mirror({}, { ownerReferences: [{ ...OWNER, apiVersion: 'example.com/v1' }] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'a pod of an owner of another kind',
      mirror({}, { ownerReferences: [{ ...OWNER, kind: 'ConfigMap' }] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'a pod with two owners',
      mirror({}, { ownerReferences: [OWNER, OWNER] }),
      'node "n1" can only create pods with a single owner reference set to itself',
    ],
    [
      'a pod that it does not control',
      mirror({}, { ownerReferences: [{ ...OWNER, controller: false }] }),
      'node "n1" can only create pods with a controller owner reference set to itself',
    ],
    [
      'a pod that blocks its deletion',
      mirror({}, { ownerReferences: [{ ...OWNER, blockOwnerDeletion: true }] }),
      'node "n1" must not set blockOwnerDeletion on an owner reference',
    ],
    [
      'a pod of an earlier Node',
      mirror({}, { ownerReferences: [{ ...OWNER, uid: 'old' }] }),
      'node n1 UID mismatch: expected old got uid-n1',
    ],
    [
      'a pod with a service account',
      mirror({ serviceAccountName: 'a' }),
      'node "n1" can not create pods that reference serviceaccounts',
    ],
    [
      'a pod with a secret',
      mirror({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
      'node "n1" can not create pods that reference secrets',
    ],
    [
      'a pod with a claim',
      mirror({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      'node "n1" can not create pods that reference persistentvolumeclaims',
    ],
  ])('A node may not create %s', async (_, object, why) => {
    expect(await create(object)).toBe(why);
  });

  const remove = (name: string) =>
    said(() => restrictPod('n1', attributes({ operation: 'DELETE', name, oldObject: pod() }), cache));

  test('A node may delete only pods that are bound to it', async () => {
    expect(await remove('own')).toBe('is allowed');
    expect(await remove('other')).toBe('node "n1" can only delete pods with spec.nodeName set to itself');
    expect(await remove('gone')).toBe('pods "gone" not found');
  });

  test('A node may not update a pod', async () => {
    expect(
      await said(() =>
        restrictPod('n1', attributes({ operation: 'UPDATE', object: mirror(), oldObject: mirror() }), cache),
      ),
    ).toBe('unexpected operation "UPDATE", node "n1" can only create and delete mirror pods');
  });

  const node = (name: string, rest: object = {}) =>
    stored(nodes, name, { spec: { taints: [{ key: 'a' }] }, ...rest });
  const write = (sent: Sent, name = 'n1') =>
    said(() => restrictNode('n1', attributes({ resource: nodes, namespace: '', name, ...sent })));
  const labels = (given: Readonly<Record<string, string>>) => node('n1', { metadata: { labels: given } });

  test('A node may write only its own Node', async () => {
    expect(await write({ object: node('n1') })).toBe('is allowed');
    expect(await write({ object: node('n2') }, 'n2')).toBe('node "n1" is not allowed to modify node "n2"');
    expect(await write({ operation: 'DELETE', oldObject: node('n1') })).toBe('is allowed');
  });

  test('A node may not set labels that steer pods', async () => {
    const given = {
      'kubernetes.io/hostname': 'n1',
      'node.kubernetes.io/a': '1',
      'topology.kubernetes.io/zone': 'a',
      'example.com/disk': 'ssd',
      'node-restriction.kubernetes.io/secret': 'x',
      'kubernetes.io/role': 'x',
    };
    const forbidden = 'kubernetes.io/role, node-restriction.kubernetes.io/secret';
    expect(await write({ object: labels(given) })).toBe(
      `node "n1" is not allowed to set the following labels: ${forbidden}`,
    );
    const update = (before: object, after: object) =>
      write({ operation: 'UPDATE', object: labels(after as never), oldObject: labels(before as never) });
    expect(await update({}, given)).toBe(`is not allowed to modify labels: ${forbidden}`);
    expect(await update(given, {})).toBe(`is not allowed to modify labels: ${forbidden}`);
    expect(await update(given, { ...given, 'example.com/disk': 'hdd' })).toBe('is allowed');
  });

  test('A node may not change its taints and owners, but it may register with taints', async () => {
    const tainted = node('n1', { spec: { taints: [{ key: 'b' }] } });
    expect(await write({ object: tainted })).toBe('is allowed');
    expect(await write({ operation: 'UPDATE', object: tainted, oldObject: node('n1') })).toBe(
      'node "n1" is not allowed to modify taints',
    );
    const owned = node('n1', { metadata: { ownerReferences: [OWNER] } });
    expect(await write({ operation: 'UPDATE', object: owned, oldObject: node('n1') })).toBe(
      'node "n1" is not allowed to modify ownerReferences',
    );
  });

  const ask = (boundObjectRef: object | undefined, audiences: readonly string[] = [], namespace = 'ns') =>
    said(() =>
      restrictToken(
        'n1',
        attributes({
          resource: serviceAccounts,
          subresource: 'token',
          namespace,
          object: { spec: { boundObjectRef, audiences } },
        }),
        cache,
      ),
    );
  const bound = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', name, uid: `uid-${name}` });

  test('A node gets tokens only for its pods', async () => {
    expect(await ask(bound('own'))).toBe('is allowed');
    expect(await ask(undefined)).toBe('node requested token not bound to a pod');
    expect(await ask({ ...bound('own'), uid: '' })).toBe(
      'node requested token with a pod binding without a uid',
    );
    expect(await ask(bound('other'))).toBe(
      'node requested token bound to a pod scheduled on a different node',
    );
    expect(await ask(bound('gone'))).toBe('pods "gone" not found');
    expect(await ask(bound('own'), [], 'elsewhere')).toBe('pods "own" not found');
    expect(await ask({ ...bound('own'), uid: 'old' })).toMatch(
      /^the UID in the bound object reference \(old\) does not match/,
    );
  });

  test('A node gets a token only for an audience that a volume of the pod names', async () => {
    expect(await ask(bound('vault'), ['vault'])).toBe('is allowed');
    expect(await ask(bound('own'), ['vault'])).toMatch(/^audience "vault" not found in pod spec volume/);
    expect(await ask(bound('vault'), ['vault', 'vault'])).toBe('node may only request 0 or 1 audiences');
  });

  const user = { name: 'system:node:n1', groups: ['system:nodes'] };
  const sends = async (sent: Sent) => {
    const { error } = await server.outcome(() =>
      newAdmission(server.context).admit(attributes({ user, ...sent })),
    );
    return error?.message ?? 'is allowed';
  };
  const leases: Resource = defineResource('coordination.k8s.io/v1', 'Lease', 'leases');

  test('The apiserver restricts the members of the group of nodes, and no other user', async () => {
    const deleted = { operation: 'DELETE', name: 'other', oldObject: pod() } as const;
    expect(await sends(deleted)).toBe(
      'pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    );
    expect(await sends({ ...deleted, user: { name: 'system:node:n1', groups: [] } })).toBe('is allowed');
    expect(await sends({ ...deleted, user: { name: 'jane', groups: ['system:nodes'] } })).toBe('is allowed');
  });

  test('The apiserver lets a node renew only its own lease', async () => {
    const renew = (name: string, namespace = 'kube-node-lease') => {
      const lease = stored(leases, name);
      return sends({
        operation: 'UPDATE',
        resource: leases,
        name,
        namespace,
        object: lease,
        oldObject: lease,
      });
    };
    const own = new TestApiserver({
      stored: [stored(namespaces, 'kube-node-lease', { status: { phase: 'Active' } })],
    });
    const request = attributes({
      user,
      operation: 'UPDATE',
      resource: leases,
      name: 'n1',
      namespace: 'kube-node-lease',
      object: stored(leases, 'n1'),
    });
    expect((await own.outcome(() => newAdmission(own.context).admit(request))).error).toBeUndefined();
    expect(await renew('n1', 'ns')).toMatch(
      /can only access leases in the "kube-node-lease" system namespace$/,
    );
  });
});
