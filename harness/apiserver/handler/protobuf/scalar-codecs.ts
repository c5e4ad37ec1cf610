import { type Codec, converted, expectWireType, pointerCodec } from './codec.ts';
import type { Reader } from './reader.ts';
import { WIRE } from './wire.ts';
import type { Writer } from './writer.ts';

/** A value whose bytes say where they end, if one knows how to read them. */
export interface ScalarCodec extends Codec {
  readonly wireType: number;
  /** What it is unless something else is said. Go writes it, too, where it has no pointer. */
  readonly zero: unknown;
  /** Reads a value whose tag has been read, or that needs none. @throws ProtobufError */
  readItem(reader: Reader): unknown;
}

function scalarCodec<T>(
  wireType: number,
  readItem: (reader: Reader) => T,
  writeItem: (writer: Writer, value: T) => void,
  zero: T,
): ScalarCodec {
  return {
    wireType,
    zero,
    readItem,
    read: (reader, _, field) => {
      expectWireType(reader, wireType, field);
      return readItem(reader);
    },
    write: (writer, number, value) => {
      writeItem(writer, (value ?? zero) as T);
      writer.tag(number, wireType);
    },
  };
}

const writeVarint = (writer: Writer, value: number): void => writer.varint(value);

/** Texts and numbers, by their types in Go. */
export const scalarCodecs = {
  string: scalarCodec(
    WIRE.length,
    (reader) => reader.string(),
    (writer, text: string) => writer.string(text),
    '',
  ),
  bool: scalarCodec(
    WIRE.varint,
    (reader) => reader.bool(),
    (writer, value: boolean) => writer.varint(value ? 1 : 0),
    false,
  ),
  int32: scalarCodec(WIRE.varint, (reader) => reader.int32(), writeVarint, 0),
  int64: scalarCodec(WIRE.varint, (reader) => reader.int64(), writeVarint, 0),
  float64: scalarCodec(
    WIRE.fixed64,
    (reader) => reader.double(),
    (writer, value: number) => writer.double(value),
    0,
  ),
} as const satisfies Readonly<Record<string, ScalarCodec>>;

/** Bytes as they are: a view of what is read. Nil is left out, as of a pointer. */
export const viewCodec: Codec = pointerCodec(
  scalarCodec(
    WIRE.length,
    (reader): Uint8Array => reader.bytes(),
    (writer, bytes) => writer.bytes(bytes),
    new Uint8Array(),
  ),
);

/** Bytes, which JSON has in base64. */
export const bytesCodec: Codec = converted<Uint8Array | null>(viewCodec, {
  read: (bytes) => Buffer.from(bytes ?? []).toString('base64'),
  write: (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : null),
});
