import { ProtobufError } from './protobuf-error.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** Reads and writes the values of one Go type: what JSON has on the one side, a field of a message on the other. */
export interface Codec {
  /**
   * Reads one occurrence of a field, whose tag has been read.
   *
   * @param before - what the occurrences before have given; undefined at the first. Numbers and texts take its place,
   *   lists and maps grow, messages are merged.
   * @param field - its name, for what is told of a value of another type
   * @throws ProtobufError
   */
  read(reader: Reader, before: unknown, field: string): unknown;

  /**
   * Writes the field. What is undefined or null is written as the zero of the type, or not at all where Go has a
   * pointer, a list or a map.
   *
   * @throws ProtobufError for a value that has no bytes
   */
  write(writer: Writer, number: number, value: unknown): void;
}

/** @throws ProtobufError when the field at hand is of another type on the wire */
export function expectWireType(reader: Reader, wireType: number, field: string): void {
  if (reader.wireType === wireType) return;
  throw new ProtobufError(`proto: wrong wireType = ${reader.wireType} for field ${field}`);
}

/** Of another codec, with other values in JSON. */
export function converted<T>(
  codec: Codec,
  { read, write }: { read(value: T): unknown; write(value: unknown): T },
): Codec {
  return {
    read: (reader, _, field) => read(codec.read(reader, undefined, field) as T),
    write: (writer, number, value) => codec.write(writer, number, write(value)),
  };
}

/** Of a pointer: absent is nil. */
export function pointerCodec(target: Codec): Codec {
  return {
    read: target.read,
    write: (writer, number, value) => {
      if (value !== undefined && value !== null) target.write(writer, number, value);
    },
  };
}
