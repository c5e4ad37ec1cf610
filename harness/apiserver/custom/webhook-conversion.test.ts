import { describe, expect, test } from 'vitest';
import type { ConversionRequest, ConversionReview } from '#api/apiextensions/v1';
import { defineResource } from '../../api/define-resource.ts';
import type { KubeObject } from '../../api/objects.ts';
import {
  DEFINITION,
  DEFINITIONS,
  definition,
  schemaOfSpec,
  served,
  TABS,
  tab,
  version,
} from './cron-tabs.fixture.ts';

type Tab = KubeObject & { readonly spec: Readonly<Record<string, unknown>> };
type Answer = (request: ConversionRequest) => unknown;

/** The other version of the kind has another name for the schedule. */
const V2 = version('v2', false, {
  schema: {
    openAPIV3Schema: schemaOfSpec({
      type: 'object',
      required: ['schedule'],
      properties: { schedule: { type: 'string' }, image: { type: 'string' }, replicas: { type: 'integer' } },
    }),
  },
});
const TABS_V2 = TABS.replace('/v1/', '/v2/');

const converted = (object: unknown, apiVersion: string): Tab => {
  const { spec, ...rest } = object as Tab;
  const { cronSpec, schedule, ...others } = spec;
  const value = cronSpec ?? schedule;
  return {
    ...rest,
    apiVersion,
    spec: { ...others, [apiVersion.endsWith('v2') ? 'schedule' : 'cronSpec']: value },
  };
};

const success: Answer = ({ uid, objects, desiredAPIVersion }) => ({
  kind: 'ConversionReview',
  apiVersion: 'apiextensions.k8s.io/v1',
  response: {
    uid,
    result: { status: 'Success' },
    convertedObjects: objects.map((object) => converted(object, desiredAPIVersion)),
  },
});

/** An answer whose converted object has a change. */
const changing =
  (change: (object: Tab) => unknown): Answer =>
  (request) => {
    const answer = success(request) as { response: object };
    const objects = request.objects.map((object) => change(converted(object, request.desiredAPIVersion)));
    return { ...answer, response: { ...answer.response, convertedObjects: objects } };
  };

/** An answer with changed fields of its response. */
const responding =
  (response: object): Answer =>
  (request) => {
    const answer = success(request) as { response: object };
    return { ...answer, response: { ...answer.response, ...response } };
  };

/** Starts an apiserver with CronTabs in two versions, whose webhook answers as a test says. */
async function withWebhook() {
  const requests: ConversionReview[] = [];
  const webhook = { answer: success };
  const world = await served({
    webhooks: {
      send: () => Promise.reject(new Error('no review is expected')),
      async convert(_config, review) {
        requests.push(review);
        return webhook.answer(review.request as ConversionRequest);
      },
    },
  });
  const clientConfig = { service: { namespace: 'default', name: 'converter', path: '/convert' } };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  const sent = definition([version('v1', true), V2], {}, { conversion });
  expect((await world.send('POST', DEFINITIONS, sent)).code).toBe(201);
  await world.settle();
  expect((await world.send('GET', DEFINITION)).body.spec.conversion.webhook.clientConfig.service.port).toBe(
    443,
  );
  return { ...world, requests, webhook };
}

const MINE = { apiVersion: 'stable.example.com/v2', kind: 'CronTab', metadata: { name: 'mine' } };

