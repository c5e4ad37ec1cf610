import { type Codec, expectWireType } from './codec.ts';
import type { Reader } from './reader.ts';
import { WIRE } from './wire.ts';
import type { Writer } from './writer.ts';

/** A field of a message. */
export interface MessageField {
  readonly number: number;
  /** The name of the JSON property. Undefined for an embedded struct: JSON has its fields in its place. */
  readonly property: string | undefined;
  /** The Go name of the field, for an error about a wrong type. */
  readonly name: string;
  readonly codec: Codec;
  /** The value that JSON omits. @defaultValue none */
  readonly leftOut?: unknown;
}

/** The codec of a message, which is an object in JSON. */
export interface MessageCodec extends Codec {
  /** Reads fields up to the end of the current message into `object`. @throws ProtobufError */
  readInto(reader: Reader, object: Record<string, unknown>): void;
  /** Writes the fields. @throws ProtobufError */
  writeFields(writer: Writer, object: Readonly<Record<string, unknown>>): void;
}

/**
 * Returns the codec of the messages of one Go struct. It skips unknown fields.
 *
 * @param name - the name of the struct, without its package
 * @param list - returns the fields; called on first use, because a struct can contain itself
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go ObjectMeta.Unmarshal, MarshalToSizedBuffer
 */
export function messageCodec(name: string, list: () => readonly MessageField[]): MessageCodec {
  let byNumber: ReadonlyMap<number, MessageField> | undefined;
  let backwards: readonly MessageField[] | undefined;

  const readInto = (reader: Reader, object: Record<string, unknown>): void => {
    byNumber ??= new Map(list().map((field) => [field.number, field]));
    while (reader.more) {
      const field = byNumber.get(reader.tag(name));
      if (field === undefined) {
        reader.skip();
        continue;
      }
      const { property, codec, name: told, leftOut } = field;
      const value = codec.read(reader, property === undefined ? object : object[property], told);
      if (property === undefined) continue;
      if (value === leftOut) delete object[property];
      else object[property] = value;
    }
  };

  const writeFields = (writer: Writer, object: Readonly<Record<string, unknown>>): void => {
    backwards ??= list().toSorted((a, b) => b.number - a.number);
    for (const { number, property, codec } of backwards) {
      codec.write(writer, number, property === undefined ? object : object[property]);
    }
  };

  return {
    readInto,
    writeFields,
    read: (reader, before, field) => {
      expectWireType(reader, WIRE.length, field);
      const object = (before ?? {}) as Record<string, unknown>;
      reader.within(() => readInto(reader, object));
      return object;
    },
    write: (writer, number, value) =>
      writer.within(number, () => writeFields(writer, (value ?? {}) as Readonly<Record<string, unknown>>)),
  };
}
