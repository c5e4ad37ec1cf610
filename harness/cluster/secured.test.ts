import { expect, test } from 'vitest';
import { nodes } from '../api/resource.ts';
import type { Access, NewAccess } from '../contracts/access/index.ts';
import type { Admission, NewAdmission } from '../contracts/admission/index.ts';
import { createCluster } from './cluster.ts';
import { securedBy } from './secured.ts';

const saying =
  (verdict: 'allow' | 'deny'): NewAccess =>
  () =>
    ({ authorize: () => ({ verdict }), checkGrant: () => {} }) as unknown as Access;
const admission: NewAdmission = () =>
  ({ admit: async ({ object }) => object, validate: async () => {} }) satisfies Admission;

test('A secured cluster needs access control and admission', () => {
  expect(() => securedBy({ access: saying('allow') })).toThrow(
    'Failed to secure the cluster: it was created without components.admission.',
  );
  expect(() => securedBy({ admission })).toThrow('without components.access');
});

test('A replaced component decides from the next request on', async () => {
  const components = { access: saying('allow'), admission };
  await using cluster = await createCluster(securedBy(components));
  const { admin } = cluster;
  expect((await admin.list(nodes)).items).toEqual([]);
  components.access = saying('deny');
  await expect(admin.list(nodes)).rejects.toThrow('nodes is forbidden: User "admin" cannot list');
  components.access = saying('allow');
  expect((await admin.list(nodes)).items).toEqual([]);
});
