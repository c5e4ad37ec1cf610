import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConfigMap, New } from '../../api/objects.ts';
import { validatingWebhookConfigurations } from '../../api/plain-resources.ts';
import { configMaps, pods, secrets } from '../../api/resource.ts';
import type { RequestDetails } from '../protocol/details.ts';
import { createWeb, type Observed, observedCluster, webPods } from './observed.fixture.ts';
import { RequestLog } from './request-log.ts';

/** `authorization passed`, … */
const verdicts = ({ stages }: RequestDetails): readonly string[] =>
  stages.map(({ stage, verdict }) => `${stage} ${verdict}`);

describe('The way of a request', () => {
  let observed: Observed;
  let requests: RequestLog;

  beforeAll(async () => {
    requests = new RequestLog(() => observed?.cluster.sim.elapsedMs ?? 0);
    observed = await observedCluster({ secured: true, observe: requests.observe, requests });
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(5_000);
  });
  afterAll(() => observed[Symbol.asyncDispose]());

  /** Lets a request of kubectl end, and returns its way. */
  async function wayOf(send: () => Promise<unknown>): Promise<RequestDetails> {
    const first = requests.count;
    await observed.cluster.settle(send().catch(() => {}));
    const [record] = requests.since(first, 'kubectl');
    return observed.look({ kind: 'request', number: record?.number ?? -1 });
  }

  test('of a controller leads from its service account to the storage', async () => {
    const message = observed.observer
      .newMessages()
      .find(({ verb, way }) => verb === 'create' && way[0] === 'process:replicaset-controller');
    const { request, changes } = await observed.look({ kind: 'message', id: message?.id ?? -1 });
    expect(changes).not.toHaveLength(0);
    expect(verdicts(request as RequestDetails)).toEqual([
      'request info passed',
      'authentication passed',
      'authorization passed',
      'mutating admission passed',
      'validation passed',
      'validating admission passed',
      'storage passed',
    ]);
    const [info, user, rights, mutating, , , storage] = request?.stages ?? [];
    expect(info?.text).toMatch(/^POST \/api\/v1\/namespaces\/default\/pods: the verb create of pods/);
    expect(user?.text).toContain('system:serviceaccount:kube-system:replicaset-controller');
    expect(rights?.text).toContain('ClusterRole "system:controller:replicaset-controller"');
    expect(mutating?.changes).toContainEqual({ path: 'spec.serviceAccountName', to: '"default"' });
    expect(storage?.text).toBe(`Stored at revision ${message?.revision}`);
  });

  test('is linked from the writes of an object, and from the panel of its sender', async () => {
    const [pod] = webPods(observed);
    const { revisions } = await observed.look({
      kind: 'object',
      resource: 'pods',
      key: `default/${pod?.metadata.name}`,
    });
    const bound = revisions.find(({ verb }) => verb === 'bind');
    const { request } = await observed.look({ kind: 'message', id: bound?.message ?? -1 });
    expect(request?.title).toBe(`default-scheduler: create pods/binding ${pod?.metadata.name} in default`);
    expect(request?.stages.at(-1)?.text).toBe(`Stored at revision ${bound?.revision}`);
    const { requests: own } = await observed.look({ kind: 'component', name: 'default-scheduler' });
    expect(own.map(({ number }) => number)).toContain(request?.number);
    expect(own.some(({ text }) => text.includes('leases'))).toBe(false);
  });

  test('ends where the user has no right, with the message of the 403', async () => {
    const jane = observed.cluster.userOf('kubectl', { user: 'jane', groups: [], extra: {} });
    const way = await wayOf(() => jane.undisturbed.list(secrets, { namespace: 'default' }));
    expect(verdicts(way)).toEqual([
      'request info passed',
      'authentication passed',
      'impersonation passed',
      'authorization refused',
    ]);
    expect(way.stages.at(-1)?.text).toBe(
      '403 Forbidden: secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" in the namespace "default"',
    );
    expect(way.notReached).toEqual(['storage']);
  });

  test('ends at validation for an invalid object, and at the storage for a missing one', async () => {
    const { kubectl } = observed;
    const invalid = await wayOf(() =>
      kubectl.create(configMaps, { metadata: { namespace: 'default', name: 'A_' } } as New<ConfigMap>),
    );
    expect(verdicts(invalid).at(-1)).toBe('validation refused');
    expect(invalid.stages.at(-1)?.text).toMatch(/^422 Invalid: /);
    expect(invalid.notReached).toEqual(['validating admission', 'storage']);
    const missing = await wayOf(() => kubectl.get(pods, { namespace: 'default', name: 'none' }));
    expect(verdicts(missing).at(-1)).toBe('storage refused');
  });

  test('ends in the phase of admission that refuses it, with the verdicts of webhooks', async () => {
    const { kubectl } = observed;
    const webhook = (name: string, failurePolicy: string) => ({
      name: `${name}.example.com`,
      clientConfig: { service: { namespace: 'hooks', name } },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy, timeoutSeconds: 1 },
    });
    const webhooks = [webhook('lenient', 'Ignore'), webhook('strict', 'Fail')];
    await observed.cluster.settle(
      kubectl.create(validatingWebhookConfigurations, { metadata: { name: 'h' }, webhooks } as never),
    );
    await observed.cluster.runFor(1_000);
    const way = await wayOf(() =>
      kubectl.create(configMaps, { metadata: { namespace: 'default', name: 'a' } } as New<ConfigMap>),
    );
    expect(verdicts(way).at(-1)).toBe('validating admission refused');
    const { text, webhooks: calls = [] } = way.stages.at(-1) ?? {};
    expect(text).toContain(
      '500 InternalError: Internal error occurred: failed calling webhook "strict.example.com"',
    );
    expect(calls.map(({ name, verdict }) => `${name} ${verdict}`).sort()).toEqual([
      'h/lenient.example.com failed',
      'h/strict.example.com failed',
    ]);
    await observed.cluster.settle(kubectl.deleteCollection(validatingWebhookConfigurations));
  });

  test('of a dry run stores nothing', async () => {
    const object = { metadata: { namespace: 'default', name: 'dry' } } as New<ConfigMap>;
    const way = await wayOf(() => observed.kubectl.create(configMaps, object, { dryRun: true }));
    expect(way.stages.at(-1)?.text).toBe('A dry run: nothing is stored');
  });
});

test('The log keeps the newest requests', () => {
  const log = new RequestLog(() => 0);
  const request = {
    verb: 'get',
    resource: pods,
    key: { namespace: 'default', name: 'a' },
    options: {},
  } as const;
  const attributes = { verb: 'get' } as never;
  for (let i = 0; i < 20_010; i++) log.observe(attributes, 'kubectl', request as never);
  expect(log.count).toBe(20_010);
  expect(log.get(9)).toBeUndefined();
  expect(log.get(10)?.number).toBe(10);
  expect(log.of('kubectl')).toHaveLength(20_000);
  expect(log.observe(attributes, 'admin', request as never)).toBeUndefined();
});
