import { type Codec, expectWireType } from './codec.ts';
import type { Reader } from './reader.ts';
import { WIRE } from './wire.ts';
import type { Writer } from './writer.ts';

/** A field of a message. */
export interface MessageField {
  readonly number: number;
  /** Of an object in JSON. Undefined for an embedded struct: JSON has its fields in the place of its name. */
  readonly property: string | undefined;
  /** Its name in Go, for what is told of a value of another type. */
  readonly name: string;
  readonly codec: Codec;
  /** The value that JSON leaves out. @defaultValue none */
  readonly leftOut?: unknown;
}

/** A message: an object in JSON. */
export interface MessageCodec extends Codec {
  /** Reads fields up to the end of the message at hand into `object`. @throws ProtobufError */
  readInto(reader: Reader, object: Record<string, unknown>): void;
  /** Writes the fields. @throws ProtobufError */
  writeFields(writer: Writer, object: Readonly<Record<string, unknown>>): void;
}

/**
 * Reads and writes the messages of one Go struct. Fields that it does not have are passed over.
 *
 * @param name - of the struct, without its package
 * @param list - its fields: asked for when they are first needed, for a struct may contain itself
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
