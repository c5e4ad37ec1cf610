import { describe, expect, test } from 'vitest';
import { LEGACY } from '#given/64-service-account';
import { configMaps, namespaces, type Secret, secrets, serviceAccounts } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';
import { missingData } from './service-account.ts';

const CA = 'the authority';
const TOKENS = 'serviceaccount-token-controller';
const inTeam = (name: string) => ({ namespace: 'team', name });

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components, ca: CA });
  cluster.runComponents('serviceAccountsController', 'rootCAPublisher', 'serviceAccountTokenController');
  await cluster.admin.create(namespaces, { metadata: { name: 'team' }, spec: {} });
  await cluster.runFor(5_000);
  return cluster;
}

describe('A namespace', () => {
  test('has a service account, which is recreated', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    const { metadata } = await admin.get(serviceAccounts, inTeam('default'));
    await admin.delete(serviceAccounts, inTeam('default'));
    await cluster.runFor(5_000);
    expect((await admin.get(serviceAccounts, inTeam('default'))).metadata.uid).not.toBe(metadata.uid);
  });

  test('has the CA certificate, and has it again after an edit', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    const { metadata, ...rest } = await admin.get(configMaps, inTeam('kube-root-ca.crt'));
    expect(rest.data).toEqual({ 'ca.crt': CA });
    const annotations = { note: 'mine' };
    const data = { 'ca.crt': 'edited' };
    await admin.update(configMaps, { ...rest, metadata: { ...metadata, annotations }, data });
    await cluster.runFor(1_000);
    expect(await admin.get(configMaps, inTeam('kube-root-ca.crt'))).toMatchObject({
      metadata: { uid: metadata.uid, annotations: { ...metadata.annotations, note: 'mine' } },
      data: { 'ca.crt': CA },
    });
    const { revision } = cluster.storage;
    await admin.patch(configMaps, inTeam('kube-root-ca.crt'), {
      type: 'merge',
      body: { metadata: { annotations: { 'kubernetes.io/description': 'ours' } } },
    });
    await cluster.runFor(1_000);
    expect(cluster.storage.revision).toBe(revision + 1);
  });

  test('that terminates gets neither of them again', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    await admin.delete(namespaces, { name: 'team' });
    await admin.delete(serviceAccounts, inTeam('default'));
    await admin.delete(configMaps, inTeam('kube-root-ca.crt'));
    const { revision } = cluster.storage;
    await cluster.runFor(60_000);
    expect(cluster.storage.revision).toBe(revision);
    const refused = cluster.trace.entries.filter(({ outcome }) => outcome === 'Forbidden');
    expect(refused.map(({ actor }) => actor)).toEqual(['root-ca-certificate-publisher-controller']);
  });
});

/** Creates a Secret for a token of the account `builder`. */
const token = ({ admin }: Cluster, annotations: Record<string, string> = {}, data: Secret['data'] = {}) =>
  admin.create(secrets, {
    metadata: { ...inTeam('key'), annotations: { [LEGACY.account]: 'builder', ...annotations } },
    type: LEGACY.type,
    data,
  });

const builder = ({ admin }: Cluster) => admin.create(serviceAccounts, { metadata: inTeam('builder') });

