import { describe, expect, test } from 'vitest';
import { machineAlone, refused } from '../../machine.fixture.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n';
const FLAGS = ['--tls-cert-file=/tls/tls.crt', '--tls-private-key-file', '/tls/tls.key', '--port=8443'];

/** Starts the server in a container whose certificate is in `/tls`. */
async function serving({ command = 'webhook', flags = FLAGS, certificate = CERTIFICATE } = {}) {
  const alone = machineAlone({ preloaded: ['registry.k8s.io/e2e-test-images/agnhost:2.63.0'] });
  const { machine, network, settle, run, sim } = alone;
  await settle(machine.files.mkdirAll('/tls'));
  await settle(machine.files.writeFile('/tls/tls.crt', certificate));
  await settle(machine.files.writeFile('/tls/tls.key', KEY));
  const mounts = [{ hostPath: '/tls', containerPath: '/tls', readonly: true }];
  const { id, ip } = await run('registry.k8s.io/e2e-test-images/agnhost:2.63.0', {
    args: [command, ...flags],
    mounts,
  });
  await sim.run({ forMs: 1_000 });
  const post = (path: string, body: string, headers = { 'content-type': 'application/json' }) =>
    settle(
      network.request({
        scheme: 'https',
        method: 'POST',
        host: ip,
        port: 8443,
        path,
        headers,
        body,
        timeoutMs: 10_000,
      }),
    );
  /** Returns the answer to a review of a request, with its patch decoded. */
  const review = async (path: string, request: object, apiVersion = 'admission.k8s.io/v1') => {
    const body = { apiVersion, kind: 'AdmissionReview', request: { ...create('configmaps'), ...request } };
    const { response, ...rest } = JSON.parse((await post(path, JSON.stringify(body))).body);
    const { patch, ...answer } = response;
    const text = patch === undefined ? undefined : Buffer.from(patch, 'base64').toString();
    return { ...rest, ...answer, ...(text && { patch: JSON.parse(text) }) };
  };
  return { ...alone, id, post, review };
}

function create(plural: string) {
  const resource = { group: '', version: 'v1', resource: plural };
  return { uid: 'u-1', operation: 'CREATE', resource, name: '', object: null, oldObject: null };
}

