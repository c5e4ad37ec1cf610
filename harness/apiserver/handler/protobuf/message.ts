import type { Struct } from '../../../api/table/table.ts';
import { codecOfStruct } from './codec-of.ts';
import { Reader } from './reader.ts';
import { Writer } from './writer.ts';

/**
 * Reads a message as a struct of the table of the API. What comes out is what the object's JSON would say; what is
 * absent and yet printed, decoding adds. Unknown fields are passed over without a word.
 *
 * @throws ProtobufError, QuantityError
 */
export function readMessage(struct: Struct, bytes: Uint8Array): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  codecOfStruct(struct).readInto(new Reader(bytes), object);
  return object;
}

/**
 * Writes an object, of the shape that decoding has given it, as the message of a struct of the table of the API: the
 * very bytes that Go writes.
 */
export function writeMessage(struct: Struct, object: Readonly<Record<string, unknown>>): Uint8Array {
  const writer = new Writer();
  codecOfStruct(struct).writeFields(writer, object);
  return writer.finish();
}
