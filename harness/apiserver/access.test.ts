import { describe, expect, test } from 'vitest';
import type { ConfigMap, Namespace, New, Role } from '../api/objects.ts';
import { roles } from '../api/plain-resources.ts';
import { configMaps, deployments, namespaces, nodes, pods } from '../api/resource.ts';
import { errors, StatusError } from '../api/status.ts';
import type { Access, Attributes, GrantWrite, Impersonation, User } from '../contracts/access/index.ts';
import { Simulation } from '../sim/index.ts';
import { ApiServer } from './apiserver.ts';
import type { RequestStep } from './request-steps.ts';

/** `get pods/log default/web` */
const inWords = ({ verb, resource, subresource, namespace, name }: Attributes) =>
  `${verb} ${resource}${subresource && `/${subresource}`} ${namespace}/${name}`;

/** An apiserver whose access control allows everything except the listed requests. */
async function serverWith({ refused = [] as readonly string[], grant = (_: GrantWrite): void => {} } = {}) {
  const { clock, random } = new Simulation({ seed: 1 });
  const asked: Attributes[] = [];
  const access = {
    authorize(attributes: Attributes) {
      asked.push(attributes);
      if (refused.includes(inWords(attributes)))
        return { verdict: 'no opinion', reason: 'RBAC: why' } as const;
      return { verdict: 'allow' } as const;
    },
    checkGrant: grant,
  } as unknown as Access;
  const server = new ApiServer({ clock, random, access: () => access });
  const jane = server.as('jane');
  await jane.create(namespaces, { metadata: { name: 'default' } } as New<Namespace>);
  asked.length = 0;
  return { server, jane, asked };
}

const web = { namespace: 'default', name: 'web' };
const configMap: New<ConfigMap> = { metadata: web, data: {} };
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof StatusError ? error.status.code : error),
  );

