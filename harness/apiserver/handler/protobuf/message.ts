import type { Struct } from '../../../api/table/table.ts';
import { codecOfStruct } from './codec-of.ts';
import { Reader } from './reader.ts';
import { Writer } from './writer.ts';

/**
 * Reads a message as a struct of the API table. Returns the value of the object's JSON; decoding later adds the absent
 * fields that JSON prints. Skips unknown fields silently.
 *
 * @throws ProtobufError, QuantityError
 */
export function readMessage(struct: Struct, bytes: Uint8Array): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  codecOfStruct(struct).readInto(new Reader(bytes), object);
  return object;
}

/** Writes a decoded object as the message of a struct of the API table: the same bytes that Go writes. */
export function writeMessage(struct: Struct, object: Readonly<Record<string, unknown>>): Uint8Array {
  const writer = new Writer();
  codecOfStruct(struct).writeFields(writer, object);
  return writer.finish();
}
