import { describe, expect, test } from 'vitest';
import { served } from './served.fixture.ts';

const path = '/api/v1/namespaces/default/configmaps/a';
const contentType = 'application/apply-patch+yaml';
const yaml = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  x: "1"
`;

/** Starts an apiserver and returns functions that apply to it as the manager `me`. */
async function applying() {
  const { send, refused } = await served();
  const request = (body: string, query: string, type: string) =>
    ['PATCH', `${path}?fieldManager=me${query}`, body, { 'Content-Type': type }] as const;
  return {
    send,
    apply: (body: string, query = '') => send(...request(body, query, contentType)),
    refused: (body: string, query = '', type = contentType) => refused(...request(body, query, type)),
  };
}

describe('PATCH with an apply patch', () => {
  test('creates an object with 201 and changes it with 200', async () => {
    const { apply } = await applying();
    expect((await apply(yaml)).status).toBe(201);
    const again = await apply(yaml.replace('"1"', '"2"'));
    expect([again.status, ((await again.json()) as { data: unknown }).data]).toEqual([200, { x: '2' }]);
  });

  test('accepts JSON, a subset of YAML', async () => {
    const { apply } = await applying();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'yes' } };
    const created = await apply(JSON.stringify(body));
    expect(((await created.json()) as { data: unknown }).data).toEqual({ x: 'yes' });
  });

  test('rejects a body that it cannot read', async () => {
    const { refused } = await applying();
    expect(await refused('a: [')).toEqual([
      400,
      'BadRequest',
      expect.stringMatching(/^error decoding YAML: error converting YAML to JSON: yaml: line 1: /),
    ]);
    expect(await refused('- a')).toEqual([
      400,
      'BadRequest',
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ]);
    expect(await refused('')).toEqual([400, 'BadRequest', 'invalid object type: /, Kind=']);
    expect((await refused(yaml, '', 'application/apply-patch+cbor')).slice(0, 2)).toEqual([
      415,
      'UnsupportedMediaType',
    ]);
  });

  test('reports a duplicate key in a warning, or rejects it if strict', async () => {
    const { apply, refused } = await applying();
    const twice = `${yaml}  x: "2"\n`;
    const warned = await apply(twice);
    expect(warned.headers.get('warning')).toBe('299 - "line 8: key \\"x\\" already set in map"');
    expect((await apply(twice, '&fieldValidation=Ignore')).headers.get('warning')).toBeNull();
    expect(await refused(twice, '&fieldValidation=Strict')).toEqual([
      400,
      'BadRequest',
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 8: key "x" already set in map',
    ]);
  });

  test('records a plain patch under the user agent, next to the manager of the apply', async () => {
    const { apply, send } = await applying();
    await apply(yaml);
    const body = JSON.stringify({ data: { y: '1' } });
    const headers = { 'Content-Type': 'application/merge-patch+json', 'User-Agent': 'kubectl/v1.33.0' };
    const patched = await send('PATCH', path, body, headers);
    const { metadata } = (await patched.json()) as { metadata: { managedFields: unknown } };
    expect(metadata.managedFields).toMatchObject([
      { manager: 'me', operation: 'Apply' },
      { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:data': { 'f:y': {} } } },
    ]);
  });
});
