import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from '../../api/plain-resources.ts';
import { configMaps } from '../../api/resource.ts';
import type { AdmissionReview } from '../../contracts/admission/index.ts';
import type { Front, Outside } from './front.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

interface ConfigMapSent {
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** Returns a review with the answer to a review, and changes to a correct one. */
function answerTo({ request }: AdmissionReview, response: object = {}, review: object = {}): Response {
  return Response.json({
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    response: { uid: request?.uid, allowed: true, ...response },
    ...review,
  });
}

const patching = (...operations: readonly object[]) => ({
  patchType: 'JSONPatch',
  patch: btoa(JSON.stringify(operations)),
});

/** Behaviours of webhooks, by path. */
const behaviours: Readonly<Record<string, (review: AdmissionReview) => Response | Promise<Response>>> = {
  '/allow': (review) => answerTo(review),
  '/deny': (review) => answerTo(review, { allowed: false, status: { message: 'no' } }),
  '/hang': () => new Promise<Response>(() => {}),
  '/page': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  '/list': () => Response.json([]),
  '/empty': () => new Response(''),
  '/absent': () => Response.json({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }),
  '/other-uid': (review) => answerTo(review, { uid: 'another' }),
  '/other-kind': (review) => answerTo(review, {}, { kind: 'Review' }),
  '/no-kind': (review) => answerTo(review, {}, { apiVersion: undefined, kind: undefined }),
  '/crash': () => new Response('boom', { status: 500, headers: { 'content-type': 'text/plain' } }),
  '/patch': (review) => answerTo(review, patching({ op: 'add', path: '/data', value: { a: 'b' } })),
  '/no-patch': (review) => answerTo(review, { patchType: 'JSONPatch', patch: btoa('{') }),
  '/misfit': (review) => answerTo(review, patching({ op: 'remove', path: '/data/x' })),
  '/invalid': (review) => answerTo(review, patching({ op: 'add', path: '/data', value: { '?': '' } })),
  '/move': (review) =>
    answerTo(review, patching({ op: 'replace', path: '/metadata/namespace', value: 'kube-system' })),
  '/rename': (review) =>
    answerTo(review, patching({ op: 'replace', path: '/metadata/name', value: 'other' })),
  '/spoil': (review) =>
    answerTo(
      review,
      patching(
        ...[
          { managedFields: [{ manager: 'none', operation: 'Nothing' }] },
          { uid: 'none', creationTimestamp: '1970-01-01T00:00:00Z' },
        ].flatMap((metadata) =>
          Object.entries(metadata).map(([field, value]) => ({
            op: 'add',
            path: `/metadata/${field}`,
            value,
          })),
        ),
      ),
    ),
  '/disguise': (review) => answerTo(review, patching({ op: 'replace', path: '/kind', value: 'Secret' })),
};

/** A webhook that counts its calls in the object, and so changes it at each call. */
function count(name: string, review: AdmissionReview): Response {
  const { data = {} } = (review.request?.object ?? {}) as Partial<ConfigMapSent>;
  const calls = Number(data[name] ?? 0) + 1;
  const all = { ...data, [name]: String(calls) };
  return answerTo(review, patching({ op: 'add', path: '/data', value: all }));
}

const failed = (name: string, why: string): string =>
  `500 Internal error occurred: failed calling webhook "${name}.example.com": ${why}`;

/**
 * Declares the tests of webhooks that fail, for one way to a cluster.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go mutatingDispatcher,
 * validating/dispatcher.go validatingDispatcher
 */
export function testWebhooks(open: () => Promise<Front>): void {
  let front: Front;
  let server: Outside;
  let maps = 0;
  beforeAll(async () => {
    front = await open();
    server = await front.serve(async (request) => {
      const { pathname } = new URL(request.url);
      const review = (await request.json()) as AdmissionReview;
      return behaviours[pathname]?.(review) ?? count(pathname.slice(1), review);
    });
  });
  afterEach(async () => {
    const { admin } = front.cluster;
    await front.settle(admin.deleteCollection(mutatingWebhookConfigurations));
    await front.settle(admin.deleteCollection(validatingWebhookConfigurations));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await front[Symbol.asyncDispose]();
  });

  const urlOf = (path: string, seconds: number): string => `${server.url}${path}?timeout=${seconds}s`;
  /** A webhook for the ConfigMaps of `default`. Its name is its path. */
  const webhook = (path: string, more: object = {}) => ({
    name: `${path.slice(1)}.example.com`,
    clientConfig: { url: `${server.url}${path}`, caBundle: server.caBundle },
    rules: [
      { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
    ],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30, ...more },
  });
  const configure = async (
    kind: 'mutating' | 'validating',
    ...webhooks: readonly object[]
  ): Promise<void> => {
    const resource = kind === 'mutating' ? mutatingWebhookConfigurations : validatingWebhookConfigurations;
    const object = { metadata: { name: 'test' }, webhooks };
    await front.settle(front.cluster.admin.create(resource as never, object as never));
    await front.pass(100);
  };
  /** Creates a ConfigMap. Returns its data, or the code and the message of the refusal. */
  const create = async (data?: ConfigMapSent['data']): Promise<unknown> => {
    maps += 1;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${maps}` }, data };
    const { code, message, body } = await front.send(MAPS, { pair: front.admin, body: object });
    return code === 201 ? ((body as Partial<ConfigMapSent>).data ?? {}) : `${code} ${message}`;
  };

  describe('A validating webhook', () => {
    test('refuses with its own words', async () => {
      await configure('validating', webhook('/deny'));
      expect(await create()).toBe('400 admission webhook "deny.example.com" denied the request: no');
    });

    test('that hangs fails when its time is over', async () => {
      await configure('validating', webhook('/hang', { timeoutSeconds: 5 }));
      const why = `failed to call webhook: Post "${urlOf('/hang', 5)}": context deadline exceeded`;
      expect(await create()).toBe(failed('hang', why));
    });

    const notJson = (type: string): string =>
      `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    const expected =
      'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got';
    test.each([
      ['/page', notJson('string')],
      ['/list', notJson('array')],
      ['/empty', /^failed to call webhook: 0-length response with status code: 200 and content type: /],
      ['/absent', 'received invalid webhook response: webhook response was absent'],
      ['/other-uid', /^received invalid webhook response: expected response.uid="[\w-]+", got "another"$/],
      ['/other-kind', `${expected} admission.k8s.io/v1, Kind=Review`],
      [
        '/crash',
        'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
      ],
    ])('that answers with nonsense fails: %s', async (path, why) => {
      await configure('validating', webhook(path));
      const answer = String(await create());
      const prefix = failed(path.slice(1), '');
      expect(answer.slice(0, prefix.length)).toBe(prefix);
      expect(answer.slice(prefix.length)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
    });

    test('may not change the object', async () => {
      await configure('validating', webhook('/patch'));
      expect(await create()).toBe(
        failed(
          'patch',
          'received invalid webhook response: validating webhook may not return response.patch',
        ),
      );
    });

    test('that cannot be reached fails; only a refusal counts if its failures are ignored', async () => {
      const own = await front.serve(async () => new Response());
      const { url } = own;
      await own[Symbol.asyncDispose]();
      const ignored = { failurePolicy: 'Ignore' };
      const gone = { ...webhook('/gone'), clientConfig: { url: `${url}/gone` } };
      await configure('validating', gone);
      expect(await create()).toMatch(
        /^500 Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: Post "[^"]+": dial tcp .+: connect: connection refused$/,
      );
      await front.settle(front.cluster.admin.deleteCollection(validatingWebhookConfigurations));
      await configure('validating', { ...gone, ...ignored });
      expect(await create()).toEqual({});
    });

    test.each(['/hang', '/page', '/absent', '/other-uid', '/crash'])(
      'whose failures are ignored stops nothing: %s',
      async (path) => {
        await configure('validating', webhook(path, { failurePolicy: 'Ignore', timeoutSeconds: 5 }));
        expect(await create()).toEqual({});
      },
    );

    test('refuses although its failures are ignored', async () => {
      await configure('validating', webhook('/deny', { failurePolicy: 'Ignore' }), webhook('/allow'));
      expect(await create()).toMatch(/^400 admission webhook "deny.example.com" denied the request/);
    });

    test('for everything does not stop the deletion of its configuration', async () => {
      const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
      await configure('validating', webhook('/deny', { rules: everything, namespaceSelector: {} }));
      expect(await create()).toMatch(/^400 /);
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } };
      const { code } = await front.send('/api/v1/namespaces', { pair: front.admin, body: namespace });
      expect(code).toBe(400);
      const gone = await front.send(`${CONFIGURATIONS}/test`, { pair: front.admin, method: 'DELETE' });
      expect(gone.code).toBe(200);
      await front.pass(100);
      expect(await create()).toEqual({});
    });
  });

  describe('A mutating webhook', () => {
    test('changes the object', async () => {
      await configure('mutating', webhook('/patch'));
      expect(await create()).toEqual({ a: 'b' });
    });

    test('with a patch that cannot be read fails, unless its failures are ignored', async () => {
      await configure('mutating', webhook('/no-patch'));
      expect(await create()).toMatch(
        /^500 Internal error occurred: failed calling webhook "no-patch.example.com": received undecodable patch in webhook response: /,
      );
      await front.settle(front.cluster.admin.deleteCollection(mutatingWebhookConfigurations));
      await configure('mutating', webhook('/no-patch', { failurePolicy: 'Ignore' }));
      expect(await create()).toEqual({});
    });

    test('with a patch that does not fit fails, even if its failures are ignored', async () => {
      await configure('mutating', webhook('/misfit', { failurePolicy: 'Ignore' }));
      expect(await create()).toMatch(/^500 Internal error occurred: /);
    });

    test('cannot make the object invalid', async () => {
      await configure('mutating', webhook('/invalid', { failurePolicy: 'Ignore' }));
      expect(await create()).toMatch(/^422 ConfigMap "map-\d+" is invalid: data\[\?\]: Invalid value: "\?"/);
    });

    /** Changes the ConfigMap that was created last. Returns the code and the message of the refusal. */
    const change = async (): Promise<string> => {
      const { code, message } = await front.send(`${MAPS}/map-${maps}`, {
        ...{ pair: front.admin, method: 'PATCH', contentType: 'application/merge-patch+json' },
        body: { data: { c: 'd' } },
      });
      return `${code} ${message}`;
    };

    test('cannot move the object to another namespace', async () => {
      const refused =
        '400 the namespace of the provided object does not match the namespace sent on the request';
      await create();
      await configure('mutating', webhook('/move'));
      expect(await change()).toBe(refused);
      expect(await create()).toBe(refused);
      const name = `map-${maps}`;
      const list = await front.settle(front.cluster.admin.list(configMaps));
      expect(list.items.filter(({ metadata }) => metadata.name === name)).toEqual([]);
    });

    test('cannot rename a stored object', async () => {
      await create();
      await configure('mutating', webhook('/rename'));
      expect(await change()).toMatch(/^422 .*metadata.name: Invalid value: "other"/);
    });

    test('cannot spoil the owners of fields, the uid and the time', async () => {
      await configure('mutating', webhook('/spoil'));
      await create({ a: 'b' });
      const stored = await front.settle(
        front.cluster.admin.get(configMaps, { namespace: 'default', name: `map-${maps}` }),
      );
      expect(stored.metadata.uid).not.toBe('none');
      expect(stored.metadata.creationTimestamp).not.toMatch(/^1970/);
      expect(stored.metadata.managedFields?.map(({ operation }) => operation)).toEqual(['Update']);
    });

    test('cannot make the object one of another kind', async () => {
      await configure('mutating', webhook('/disguise'));
      expect(await create()).toMatch(/^(400|500) /);
    });

    test('that changes the object at each call is called once', async () => {
      await configure('mutating', webhook('/one', { reinvocationPolicy: 'IfNeeded' }));
      expect(await create()).toEqual({ one: '1' });
    });

    test('that changes the object at each call ends although another one does so, too', async () => {
      const again = { reinvocationPolicy: 'IfNeeded' };
      await configure('mutating', webhook('/one', again), webhook('/two', again), webhook('/never'));
      expect(await create()).toEqual({ one: '2', two: '2', never: '1' });
    });

    test('that hangs has at most the time of its request', async () => {
      const slow = webhook('/hang', { failurePolicy: 'Ignore', timeoutSeconds: 5 });
      await configure('mutating', slow, webhook('/patch'));
      const answerIn = async (timeout: string): Promise<string> => {
        maps += 1;
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${maps}` } };
        const { code, message } = await front.send(`${MAPS}?timeout=${timeout}`, { pair: front.admin, body });
        return `${code} ${message}`;
      };
      expect(await answerIn('2s')).toBe('504 Timeout: request did not complete within requested timeout');
      expect(await answerIn('40s')).toMatch(/^201/);
      expect(await answerIn('0s')).toMatch(/^201/);
      expect(await answerIn('soon')).toBe(
        '400 invalid timeout specified in the request URL - time: invalid duration "soon"',
      );
    });

    test('that hangs shares the minute of its request with the others', async () => {
      const slow = { failurePolicy: 'Ignore', timeoutSeconds: 25 };
      const hanging = ['a', 'b', 'c'].map((name) => ({
        ...webhook('/hang', slow),
        name: `${name}.example.com`,
      }));
      await configure('mutating', ...hanging, webhook('/patch'));
      expect(await create()).toBe('504 Timeout: request did not complete within requested timeout');
    });
  });
}
