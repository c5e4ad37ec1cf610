import { describe, expect, test } from 'vitest';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { ProtobufError } from './protobuf-error.ts';

const open = (hex: string): object => openEnvelope(Buffer.from(hex, 'hex'));

describe('openEnvelope', () => {
  test('returns the content that sealEnvelope packed', () => {
    const envelope = { apiVersion: 'apps/v1', kind: 'Deployment', raw: Buffer.from('abc') };
    expect(openEnvelope(sealEnvelope(envelope))).toEqual(envelope);
  });

  test('reads missing fields as empty', () => {
    expect(open('6b387300 1a00'.replaceAll(' ', ''))).toEqual({
      apiVersion: '',
      kind: '',
      raw: new Uint8Array(),
    });
  });

  test.each([
    ['', 'empty data'],
    ['6b387300', 'empty body'],
    ['6b3873', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['7b7d', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['6b3873000a', 'unexpected EOF'],
    ['6b3873001001', 'proto: wrong wireType = 0 for field Raw'],
    ['6b38730000', 'proto: Unknown: illegal tag 0 (wire type 0)'],
  ])('rejects %s', (hex, message) => {
    expect(() => open(hex)).toThrow(new ProtobufError(message));
  });
});