describe('Access control', () => {
  test('sees each request of a client as if it had come over HTTP', async () => {
    const { jane, asked } = await serverWith();
    const requests = [
      jane.get(pods, web),
      jane.list(pods, { namespace: 'default' }),
      jane.list(pods, { fieldSelector: 'metadata.name=web' }),
      jane.deleteCollection(pods, { namespace: 'default', fieldSelector: 'metadata.name=web' }),
      jane.create(configMaps, configMap),
      jane.create(namespaces, { metadata: { name: 'other' } } as New<Namespace>),
      jane.get(namespaces, { name: 'default' }),
      jane.get(nodes, { name: 'node-1' }),
      jane.getScale(deployments, web),
      jane.patch(pods, web, { type: 'merge', body: {} }, { subresource: 'status' }),
      jane.bind(web, 'node-1'),
    ];
    await Promise.allSettled(requests);
    expect(asked.map(inWords)).toEqual([
      'get pods default/web',
      'list pods default/',
      'list pods /web',
      'deletecollection pods default/',
      'create configmaps default/',
      'create namespaces /',
      'get namespaces default/default',
      'get nodes /node-1',
      'get deployments/scale default/web',
      'patch pods/status default/web',
      'create pods/binding default/web',
    ]);
    expect(asked.map(({ user }) => user.name)).toEqual(Array(11).fill('jane'));
    expect(asked[8]).toMatchObject({ apiGroup: 'apps', apiVersion: 'v1' });
  });

  test('refuses a request before the server reads its body or looks for its object', async () => {
    const { jane } = await serverWith({ refused: ['get pods default/web', 'create configmaps default/'] });
    await expect(jane.get(pods, web)).rejects.toThrow(
      'pods "web" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "default": RBAC: why',
    );
    const invalid = { metadata: { ...web, name: 'A_' } } as New<ConfigMap>;
    expect(await codeOf(jane.create(configMaps, invalid))).toBe(403);
  });

  test('decides a second time, about a create, when an apply or an update creates the object', async () => {
    const { jane, server } = await serverWith({ refused: ['create configmaps default/web'] });
    const body = { ...configMap, apiVersion: 'v1', kind: 'ConfigMap' };
    const options = { fieldManager: 'm' };
    expect(await codeOf(jane.patch(configMaps, web, { type: 'apply', body }, options))).toBe(403);
    expect(await codeOf(jane.create(configMaps, configMap))).toBe(200);
    expect(await codeOf(jane.patch(configMaps, web, { type: 'apply', body }, options))).toBe(200);
    expect(server.storage.list(configMaps)).toHaveLength(1);
  });

  test('checks what a role grants, when it is created and when it changes, before its validity', async () => {
    const writes: GrantWrite[] = [];
    let mayGrant = false;
    const { jane } = await serverWith({
      grant(write) {
        writes.push(write);
        if (!mayGrant) throw errors.forbidden(roles, 'reader', 'no');
      },
    });
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    const role = { metadata: { namespace: 'default', name: 'reader' }, rules } as New<Role>;
    expect(await codeOf(jane.create(roles, { ...role, rules: [{ verbs: [] }] } as New<Role>))).toBe(403);
    mayGrant = true;
    const created = await jane.create(roles, role);
    mayGrant = false;
    const key = { namespace: 'default', name: 'reader' };
    expect(await codeOf(jane.patch(roles, key, { type: 'merge', body: { rules: [] } }))).toBe(403);
    expect(writes.at(-1)).toMatchObject({ user: { name: 'jane' }, old: created, object: { rules: [] } });
    expect(await codeOf(jane.create(configMaps, configMap))).toBe(200);
  });

  test('answers an error without a decision with a 500', async () => {
    const { clock, random } = new Simulation({ seed: 1 });
    const authorize = () => ({ verdict: 'no opinion', error: 'a webhook is down' }) as const;
    const server = new ApiServer({ clock, random, access: () => ({ authorize }) as unknown as Access });
    expect(await codeOf(server.as('jane').get(pods, web))).toBe(500);
  });

  test('lets a session act in the name of another user, and shows an observer who acts', async () => {
    const { clock, random } = new Simulation({ seed: 1 });
    const steps: RequestStep[] = [];
    const access = {
      impersonate(user: User, { user: name }: Impersonation): User {
        if (user.name !== 'admin') throw errors.forbidden({ group: '', plural: 'users' }, name, 'why');
        return { name, groups: [] };
      },
      authorize: ({ user }: Attributes) => ({ verdict: user.name === 'jane' ? 'allow' : 'deny' }),
    } as unknown as Access;
    const observe = () => (step: RequestStep) => steps.push(step);
    const server = new ApiServer({ clock, random, access: () => access, observe });
    const impersonates = { user: 'jane', groups: [], extra: {} };
    await server.as('admin', undefined, { impersonates }).list(pods);
    expect(steps).toMatchObject([
      { step: 'authentication', user: { name: 'admin' }, credential: 'connection' },
      { step: 'impersonation', as: { name: 'jane' } },
      { step: 'authorization' },
      { step: 'answered' },
    ]);
    steps.length = 0;
    expect(await codeOf(server.as('eve', undefined, { impersonates }).list(pods))).toBe(403);
    expect(steps).toMatchObject([{ step: 'authentication' }, { step: 'refused', at: 'impersonation' }]);
    expect(await codeOf(server.as('admin').list(pods))).toBe(403);
    expect(steps.at(-1)).toMatchObject({ step: 'refused', at: 'authorization' });
  });

  test('shows an observer each step of a request', async () => {
    const { clock, random } = new Simulation({ seed: 1 });
    const steps: string[] = [];
    const server = new ApiServer({
      clock,
      random,
      access: () => ({ authorize: () => ({ verdict: 'allow' }) }) as unknown as Access,
      admission: () => ({ admit: async ({ object }) => object, validate: async () => {} }),
      observe: (attributes, actor) => (step) => steps.push(`${actor} ${attributes.verb}: ${step.step}`),
    });
    const jane = server.as('jane');
    const key = { name: 'default' };
    await jane.create(namespaces, { metadata: key } as New<Namespace>);
    const written = [
      ...['authentication', 'authorization', 'admission begins', 'mutating admission', 'validation'],
      ...['admission begins', 'validating admission', 'stored', 'answered'],
    ];
    expect(steps).toEqual(written.map((step) => `jane create: ${step}`));
    steps.length = 0;
    await jane.get(namespaces, key);
    const read = ['authentication', 'authorization', 'answered'];
    expect(steps).toEqual(read.map((step) => `jane get: ${step}`));
    steps.length = 0;
    expect(await codeOf(jane.create(namespaces, { metadata: { name: 'A_' } } as New<Namespace>))).toBe(422);
    expect(steps).toEqual(
      ['authentication', 'authorization', 'admission begins', 'mutating admission', 'refused'].map(
        (step) => `jane create: ${step}`,
      ),
    );
  });
});