const claimsOf = ({ data = {} }: Secret): unknown =>
  JSON.parse(atob(atob(data[LEGACY.token] ?? '').split('.')[1] ?? ''));

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/serviceaccount/tokens_controller_test.go TestTokenCreation
describe('A Secret with a token', () => {
  test('is filled with the token of its account, and keeps its own data', async () => {
    await using cluster = await running();
    const { metadata } = await builder(cluster);
    await token(cluster, { note: 'mine' }, { extra: btoa('1') });
    await cluster.runFor(1_000);
    const secret = await cluster.admin.get(secrets, inTeam('key'));
    expect(secret.data).toEqual({
      'ca.crt': btoa(CA),
      extra: btoa('1'),
      namespace: btoa('team'),
      token: expect.any(String),
    });
    expect(secret.metadata.annotations).toEqual({
      note: 'mine',
      [LEGACY.account]: 'builder',
      [LEGACY.accountUID]: metadata.uid,
    });
    expect(claimsOf(secret)).toEqual({
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:team:builder',
      'kubernetes.io/serviceaccount/namespace': 'team',
      'kubernetes.io/serviceaccount/secret.name': 'key',
      'kubernetes.io/serviceaccount/service-account.name': 'builder',
      'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
    });
  });

  test.each([
    ['of an account that does not exist', {}],
    ['of an earlier account of the name', { [LEGACY.accountUID]: 'another' }],
  ])('%s is deleted', async (_, annotations) => {
    await using cluster = await running();
    if (LEGACY.accountUID in annotations) await builder(cluster);
    await token(cluster, annotations);
    await cluster.runFor(1_000);
    expect((await cluster.admin.list(secrets)).items).toEqual([]);
  });

  test('is not deleted if only the cache lacks its account', async () => {
    await using cluster = await running();
    const resource = 'serviceaccounts';
    cluster.nemesis.strike({ fault: 'delay-watches', process: TOKENS, forMs: 5_000, resource });
    await builder(cluster);
    await token(cluster);
    await cluster.runFor(1_000);
    expect((await cluster.admin.get(secrets, inTeam('key'))).data).toHaveProperty('token');
  });

  test('is deleted with its account, and a Secret of the next account stays', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    await builder(cluster);
    await token(cluster);
    await cluster.runFor(1_000);
    await admin.delete(serviceAccounts, inTeam('builder'));
    await builder(cluster);
    await cluster.runFor(1_000);
    expect((await admin.list(secrets)).items).toEqual([]);
    await token(cluster);
    await cluster.runFor(1_000);
    expect((await admin.list(secrets)).items).toHaveLength(1);
  });

  test('is retried ten times', async () => {
    await using cluster = await running();
    await builder(cluster);
    const refusal = { fault: 'refuse', reason: 'InternalError', requests: 11, verb: 'update' } as const;
    cluster.nemesis.strike({ ...refusal, process: TOKENS });
    await token(cluster);
    await cluster.runFor(300_000);
    expect((await cluster.admin.get(secrets, inTeam('key'))).data).toBeUndefined();
    const updates = cluster.trace.entries.filter(({ actor, verb }) => actor === TOKENS && verb === 'update');
    expect(updates).toHaveLength(11);
  });

  test('is removed from the list of its account after its deletion, also after a conflict', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    await builder(cluster);
    await token(cluster);
    const body = { secrets: [{ name: 'key' }, { name: 'other' }] };
    await admin.patch(serviceAccounts, inTeam('builder'), { type: 'merge', body });
    await cluster.runFor(1_000);
    cluster.nemesis.strike({ fault: 'refuse', process: TOKENS, reason: 'Conflict', requests: 2 });
    await admin.delete(secrets, inTeam('key'));
    await cluster.runFor(1_000);
    const { secrets: left } = await admin.get(serviceAccounts, inTeam('builder'));
    expect(left).toEqual([{ name: 'other' }]);
  });
});

describe('The missing data of a Secret', () => {
  const keys = { rootCA: CA, signLegacyToken: () => 'signed' };
  const account = { metadata: { ...inTeam('builder'), uid: '7' } } as never;
  const whole = { 'ca.crt': btoa(CA), namespace: btoa('team'), token: btoa('anything') };

  test.each([
    [whole, undefined],
    [{ ...whole, 'ca.crt': btoa('old') }, { 'ca.crt': btoa(CA) }],
    [{ ...whole, namespace: btoa('other') }, undefined],
    [{ ...whole, token: '' }, { token: btoa('signed') }],
    [undefined, { 'ca.crt': btoa(CA), namespace: btoa('team'), token: btoa('signed') }],
  ])('of %j is %j', (data, expected) => {
    const secret = { metadata: inTeam('key'), ...(data && { data }) } as never;
    expect(missingData(secret, account, keys)).toEqual(expected);
  });
});

test('An account that cannot be created is tried again', async () => {
  await using cluster = await running();
  const refusal = { fault: 'refuse', reason: 'InternalError', requests: 3, verb: 'create' } as const;
  cluster.nemesis.strike({ ...refusal, process: 'serviceaccount-controller' });
  await cluster.admin.create(namespaces, { metadata: { name: 'next' }, spec: {} });
  await cluster.runFor(1_000);
  const key = { namespace: 'next', name: 'default' };
  await expect(cluster.admin.get(serviceAccounts, key)).resolves.toBeTruthy();
});
