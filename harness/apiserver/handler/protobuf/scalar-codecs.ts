import { type Codec, converted, expectWireType, pointerCodec } from './codec.ts';
import type { Reader } from './reader.ts';
import { WIRE } from './wire.ts';
import type { Writer } from './writer.ts';

/** The codec of a value whose end is known from its type or a length, without a tag. */
export interface ScalarCodec extends Codec {
  readonly wireType: number;
  /** The default value. Go also writes it, unless the field is a pointer. */
  readonly zero: unknown;
  /** Reads a value after its tag, or a packed value without a tag. @throws ProtobufError */
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

/** Codecs of strings, booleans and numbers, by their Go types. */
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

/** The codec of raw bytes: it returns a view. Omits nil, like a pointer. */
export const viewCodec: Codec = pointerCodec(
  scalarCodec(
    WIRE.length,
    (reader): Uint8Array => reader.bytes(),
    (writer, bytes) => writer.bytes(bytes),
    new Uint8Array(),
  ),
);

/** The codec of bytes that JSON has in base64. */
export const bytesCodec: Codec = converted<Uint8Array | null>(viewCodec, {
  read: (bytes) => Buffer.from(bytes ?? []).toString('base64'),
  write: (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : null),
});
