import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Secret } from '../../api/objects.ts';
import { secrets } from '../../api/resource.ts';
import { key, refusal, world } from '../verbs/replicas.fixture.ts';
import { kindViolations, parts, said } from './kind-laws.ts';
import { secret } from './secret.ts';

function hidden(content: object, annotations?: Record<string, string>): Secret {
  return secret.setDefaults({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'login',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
      ...(annotations && { annotations }),
    },
    ...content,
  } as Secret);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const causesOf = (content: object, annotations?: Record<string, string>) =>
  said(secret.validate(hidden(content, annotations)));

describe('Secret', () => {
  test('is opaque by default', () => {
    expect(hidden({}).type).toBe('Opaque');
    expect(causesOf({ data: { password: base64('x'), empty: '' } })).toEqual([]);
    expect(causesOf({ type: 'example.com/own' })).toEqual([]);
  });

  test('converts stringData to data, and replaces keys of the same name', () => {
    const sent = { data: { a: base64('old'), b: base64('kept') }, stringData: { a: 'neu ü' } };
    expect(hidden(sent)).toMatchObject({ data: { a: base64('neu ü'), b: base64('kept') } });
    expect(hidden(sent)).not.toHaveProperty('stringData');
    expect(hidden({ stringData: {} })).not.toHaveProperty('data');
  });

  test('accepts stringData from a client, and never returns it', async () => {
    const { server } = await world();
    const created = await server.create(secrets, { metadata: key('a'), stringData: { user: 'ann' } });
    expect(created).toMatchObject({ type: 'Opaque', data: { user: base64('ann') } });
    const body = { stringData: { user: 'bob' } };
    const patched = await server.patch(secrets, key('a'), { type: 'strategic', body });
    expect(patched.data).toEqual({ user: base64('bob') });
    expect(await server.get(secrets, key('a'))).not.toHaveProperty('stringData');
    const { items } = await server.list(secrets, { namespace: 'default', fieldSelector: 'type=Opaque' });
    expect(items).toHaveLength(1);
    expect(await refusal(server.update(secrets, { ...patched, type: 'other' }))).toBe(
      '422 Invalid: Secret "a" is invalid: type: Invalid value: "other": field is immutable',
    );
  });

  test('rejects keys that are not file names', () => {
    expect(causesOf({ data: { '..': '' } })).toEqual(['data[..]: Invalid value: "..": must not be \'..\'']);
  });

  test('holds one mebibyte of data', () => {
    const bytes = (count: number) => ({ data: { a: Buffer.alloc(count).toString('base64') } });
    expect(causesOf(bytes(1024 * 1024))).toEqual([]);
    expect(causesOf(bytes(1024 * 1024 + 1))).toEqual(['data: Too long: may not be more than 1048576 bytes']);
  });

  test.each([
    ['dockercfg', '.dockercfg'],
    ['dockerconfigjson', '.dockerconfigjson'],
  ])('of type kubernetes.io/%s holds a JSON object, which no error shows', (type, name) => {
    const path = `data[${name}]`;
    const of = (text: string) => causesOf({ type: `kubernetes.io/${type}`, data: { [name]: base64(text) } });
    expect(causesOf({ type: `kubernetes.io/${type}` })).toEqual([`${path}: Required value`]);
    expect(of('{"auths":{}}')).toEqual([]);
    expect(of('null')).toEqual([]);
    const redacted = `${path}: Invalid value: "<secret contents redacted>":`;
    expect(of('')).toEqual([`${redacted} unexpected end of JSON input`]);
    expect(of('hunter2')).toEqual([`${redacted} invalid character 'h' looking for beginning of value`]);
    expect(of('[1]')).toEqual([
      `${redacted} json: cannot unmarshal array into Go value of type map[string]interface {}`,
    ]);
  });

  test('of type kubernetes.io/basic-auth has a user name or a password, which may be empty', () => {
    const type = 'kubernetes.io/basic-auth';
    expect(causesOf({ type })).toEqual(['data[username]: Required value', 'data[password]: Required value']);
    expect(causesOf({ type, data: { password: '' } })).toEqual([]);
  });

  test('of type kubernetes.io/ssh-auth has a key that is not empty', () => {
    const type = 'kubernetes.io/ssh-auth';
    expect(causesOf({ type, data: { 'ssh-privatekey': '' } })).toEqual([
      'data[ssh-privatekey]: Required value',
    ]);
    expect(causesOf({ type, data: { 'ssh-privatekey': base64('x') } })).toEqual([]);
  });

  test('of type kubernetes.io/tls has a certificate and a key', () => {
    const type = 'kubernetes.io/tls';
    expect(causesOf({ type })).toEqual(['data[tls.crt]: Required value', 'data[tls.key]: Required value']);
    expect(causesOf({ type, data: { 'tls.crt': '', 'tls.key': '' } })).toEqual([]);
  });

  test('of type kubernetes.io/service-account-token names its service account', () => {
    const type = 'kubernetes.io/service-account-token';
    expect(causesOf({ type })).toEqual([
      'metadata.annotations[kubernetes.io/service-account.name]: Required value',
    ]);
    expect(causesOf({ type }, { 'kubernetes.io/service-account.name': 'default' })).toEqual([]);
  });

  test('cannot change once it is immutable', () => {
    const old = hidden({ data: { a: '' }, immutable: true });
    expect(said(secret.validateUpdate(hidden({ data: { a: '', b: '' } }), old))).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } };
    expect(secret.validateUpdate(labelled, old)).toEqual([]);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = hidden({
      data: { 'ssh-privatekey': 'eA==', 'b/': '' },
      stringData: { c: 'x' },
      type: 'kubernetes.io/ssh-auth',
      immutable: true,
    });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(secret, part)).toEqual([]);
      }),
    );
  });
});
