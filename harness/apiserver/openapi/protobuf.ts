/** The protobuf form of a part of a JSON document: a string, a boolean, YAML in a separate message, or a message. */
type Type = 'text' | 'truth' | 'yaml' | Message;

/** A message, described by the fields for the entries of a JSON object. A list is a repeated field. */
export interface Message {
  /** Fields by key. */
  readonly fields?: Fields;
  /** The field for the entries of a map; each is a message of name and value. */
  readonly entries?: Place;
  /** The field for the extensions `x-…`; each is a message of name and value, too. */
  readonly extensions?: number;
  /** The field of the value in a message that only wraps it. */
  readonly wraps?: (value: object) => Place;
}

type Fields = Readonly<Record<string, Place>>;

/** The number of a field and its type, which is lazy for recursive types. */
type Place = readonly [number: number, type: Type | (() => Type)];

/**
 * Encodes a JSON value in protobuf.
 *
 * @throws Error when the message has no field for an entry
 */
export function encodeProtobuf(type: Type, value: unknown): Buffer {
  if (type === 'text') return Buffer.from(String(value));
  // JSON is YAML.
  if (type === 'yaml') return field([2, 'text'], JSON.stringify(value));
  if (type === 'truth') return Buffer.from([value === true ? 1 : 0]);
  const { fields = {}, entries, extensions, wraps } = type;
  if (wraps !== undefined) return repeated(wraps(value as object), value);
  return Buffer.concat(
    Object.entries(value as object).map(([key, item]) => {
      if (entries !== undefined) return named(entries, key, item);
      const place = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (place !== undefined) return repeated(place, item);
      if (extensions !== undefined && key.startsWith('x-')) return named([extensions, 'yaml'], key, item);
      throw new Error(`Failed to encode ${key}: its message has no such field.`);
    }),
  );
}

function repeated(place: Place, value: unknown): Buffer {
  return Array.isArray(value) ? Buffer.concat(value.map((each) => field(place, each))) : field(place, value);
}

/** Encodes a message of a name and a value. */
function named([number, type]: Place, name: string, value: unknown): Buffer {
  return delimited(number, Buffer.concat([field([1, 'text'], name), field([2, type], value)]));
}

function field([number, given]: Place, value: unknown): Buffer {
  const type = typeof given === 'function' ? given() : given;
  const bytes = encodeProtobuf(type, value);
  return type === 'truth' ? Buffer.concat([varint(number << 3), bytes]) : delimited(number, bytes);
}

const delimited = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}
