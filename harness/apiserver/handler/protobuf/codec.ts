import { ProtobufError } from './protobuf-error.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** Reads and writes the values of one Go type: a JSON value on one side, a message field on the other. */
export interface Codec {
  /**
   * Reads one occurrence of a field, after its tag.
   *
   * @param before - the value of the previous occurrences; undefined at the first. Scalars replace it, lists and maps
   *   grow, and messages merge.
   * @param field - the name of the field, for an error about a wrong type
   * @throws ProtobufError
   */
  read(reader: Reader, before: unknown, field: string): unknown;

  /**
   * Writes the field. For undefined or null it writes the zero value of the type, or nothing if Go has a pointer, a
   * list or a map.
   *
   * @throws ProtobufError for a value that cannot be encoded
   */
  write(writer: Writer, number: number, value: unknown): void;
}

/** @throws ProtobufError when the current field has another wire type */
export function expectWireType(reader: Reader, wireType: number, field: string): void {
  if (reader.wireType === wireType) return;
  throw new ProtobufError(`proto: wrong wireType = ${reader.wireType} for field ${field}`);
}

/** Returns a codec that converts the values of another codec. */
export function converted<T>(
  codec: Codec,
  { read, write }: { read(value: T): unknown; write(value: unknown): T },
): Codec {
  return {
    read: (reader, _, field) => read(codec.read(reader, undefined, field) as T),
    write: (writer, number, value) => codec.write(writer, number, write(value)),
  };
}

/** Returns the codec of a pointer: an absent field is nil. */
export function pointerCodec(target: Codec): Codec {
  return {
    read: target.read,
    write: (writer, number, value) => {
      if (value !== undefined && value !== null) target.write(writer, number, value);
    },
  };
}
