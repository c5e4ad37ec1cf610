import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Client } from '../../contracts/client.ts';
import { createHandler } from './handler.ts';
import { host, podsPath, served } from './served.fixture.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] } };

describe('createHandler', () => {
  test('answers 201 to a create and 200 to other requests', async () => {
    const { send } = await served();
    const codes = [
      await send('POST', podsPath, pod),
      await send('GET', `${podsPath}/a`),
      await send('GET', `${podsPath}/a/status`),
      await send('PATCH', `${podsPath}/a`, {}, { 'Content-Type': 'application/merge-patch+json' }),
      await send('POST', `${podsPath}/a/binding`, { metadata: { name: 'a' }, target: { name: 'node-1' } }),
      await send('POST', `${podsPath}/a/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'a' },
      }),
      await send('DELETE', `${podsPath}/a?gracePeriodSeconds=0`),
      await send('DELETE', podsPath),
    ];
    expect(codes.map(({ status }) => status)).toEqual([201, 200, 200, 200, 201, 201, 200, 200]);
    expect(await codes[4]?.json()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      code: 201,
    });
  });

  test('answers 201 to a PUT that creates the object', async () => {
    const { send } = await served();
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';
    const lease = { metadata: { name: 'a', resourceVersion: '7' }, spec: { holderIdentity: 'me' } };
    const created = await send('PUT', path, lease);
    expect(created.status).toBe(201);
    const { metadata } = (await created.json()) as { metadata: object };
    expect((await send('PUT', path, { ...lease, metadata })).status).toBe(200);
  });

  test('answers 202 to a delete that has only begun, if the client uses the old options', async () => {
    const { send } = await served();
    const kept = { metadata: { name: 'a', finalizers: ['example.com/a'] } };
    await send('POST', configMaps, kept);
    await send('POST', configMaps, { metadata: { name: 'b' } });
    const asked = { orphanDependents: false };
    const codes = [
      await send('DELETE', `${configMaps}/a`),
      await send('DELETE', `${configMaps}/a`, { propagationPolicy: 'Background' }),
      await send('DELETE', `${configMaps}/a`, asked),
      await send('DELETE', `${configMaps}/a?orphanDependents=false`),
      await send('DELETE', `${configMaps}/b`, asked),
    ];
    expect(codes.map(({ status }) => status)).toEqual([200, 200, 202, 202, 200]);
  });

  test('warns about a deprecated kind on every request', async () => {
    const { send } = await served();
    const path = '/api/v1/namespaces/default/endpoints';
    const body = { metadata: { name: 'web' }, subsets: [{ addresses: [{ ip: 'fd00:0::1' }] }] };
    const told = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
    const answers = [
      await send('GET', path),
      await send('GET', `${path}?watch=true`),
      await send('GET', `${path}/web`),
      await send('DELETE', `${path}/web`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    expect(answers.map(({ headers }) => headers.get('warning'))).toEqual(Array(4).fill(told));
    await answers[1]?.body?.cancel();
    const created = await send('POST', path, body);
    expect(created.headers.get('warning')).toContain(`${told}, 299 - "subsets[0].addresses[0].ip: `);
    expect((await send('GET', '/apis/discovery.k8s.io/v1/endpointslices')).headers.get('warning')).toBeNull();
  });

  test('warns about a deprecated field but accepts it', async () => {
    const { send } = await served();
    const path = '/api/v1/namespaces/default/services';
    const web = { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], externalIPs: ['8.8.8.8'] } };
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const warnings = [
      await send('POST', path, web),
      await send('PUT', `${path}/web`, web),
      await send('PATCH', `${path}/web`, {}, merge),
      await send('PATCH', `${path}/web`, { spec: { externalIPs: null } }, merge),
    ].map(({ headers }) => headers.get('warning'));
    const told = '299 - "spec.externalIPs is deprecated and may no longer be implemented in some clusters"';
    expect(warnings).toEqual([told, told, told, null]);
  });

  test('warns about duplicate owner references', async () => {
    const { send } = await served();
    const owner = { apiVersion: 'g.io/v1', kind: 'K', name: 'n', uid: 'u' };
    const sent = { metadata: { name: 'a', ownerReferences: [owner, owner, owner] } };
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const warnings = [
      await send('POST', configMaps, sent),
      await send('PUT', `${configMaps}/a`, sent),
      await send('PATCH', `${configMaps}/a`, sent, merge),
      await send('PATCH', `${configMaps}/a`, { metadata: { ownerReferences: [owner] } }, merge),
    ].map(({ headers }) => headers.get('warning'));
    const told = (when: string) =>
      `299 - ".metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, u"`;
    const patched = told(' after mutating admission happens');
    expect(warnings).toEqual([told(''), told(''), patched, null]);
  });

  test('reports an error in the options of a delete', async () => {
    const { refused } = await served();
    const because = async (body: string) => refused('DELETE', `${configMaps}/a`, body);
    expect(await because('{x')).toEqual([
      400,
      'BadRequest',
      "couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of object key string",
    ]);
    expect(await because('{"gracePeriodSeconds":"x"}')).toEqual([
      400,
      'BadRequest',
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ]);
  });

  test('omits kind and apiVersion from the items of a list', async () => {
    const { send } = await served();
    await send('POST', podsPath, pod);
    const response = await send('GET', '/api/v1/pods');
    expect(response.headers.get('content-type')).toBe('application/json');
    const text = await response.text();
    expect(text).toMatch(
      /^\{"kind":"PodList","apiVersion":"v1","metadata":\{"resourceVersion":"\d+"\},"items":\[\{"metadata"/,
    );
    const [item] = JSON.parse(text).items;
    expect(Object.keys(item)).toEqual(['metadata', 'spec', 'status']);
    const alone = await (await send('GET', `${podsPath}/a`)).text();
    expect(alone).toMatch(/^\{"kind":"Pod","apiVersion":"v1","metadata"/);
    expect(JSON.parse(alone)).toEqual({ kind: 'Pod', apiVersion: 'v1', ...item });
  });

  test('accepts and returns YAML', async () => {
    const { send } = await served();
    const yaml = { 'Content-Type': 'application/yaml', Accept: 'application/yaml' };
    const response = await send('POST', configMaps, 'metadata:\n  name: a\ndata:\n  x: "1"\n', yaml);
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/yaml']);
    expect(await response.text()).toMatch(
      /^apiVersion: v1\ndata:\n {2}x: "1"\nkind: ConfigMap\nmetadata:\n {2}creationTimestamp: /,
    );
  });

  test('indents JSON for interactive clients', async () => {
    const { send } = await served();
    const read = async (path: string, agent: string) =>
      (await send('GET', path, undefined, { 'User-Agent': agent })).text();
    expect(await read('/version', 'curl/8.5.0')).toContain('\n  "major": "1",\n');
    expect(await read('/version?pretty=true', 'kubectl')).toContain('\n  "major": "1",\n');
    expect(await read('/version', 'kubectl')).toMatch(/^\{"major":"1","minor":"36",/);
  });

  test('warns about fields that it drops, unless the client ignores or rejects them', async () => {
    const { send, refused } = await served();
    const body = '{"metadata":{"name":"a"},"date":{},"data":{"x":"1","x":"2"}}';
    const response = await send('POST', `${configMaps}?dryRun=All`, body);
    expect(response.status).toBe(201);
    expect(response.headers.get('warning')).toBe(
      '299 - "unknown field \\"date\\"", 299 - "duplicate field \\"data.x\\""',
    );
    expect(await response.json()).toMatchObject({ data: { x: '2' } });
    const ignoring = await send('POST', `${configMaps}?dryRun=All&fieldValidation=Ignore`, body);
    expect([ignoring.status, ignoring.headers.get('warning')]).toEqual([201, null]);
    expect(await refused('POST', `${configMaps}?fieldValidation=Strict`, body)).toEqual([
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "date", duplicate field "data.x"',
    ]);
  });

  test('sends Retry-After with 429', async () => {
    const { send } = await served();
    await send('POST', podsPath, pod);
    const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
    await send('POST', path, { metadata: { name: 'budget' }, spec });
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    await send('PATCH', `${podsPath}/a`, { metadata: { labels: { app: 'web' } } }, merge);
    await send('PATCH', `${podsPath}/a/status`, { status: { phase: 'Running' } }, merge);
    const response = await send('POST', `${podsPath}/a/eviction`, { metadata: { name: 'a' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
  });

  test.each<[string, string, string, unknown, Record<string, string>, string]>([
    [
      'a body that is cut off',
      'POST',
      configMaps,
      '{"metadata":{"name":"a"},"data":{"x":',
      {},
      `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({"metadata":{"name":"a"},"data ...)`,
    ],
    [
      'a body that is empty',
      'POST',
      configMaps,
      '',
      {},
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
    [
      'a name that differs from the URL',
      'PUT',
      `${configMaps}/a`,
      { metadata: { name: 'b' } },
      {},
      'the name of the object (b) does not match the name on the URL (a)',
    ],
    [
      'an update without a name',
      'PUT',
      `${configMaps}/a`,
      { metadata: {} },
      {},
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ],
    [
      'a namespace that differs from the URL',
      'POST',
      configMaps,
      { metadata: { name: 'a', namespace: 'other' } },
      {},
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'another kind',
      'POST',
      configMaps,
      { ...pod, kind: 'Pod' },
      {},
      'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    ],
    [
      'a binding of another pod',
      'POST',
      `${podsPath}/a/binding`,
      { metadata: { name: 'b' }, target: { name: 'n' } },
      {},
      'name in URL does not match name in Binding object',
    ],
    [
      'an eviction of another pod',
      'POST',
      `${podsPath}/a/eviction`,
      { metadata: { name: 'b' } },
      {},
      'name in URL does not match name in Eviction object',
    ],
    [
      'a merge patch that is not an object',
      'PATCH',
      `${configMaps}/a`,
      '[]',
      { 'Content-Type': 'application/merge-patch+json' },
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'a patch that is cut off',
      'PATCH',
      `${configMaps}/a`,
      '{',
      { 'Content-Type': 'application/strategic-merge-patch+json' },
      'unexpected end of JSON input',
    ],
    [
      'a limit that is not a number',
      'GET',
      '/api/v1/pods?limit=x',
      undefined,
      {},
      'strconv.ParseInt: parsing "x": invalid syntax',
    ],
  ])('rejects %s', async (_, method, path, body, headers, message) => {
    const { refused } = await served();
    expect(await refused(method, path, body, headers)).toEqual([400, 'BadRequest', message]);
  });

  test('rejects unknown media types in either direction, and bodies above the limit', async () => {
    const { refused } = await served();
    expect(await refused('POST', configMaps, 'x', { 'Content-Type': 'text/plain' })).toEqual([
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ]);
    expect(await refused('PATCH', `${configMaps}/a`, '{}', { 'Content-Type': 'application/json' })).toEqual([
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml',
    ]);
    expect(await refused('GET', podsPath, undefined, { Accept: 'text/html' })).toEqual([
      406,
      'NotAcceptable',
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ]);
    expect(await refused('POST', configMaps, 'x'.repeat(3 * 1024 * 1024 + 1))).toEqual([
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 3145728',
    ]);
  });

  test('rejects a watch in a format that cannot be streamed', async () => {
    const { send } = await served();
    const response = await send('GET', `${podsPath}?watch=1`, undefined, { Accept: 'application/yaml' });
    expect(parse(await response.text())).toMatchObject({
      code: 406,
      message:
        'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    });
  });

  test.each([
    '/api/v1/pods?watch=1&fieldSelector=metadata.name%3Da',
    `/api/v1/watch${podsPath.slice('/api/v1'.length)}/a`,
  ])('watches one object with %s', async (path) => {
    const { send } = await served();
    await send('POST', podsPath, { ...pod, metadata: { name: 'b' } });
    await send('POST', podsPath, pod);
    const reader = (await send('GET', path)).body?.getReader();
    const read = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(JSON.parse(await read())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    await reader?.cancel();
  });

  test('accepts a binding without the pod in the path', async () => {
    const { send } = await served();
    await send('POST', podsPath, pod);
    const binding = {
      kind: 'Binding',
      apiVersion: 'v1',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n' },
    };
    expect((await send('POST', '/api/v1/namespaces/default/bindings', binding)).status).toBe(201);
    expect(await (await send('GET', `${podsPath}/a`)).json()).toMatchObject({ spec: { nodeName: 'n' } });
  });

  test('reports an unexpected exception as an internal error', async () => {
    const broken = { list: () => Promise.reject(new TypeError('boom')) } as unknown as Client;
    const response = await createHandler(broken)(new Request(`${host}/api/v1/pods`));
    expect(await response.json()).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: 'Internal error occurred: boom',
    });
  });
});