const pod = (metadata: object, ...containers: string[]) => ({
  ...create('pods'),
  object: { kind: 'Pod', metadata, spec: { containers: containers.map((name) => ({ name })) } },
});
const data = (content: object) => ({ metadata: { name: 'a' }, data: content });
const labelled = (labels: object) => ({ object: { metadata: { labels } } });
const attach = { ...pod({}), name: 'to-be-attached-pod', subResource: 'attach' };
const definition = {
  resource: { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
};

describe('agnhost webhook', () => {
  test.each<[path: string, request: object, answer: object]>([
    ['/always-deny', {}, { allowed: false, status: { message: 'this webhook denies all requests' } }],
    ['/always-allow-delay-5s', {}, { allowed: true }],
    [
      '/add-label',
      { object: { metadata: {} } },
      { patch: [{ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } }] },
    ],
    ['/add-label', labelled({ a: 'b' }), { patch: [{ op: 'add', path: '/metadata/labels/added-label' }] }],
    ['/add-label', labelled({ 'added-label': 'no' }), { patch: [{ op: 'replace', value: 'yes' }] }],
    ['/add-label', { object: null }, { allowed: false, status: { message: 'unexpected end of JSON input' } }],
    ['/pods', pod({}, 'web'), { allowed: true }],
    [
      '/pods',
      pod({ labels: { 'webhook-e2e-test': 'webhook-disallow' } }, 'a-webhook-disallow'),
      {
        allowed: false,
        status: { message: 'the pod contains unwanted label; the pod contains unwanted container name;' },
      },
    ],
    ['/pods', {}, { allowed: false, status: { message: 'expect resource to be /v1, Resource=pods' } }],
    ['/pods/attach', { ...attach, object: { stdin: true, container: 'container1' } }, { allowed: false }],
    ['/pods/attach', { ...attach, object: { stdin: false, container: 'container1' } }, { allowed: true }],
    [
      '/mutating-pods',
      pod({ name: 'webhook-to-be-mutated' }),
      { patch: [{ path: '/spec/initContainers', value: [{ image: 'webhook-added-image' }] }] },
    ],
    ['/mutating-pods-sidecar', pod({}, 'web'), { allowed: false, status: { code: 500 } }],
    [
      '/configmaps',
      { object: data({ 'webhook-e2e-test': 'webhook-disallow' }) },
      { allowed: false, status: { reason: 'the configmap contains unwanted key and value' } },
    ],
    [
      '/configmaps',
      { operation: 'DELETE', oldObject: data({ 'webhook-e2e-test': 'webhook-nondeletable' }) },
      {
        allowed: false,
        status: { reason: 'the configmap cannot be deleted because it contains unwanted key and value' },
      },
    ],
    [
      '/mutating-configmaps',
      { object: data({ 'mutation-start': 'yes', 'mutation-stage-1': 'yes' }) },
      { patch: [{ op: 'add', path: '/data/mutation-stage-2', value: 'yes' }] },
    ],
    [
      '/custom-resource',
      { object: data({ 'webhook-e2e-test': 'webhook-disallow' }) },
      { allowed: false, status: { reason: 'the custom resource contains unwanted data' } },
    ],
    [
      '/crd',
      { ...definition, ...labelled({ 'webhook-e2e-test': 'webhook-disallow' }) },
      { allowed: false, status: { message: 'the crd contains unwanted label' } },
    ],
  ])('answers at %s, like upstream: %j', async (path, request, answer) => {
    const { review } = await serving();
    expect(await review(path, request)).toMatchObject({ uid: 'u-1', kind: 'AdmissionReview', ...answer });
  });

  test('injects its sidecar once', async () => {
    const { review } = await serving({ flags: [...FLAGS, '--sidecar-image=nginx'] });
    const { patch } = await review('/mutating-pods-sidecar', pod({}, 'web'));
    expect(patch).toMatchObject([
      { path: '/spec/containers/-', value: { name: 'webhook-added-sidecar', image: 'nginx' } },
    ]);
    expect(await review('/mutating-pods-sidecar', pod({}, 'webhook-added-sidecar'))).not.toHaveProperty(
      'patch',
    );
  });

  test('answers in the version of the review', async () => {
    const { review } = await serving();
    const apiVersion = 'admission.k8s.io/v1beta1';
    expect(await review('/always-deny', {}, apiVersion)).toMatchObject({ apiVersion, allowed: false });
  });

  test('is ready, but answers nothing that is not a review', async () => {
    const { post, log, id } = await serving();
    expect(await post('/readyz', '')).toMatchObject({ status: 200, body: 'ok' });
    expect(await post('/none', '{}')).toMatchObject({ status: 404, body: '404 page not found\n' });
    expect(await post('/pods', '{}')).toMatchObject({
      status: 400,
      body: "Request could not be decoded: Object 'Kind' is missing in '{}'\n",
    });
    expect(await post('/pods', '{}', { 'content-type': 'text/plain' })).toMatchObject({
      status: 200,
      body: '',
    });
    expect(await log(id)).toContainEqual(
      expect.stringMatching(/E\d{4} .* main.go\] contentType=text\/plain, expect application\/json$/),
    );
  });

  test('resets the connection where the real one panics, and hangs where it waits', async () => {
    const { review } = await serving();
    expect(await refused(review('/mutating-pods', {}))).toBe('EOF');
    const waiting = pod({ labels: { 'webhook-e2e-test': 'wait-forever' } });
    expect(await refused(review('/pods', waiting))).toMatch(/^context deadline exceeded/);
  });

  test.each([
    [[], CERTIFICATE, 'open : no such file or directory'],
    [FLAGS, 'none', 'tls: failed to find any PEM data in certificate input'],
  ])('does not start with the flags %j and the certificate %j', async (flags, certificate, why) => {
    const { status, log, id } = await serving({ flags, certificate });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 255 });
    expect(await log(id)).toEqual([expect.stringContaining(why)]);
  });
});

describe('agnhost crd-conversion-webhook', () => {
  const v1 = { apiVersion: 'stable.example.com/v1', kind: 'E2e', metadata: { name: 'a' } };
  const v2 = { ...v1, apiVersion: 'stable.example.com/v2' };

  test.each<[objects: readonly object[], to: object, response: object]>([
    [
      [{ ...v1, hostPort: 'web:80' }, v1],
      v2,
      { convertedObjects: [{ ...v2, host: 'web', port: '80' }, v2], result: { status: 'Success' } },
    ],
    [[{ ...v2, port: '80' }], v1, { convertedObjects: [{ ...v1, hostPort: ':80' }] }],
    [
      [{ ...v1, hostPort: 'web' }],
      v2,
      { result: { status: 'Failure', message: 'invalid hostPort value `web`' } },
    ],
    [
      [v1],
      v1,
      {
        result: {
          message: `conversion from a version to itself should not call the webhook: ${v1.apiVersion}`,
        },
      },
    ],
    [[{ ...v1, apiVersion: 'a/v1' }], v1, { result: { message: 'unexpected conversion version "a/v1"' } }],
  ])(
    'converts %j to %j',
    async (objects, { apiVersion: desiredAPIVersion }: { apiVersion?: string }, response) => {
      const { post } = await serving({ command: 'crd-conversion-webhook' });
      const review = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        request: { uid: 'u-1', desiredAPIVersion, objects },
      };
      const { body } = await post('/crdconvert', JSON.stringify(review));
      expect(JSON.parse(body)).toMatchObject({
        kind: 'ConversionReview',
        response: { uid: 'u-1', ...response },
      });
    },
  );
});
