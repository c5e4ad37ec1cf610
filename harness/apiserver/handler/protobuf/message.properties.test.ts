import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuantityError } from '../../../api/quantity.ts';
import { deployments, pods } from '../../../api/resource.ts';
import { StatusError } from '../../../api/status.ts';
import { decode, type Expected } from '../../decode.ts';
import { unmarshal } from '../../schema/unmarshal.ts';
import { parseProtobuf } from '../protobuf-body.ts';
import { anyObject, kinds } from './any-object.fixture.ts';
import { sealEnvelope } from './envelope.ts';
import { kubectlBodies } from './kubectl-bodies.fixture.ts';
import { readMessage, writeMessage } from './message.ts';
import { ProtobufError } from './protobuf-error.ts';

describe('Faithful', () => {
  test('an object of any kind survives writing and reading', () => {
    for (const struct of kinds) {
      fc.assert(
        fc.property(anyObject(struct), (object) => {
          const bytes = writeMessage(struct, object);
          const read = unmarshal(struct, readMessage(struct, bytes));
          expect(read).toEqual({ object, unknownFields: [] });
          expect(Buffer.compare(writeMessage(struct, read.object), bytes)).toBe(0);
        }),
        { numRuns: 6 },
      );
    }
  });
});

describe('Robust', () => {
  /** Bytes with some of them replaced, removed or inserted. */
  const mangled = (bytes: Uint8Array) =>
    fc
      .array(
        fc.record({ at: fc.nat(bytes.length), gone: fc.nat(3), instead: fc.uint8Array({ maxLength: 3 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((edits) =>
        edits.reduce(
          (edited, { at, gone, instead }) =>
            Buffer.concat([edited.subarray(0, at), instead, edited.subarray(at + gone)]),
          Buffer.from(bytes),
        ),
      );

  test('arbitrary bytes are read and decoded, or rejected', () => {
    const expected = fc.constantFrom<Expected<unknown>>(pods, deployments);
    const bodies = fc.oneof(
      fc.constantFrom(...kubectlBodies).chain(({ bytes }) => mangled(Buffer.from(bytes, 'base64'))),
      fc.uint8Array().map((raw) => sealEnvelope({ apiVersion: 'v1', kind: 'Pod', raw })),
      fc.uint8Array(),
    );
    const seen = { read: 0, refused: 0 };
    const { numRuns = 100 } = fc.readConfigureGlobal();
    fc.assert(
      fc.property(bodies, expected, (bytes, kind) => {
        try {
          decode(kind, parseProtobuf(bytes, kind), { fieldValidation: 'Strict' });
          seen.read++;
        } catch (error) {
          if (!(error instanceof ProtobufError || (error instanceof StatusError && error.code === 400)))
            throw error;
          seen.refused++;
        }
      }),
      { numRuns: 20 * numRuns },
    );
    expect(seen.read).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(numRuns);
  });

  test('a mangled object of any kind is read or rejected', () => {
    for (const struct of kinds) {
      const bytes = anyObject(struct).chain((object) => mangled(writeMessage(struct, object)));
      fc.assert(
        fc.property(bytes, (message) => {
          try {
            JSON.stringify(readMessage(struct, message));
          } catch (error) {
            if (!(error instanceof ProtobufError || error instanceof QuantityError)) throw error;
          }
        }),
        { numRuns: 6 },
      );
    }
  });
});
