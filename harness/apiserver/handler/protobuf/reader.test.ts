import { describe, expect, test } from 'vitest';
import { ProtobufError } from './protobuf-error.ts';
import { Reader } from './reader.ts';

const reader = (...bytes: number[]): Reader => new Reader(Uint8Array.from(bytes));

const ff = (count: number): number[] => new Array<number>(count).fill(0xff);

describe('a number', () => {
  test.each<[number[], number]>([
    [[0], 0],
    [[0x7f], 127],
    [[0x80, 0x01], 128],
    [[0xff, 0xff, 0xff, 0xff, 0x07], 2 ** 31 - 1],
    [[0x80, 0x80, 0x80, 0x80, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x01], -(2 ** 31)],
    [[...ff(9), 0x01], -1],
    [[0xff, 0xff, 0xff, 0xff, 0x1f], -1],
  ])('of 32 bits in %j is %d', (bytes, value) => {
    expect(reader(...bytes).int32()).toBe(value);
  });

  test.each<[number[], number]>([
    [[0xff, 0xff, 0xff, 0xff, 0x1f], 2 ** 33 - 1],
    [[...ff(7), 0x0f], Number.MAX_SAFE_INTEGER],
    [[...ff(9), 0x01], -1],
    [[...new Array<number>(9).fill(0x80), 0x01], -(2 ** 63)],
  ])('of 64 bits in %j is %d', (bytes, value) => {
    expect(reader(...bytes).int64()).toBe(value);
  });

  test('near the maximum of 64 bits stays below 2^63', () => {
    expect(reader(...ff(8), 0x7f).int64()).toBeLessThan(2 ** 63);
  });

  test('that continues after its tenth byte is rejected', () => {
    expect(() => reader(...ff(10), 0).int64()).toThrow('proto: integer overflow');
  });
});

describe('a tag', () => {
  test('consists of a number and a type', () => {
    const tagged = reader(0x1a);
    expect([tagged.tag('Pod'), tagged.wireType]).toEqual([3, 2]);
  });

  test.each<[number[], string]>([
    [[0x00], 'proto: Pod: illegal tag 0 (wire type 0)'],
    [[0x02], 'proto: Pod: illegal tag 0 (wire type 2)'],
    [[0x0c], 'proto: Pod: wiretype end group for non-group'],
    [[0xf8, 0xff, 0xff, 0xff, 0x7f], 'proto: Pod: illegal tag -1 (wire type 34359738360)'],
    [[0x80], 'unexpected EOF'],
  ])('%j is rejected', (bytes, message) => {
    expect(() => reader(...bytes).tag('Pod')).toThrow(new ProtobufError(message));
  });
});

describe('a length', () => {
  test('beyond the end is rejected', () => {
    expect(() => reader(3, 1, 2).bytes()).toThrow(new ProtobufError('unexpected EOF'));
    expect(() => reader(...ff(9), 1).bytes()).toThrow(
      new ProtobufError('proto: negative length found during unmarshaling'),
    );
  });

  test('of a nested message cannot exceed the outer message', () => {
    const seen: number[] = [];
    const inner = reader(3, 2, 7, 8, 9);
    inner.within(() => {
      inner.within(() => {
        while (inner.more) seen.push(inner.int32());
      });
      expect(() => inner.int32()).toThrow('unexpected EOF');
    });
    expect([...seen, inner.int32()]).toEqual([7, 8, 9]);
  });
});

describe('skip', () => {
  test.each<[string, number[]]>([
    ['a number', [0x08, 0x80, 0x01]],
    ['eight bytes', [0x09, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['bytes with a length', [0x0a, 2, 1, 2]],
    ['four bytes', [0x0d, 1, 2, 3, 4]],
    ['a group in a group', [0x0b, 0x13, 0x08, 0x01, 0x14, 0x0a, 1, 1, 0x0c]],
  ])('skips %s', (_, bytes) => {
    const skipping = reader(...bytes, 0x2a);
    skipping.tag('Pod');
    skipping.skip();
    expect(skipping.int32()).toBe(0x2a);
  });

  test.each<[number[], string]>([
    [[0x0f], 'proto: illegal wireType 7'],
    [[0x09, 1], 'unexpected EOF'],
    [[0x0a, 2, 1], 'unexpected EOF'],
    [[0x0b, 0x08, 1], 'unexpected EOF'],
  ])('rejects %j', (bytes, message) => {
    const skipping = reader(...bytes);
    skipping.tag('Pod');
    expect(() => skipping.skip()).toThrow(new ProtobufError(message));
  });
});