describe('A conversion webhook', () => {
  test('converts an object that is read in another version, once', async () => {
    const { send, requests } = await withWebhook();
    await send('POST', TABS, tab());
    expect(requests).toEqual([]);
    const { code, body } = await send('GET', `${TABS_V2}/mine`);
    expect([code, body.apiVersion, body.spec]).toEqual([
      200,
      'stable.example.com/v2',
      { schedule: '*', image: 'busybox' },
    ]);
    expect(requests).toMatchObject([
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        request: { desiredAPIVersion: 'stable.example.com/v2', objects: [{ spec: { cronSpec: '*' } }] },
      },
    ]);
    const list = await send('GET', TABS_V2);
    expect(list.body).toMatchObject({
      apiVersion: 'stable.example.com/v2',
      items: [{ spec: { schedule: '*' } }],
    });
    expect(requests).toHaveLength(1);
  });

  test('converts a new object to the stored version, after its validation in the sent one', async () => {
    const { send } = await withWebhook();
    const refused = await send('POST', TABS_V2, { ...MINE, spec: { image: 'a' } });
    expect(refused.body.message).toContain('spec.schedule: Required value');
    const { code, body } = await send('POST', TABS_V2, { ...MINE, spec: { schedule: '@daily' } });
    expect([code, body.spec.schedule]).toEqual([201, '@daily']);
    const stored = await send('GET', `${TABS}/mine`);
    expect(stored.body).toMatchObject({ apiVersion: 'stable.example.com/v1', spec: { cronSpec: '@daily' } });
    expect((await send('POST', TABS_V2, { ...MINE, spec: { schedule: 'x' } })).code).toBe(409);
  });

  test('converts updates, patches, applies and the scale', async () => {
    const { send } = await withWebhook();
    const { body } = await send('POST', TABS_V2, { ...MINE, spec: { schedule: 'a' } });
    const put = await send('PUT', `${TABS_V2}/mine`, { ...body, spec: { schedule: 'b' } });
    expect([put.code, put.body.spec.schedule, put.body.metadata.generation]).toEqual([200, 'b', 2]);
    expect((await send('PUT', `${TABS_V2}/mine`, { ...body, spec: { schedule: 'c' } })).code).toBe(409);
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await send('PATCH', `${TABS_V2}/mine`, { spec: { schedule: 'd' } }, merge);
    expect(patched.body.spec.schedule).toBe('d');
    const apply = { 'Content-Type': 'application/apply-patch+yaml' };
    const path = `${TABS_V2}/mine?fieldManager=me&force=true`;
    const applied = await send('PATCH', path, { ...MINE, spec: { schedule: 'e', replicas: 2 } }, apply);
    expect([applied.code, applied.body.spec.schedule]).toEqual([200, 'e']);
    const scaled = await send('PATCH', `${TABS_V2}/mine/scale`, { spec: { replicas: 3 } }, merge);
    expect([scaled.code, scaled.body.spec]).toEqual([200, { replicas: 3 }]);
    const stored = await send('GET', `${TABS}/mine`);
    expect(stored.body.spec).toEqual({ cronSpec: 'e', image: 'busybox', replicas: 3 });
    expect(scaled.body.metadata.resourceVersion).toBe(stored.body.metadata.resourceVersion);
    expect((await send('DELETE', `${TABS_V2}/mine`)).code).toBe(200);
    expect((await send('GET', `${TABS}/mine`)).code).toBe(404);
  });

  test('converts the events of a watch', async () => {
    const { send, server, webhook } = await withWebhook();
    const tabs = defineResource<Tab>('stable.example.com/v2', 'CronTab', 'crontabs');
    const watch = await server.watch(tabs, { namespace: 'default' });
    await send('POST', TABS, tab());
    const events = watch[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { spec: { schedule: '*' } } });
    webhook.answer = responding({ result: { status: 'Failure', message: 'broken' } });
    await send('PUT', `${TABS}/mine`, {
      ...(await send('GET', `${TABS}/mine`)).body,
      spec: { cronSpec: 'b' },
    });
    expect((await events.next()).value).toMatchObject({ type: 'ERROR', object: { code: 500 } });
    expect((await events.next()).done).toBe(true);
  });

  test('that is slow sees the change of another client, and converts the newest object', async () => {
    const { send, webhook, requests } = await withWebhook();
    const { body } = await send('POST', TABS, tab());
    let interrupted = false;
    const { answer } = webhook;
    webhook.answer = async (request) => {
      const isWrite = request.desiredAPIVersion.endsWith('v1');
      if (isWrite && !interrupted) {
        interrupted = true;
        await send('PUT', `${TABS}/mine`, { ...body, spec: { ...body.spec, replicas: 7 } });
      }
      return answer(request);
    };
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await send('PATCH', `${TABS_V2}/mine`, { spec: { schedule: 'b' } }, merge);
    expect(patched.body.spec).toMatchObject({ schedule: 'b', replicas: 7 });
    expect(requests.length).toBeGreaterThan(3);
  });

  test('can change labels and annotations, but no other metadata', async () => {
    const { send, webhook } = await withWebhook();
    webhook.answer = changing((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { a: 'b' }, finalizers: ['example.com/x'], generation: 9 },
    }));
    await send('POST', TABS, tab());
    const { body } = await send('GET', `${TABS_V2}/mine`);
    expect(body.metadata).toMatchObject({ labels: { a: 'b' }, generation: 1 });
    expect(body.metadata).not.toHaveProperty('finalizers');
  });

  const metadata = (change: object): Answer =>
    changing((object) => ({ ...object, metadata: { ...object.metadata, ...change } }));
  test.each<[string, Answer, string]>([
    [
      'of another kind',
      () => ({}),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
    ],
    [
      'without a response',
      (request) => ({ ...(success(request) as object), response: undefined }),
      'failed: no response provided',
    ],
    ['to another call', responding({ uid: 'x' }), 'failed: expected response.uid="'],
    [
      'that reports a failure',
      responding({ result: { status: 'Failure', message: 'no such field' } }),
      'failed: no such field',
    ],
    [
      'without a result',
      responding({ result: undefined }),
      "failed: response.result.status was '', not 'Success'",
    ],
    ['without objects', responding({ convertedObjects: [] }), 'returned 0 objects, expected 1'],
    [
      'in the old version',
      changing((object) => ({ ...object, apiVersion: 'stable.example.com/v1' })),
      'returned invalid object at index 0: invalid groupVersion (expected stable.example.com/v2, received stable.example.com/v1)',
    ],
    [
      'with another type',
      changing((object) => ({ ...object, kind: 'Tab' })),
      'returned invalid object at index 0: invalid kind (expected CronTab, received Tab)',
    ],
    [
      'with another name',
      metadata({ name: 'yours' }),
      'returned invalid object: must have the same name: mine != yours',
    ],
    [
      'with invalid labels',
      metadata({ labels: { a: 1 } }),
      'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
    [
      'with long labels',
      metadata({ labels: { a: 'b c' } }),
      'returned invalid metadata: metadata.labels: Invalid value: "b c": a valid label',
    ],
  ])('with an answer %s fails the request', async (_, answer, why) => {
    const { send, webhook } = await withWebhook();
    await send('POST', TABS, tab());
    webhook.answer = answer;
    const { code, body } = await send('GET', `${TABS_V2}/mine`);
    expect([code, body.status]).toEqual([500, 'Failure']);
    expect(body.message).toContain(`conversion webhook for stable.example.com/v1, Kind=CronTab ${why}`);
    webhook.answer = success;
    expect((await send('GET', `${TABS_V2}/mine`)).code).toBe(200);
  });

  test('that nothing can reach fails only requests for another version', async () => {
    const { send, settle } = await served();
    const webhook = { clientConfig: { url: 'https://a.example/b' }, conversionReviewVersions: ['v1'] };
    await send(
      'POST',
      DEFINITIONS,
      definition([version('v1', true), V2], {}, { conversion: { strategy: 'Webhook', webhook } }),
    );
    await settle();
    expect((await send('POST', TABS, tab())).code).toBe(201);
    const { code, body } = await send('GET', `${TABS_V2}/mine`);
    expect([code, body.message]).toEqual([
      500,
      'conversion webhook for stable.example.com/v1, Kind=CronTab failed: Post "https://a.example/b": dial tcp: lookup a.example: no such host',
    ]);
  });
});
