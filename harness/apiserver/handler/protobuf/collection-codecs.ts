import { type Codec, expectWireType } from './codec.ts';
import { messageCodec } from './message-codec.ts';
import { type ScalarCodec, scalarCodecs } from './scalar-codecs.ts';
import { WIRE } from './wire.ts';

/** Returns the codec of a list: the field occurs once per item. */
export function listCodec(item: Codec): Codec {
  return {
    read: (reader, before, field) => {
      const list = (before ?? []) as unknown[];
      list.push(item.read(reader, undefined, field));
      return list;
    },
    write: (writer, number, value) => {
      for (const each of [...((value ?? []) as unknown[])].reverse()) item.write(writer, number, each);
    },
  };
}

/** Returns the codec of a list of numbers or booleans, whose items may also be packed into one field. */
export function numbersCodec(item: ScalarCodec): Codec {
  const oneByOne = listCodec(item);
  return {
    ...oneByOne,
    read: (reader, before, field) => {
      if (reader.wireType !== WIRE.length) return oneByOne.read(reader, before, field);
      const list = (before ?? []) as unknown[];
      reader.within(() => {
        while (reader.more) list.push(item.readItem(reader));
      });
      return list;
    },
  };
}

/**
 * Returns the codec of a map with string keys: the field occurs once per key, as a message of the key and its value.
 */
export function mapCodec(value: Codec): Codec {
  const entry = messageCodec('Entry', () => [
    { number: 1, property: 'key', name: 'Key', codec: scalarCodecs.string },
    { number: 2, property: 'value', name: 'Value', codec: value },
  ]);
  return {
    read: (reader, before, field) => {
      expectWireType(reader, WIRE.length, field);
      const map = (before ?? {}) as Record<string, unknown>;
      const { key = '', value: item = null } = entry.read(reader, undefined, field) as Entry;
      // Assignment would lose the key "__proto__".
      Object.defineProperty(map, key, { value: item, enumerable: true, configurable: true, writable: true });
      return map;
    },
    write: (writer, number, map) => {
      const entries = Object.entries((map ?? {}) as Record<string, unknown>);
      for (const [key, item] of entries.sort(([a], [b]) => Buffer.compare(Buffer.from(b), Buffer.from(a)))) {
        entry.write(writer, number, { key, value: item });
      }
    },
  };
}

interface Entry {
  readonly key?: string;
  readonly value?: unknown;
}
