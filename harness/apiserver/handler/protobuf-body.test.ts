import { describe, expect, test } from 'vitest';
import { deployments, leases, pods, type Resource } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import { apiTypes } from '../../api/table/table.ts';
import { decode, type Expected } from '../decode.ts';
import { openEnvelope, sealEnvelope } from './protobuf/envelope.ts';
import { kubectlBodies } from './protobuf/kubectl-bodies.fixture.ts';
import { writeMessage } from './protobuf/message.ts';
import { parseProtobuf } from './protobuf-body.ts';
import { host, podsPath, served } from './served.fixture.ts';

const expectedOf = ({ kind, apiVersion }: { kind: string; apiVersion: string }): Expected<unknown> => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind };
};

const decoded = (expected: Expected<unknown>, value: unknown): unknown =>
  decode(expected, value, { fieldValidation: 'Strict' }).object;

/** Builds a body from a message in hexadecimal. */
const body = (apiVersion: string, kind: string, hex = ''): Uint8Array =>
  sealEnvelope({ apiVersion, kind, raw: Buffer.from(hex, 'hex') });

const refusal = (bytes: Uint8Array, expected: Resource): string => {
  try {
    decode(expected, parseProtobuf(bytes, expected), { fieldValidation: 'Strict' });
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return error.message;
    throw error;
  }
  return '';
};

describe('a body from kubectl', () => {
  test.each(kubectlBodies)('with $command decodes to the object that kubectl shows', ({ bytes, object }) => {
    const expected = expectedOf(object);
    expect(decoded(expected, parseProtobuf(Buffer.from(bytes, 'base64'), expected))).toEqual(
      decoded(expected, object),
    );
  });

  test.each(kubectlBodies)('with $command equals our encoding', ({ bytes, object }) => {
    const expected = expectedOf(object);
    const struct = apiTypes.kind(expected) ?? apiTypes.struct(`meta/v1.${object.kind}`);
    if (struct === undefined) throw new Error(`no ${object.kind}`);
    const raw = writeMessage(struct, object);
    expect(Buffer.from(sealEnvelope({ ...object, raw })).toString('base64')).toBe(bytes);
  });
});

describe('a body', () => {
  test('without a kind or version defaults to the expected ones', () => {
    for (const [apiVersion, kind] of [
      ['', ''],
      ['', 'Pod'],
      ['v1', ''],
      ['a/b/c', 'Pod'],
    ] as const) {
      expect(parseProtobuf(body(apiVersion, kind, '0a030a0161'), pods)).toEqual({
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'a' },
      });
    }
  });

  test('of an unregistered kind is rejected', () => {
    expect(refusal(body('v1', 'Pot', 'ff'), pods)).toBe(
      'Pot in version "v1" cannot be handled as a Pod: no kind "Pot" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    );
  });

  test('of another kind is rejected only after it has been read', () => {
    expect(refusal(body('v1', 'Node', '0a030a0161'), pods)).toBe(
      'Node in version "v1" cannot be handled as a Pod: converting (v1.Node) to (core.Pod): unknown conversion',
    );
    expect(refusal(body('v1', 'Node', '0a030a'), pods)).toBe(
      'Node in version "v1" cannot be handled as a Pod: unexpected EOF',
    );
  });

  test('of another version is refused', () => {
    expect(refusal(body('coordination.k8s.io/v1beta1', 'Lease'), leases)).toBe(
      'the API version in the data (coordination.k8s.io/v1beta1) does not match the expected API version (coordination.k8s.io/v1)',
    );
  });

  test.each([
    ['0a', 'unexpected EOF'],
    ['08', 'proto: wrong wireType = 0 for field ObjectMeta'],
    ['0c', 'proto: Deployment: wiretype end group for non-group'],
    ['12021a05', 'unexpected EOF'],
    ['ffffffffffffffffffffff', 'proto: integer overflow'],
  ])('whose message is %s is refused with %s', (hex, why) => {
    expect(refusal(body('apps/v1', 'Deployment', hex), deployments)).toBe(
      `Deployment in version "v1" cannot be handled as a Deployment: ${why}`,
    );
  });

  test('nested too deep is rejected, also in fields of a kind that is not served', () => {
    let nested: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 2_000; depth++) nested = lengthBefore([0xe2, 0x01], nested);
    const message = [0x0a, 0x22, 0x3a, 0x12].reduce((inner, tag) => lengthBefore([tag], inner), nested);
    expect(
      refusal(body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message.toString('hex')), pods),
    ).toBe('CustomResourceDefinition in version "v1" cannot be handled as a Pod: proto: exceeded max depth');
  });
});

describe('the endpoint', () => {
  const protobuf = { 'Content-Type': 'application/vnd.kubernetes.protobuf' };

  /** Returns a function that sends bytes and reports the code and the answer. */
  async function serving() {
    const { handler } = await served();
    return async (
      method: string,
      path: string,
      bytes: Uint8Array,
    ): Promise<[number, Record<string, unknown>]> => {
      const response = await handler(
        new Request(`${host}${path}`, { method, headers: protobuf, body: bytes }),
      );
      return [response.status, (await response.json()) as Record<string, unknown>];
    };
  }

  const pod = (name: string): Uint8Array => {
    const struct = apiTypes.kind(pods);
    if (struct === undefined) throw new Error('no Pod');
    const object = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    return sealEnvelope({ apiVersion: 'v1', kind: 'Pod', raw: writeMessage(struct, object) });
  };

  test('creates the object and ignores unknown fields even under Strict', async () => {
    const send = await serving();
    const [code, created] = await send('POST', `${podsPath}?fieldValidation=Strict`, pod('a'));
    expect([code, created]).toMatchObject([
      201,
      { metadata: { name: 'a' }, spec: { dnsPolicy: 'ClusterFirst' } },
    ]);
    const { apiVersion, kind, raw } = openEnvelope(pod('b'));
    const strange = sealEnvelope({
      apiVersion,
      kind,
      raw: Buffer.concat([raw, Buffer.of(0xfa, 0x7f, 1, 1)]),
    });
    expect((await send('POST', `${podsPath}?fieldValidation=Strict`, strange))[0]).toBe(201);
  });

  test('accepts the options of a delete', async () => {
    const send = await serving();
    await send('POST', podsPath, pod('a'));
    const options = (hex: string): Uint8Array => body('v1', 'DeleteOptions', hex);
    expect(await send('DELETE', `${podsPath}/a`, options('12030a0178'))).toMatchObject([
      409,
      { reason: 'Conflict' },
    ]);
    expect(await send('DELETE', `${podsPath}/a`, options('08'))).toMatchObject([
      400,
      { message: 'unexpected EOF' },
    ]);
    expect((await send('DELETE', `${podsPath}/a`, options('0800')))[0]).toBe(200);
  });

  test('reports the beginning of a body that is not protobuf', async () => {
    const send = await serving();
    expect(await send('POST', podsPath, Buffer.from('{"kind":"Pod"}'))).toMatchObject([
      400,
      {
        message:
          'the object provided is unrecognized (must be of type Pod): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"kind":"Pod"})',
      },
    ]);
    expect(await send('POST', podsPath, Buffer.of(0x6b, 0x38, 0x73, 0))).toMatchObject([
      400,
      { message: 'the object provided is unrecognized (must be of type Pod): empty body (6b387300)' },
    ]);
  });
});

/** A field: its tag, the length of its bytes, and the bytes. */
function lengthBefore(tag: readonly number[], bytes: Buffer): Buffer {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) length.push((rest % 0x80) | 0x80);
  return Buffer.concat([Buffer.from([...tag, ...length, rest]), bytes]);
}
