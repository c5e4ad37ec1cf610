import fc from 'fast-check';
import { formatDuration } from '../../../api/duration.ts';
import { apiTypes, type Field, type Struct } from '../../../api/table/table.ts';
import { unmarshal } from '../../schema/unmarshal.ts';

/** The structs of all kinds that have a protobuf encoding. */
export const kinds: readonly Struct[] = Object.entries(apiTypes.table.packages).flatMap(
  ([home, { kinds = {} }]) =>
    Object.keys(kinds).flatMap((kind) => {
      const struct = apiTypes.struct(`${home}.${kind}`);
      // The server never encodes a Table in protobuf.
      return struct === undefined || kind === 'Table' ? [] : [struct];
    }),
);

/**
 * Generates decoded objects of this struct. Lists and maps are never empty, because protobuf does not distinguish an
 * empty one from none.
 */
export function anyObject(struct: Struct): fc.Arbitrary<Record<string, unknown>> {
  return anyStruct(struct, DEPTH).map((object) => unmarshal(struct, object).object);
}

const DEPTH = 7;

function anyStruct(struct: Struct, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const fields = [...fieldsOf(struct)];
  if (depth === 0 || fields.length === 0) return fc.constant({});
  return fc
    .subarray(fields, { maxLength: Math.min(6, fields.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map(({ name, type }) => [name, anyValue(type, depth - 1)]))),
    );
}

/** The envelope carries the kind and the apiVersion of an object. */
function fieldsOf(struct: Struct | undefined): readonly Field[] {
  const inProtobuf = struct?.fields.filter(({ protobuf }) => protobuf !== undefined) ?? [];
  return inProtobuf.flatMap((field) => (field.embedded ? fieldsOf(apiTypes.struct(field.type)) : [field]));
}

function anyValue(type: string, depth: number): fc.Arbitrary<unknown> {
  const known = values[type];
  if (known !== undefined) return known;
  if (type.startsWith('*')) return anyValue(type.slice(1), depth);
  const struct = apiTypes.struct(type);
  if (struct !== undefined) return anyStruct(struct, depth);
  const named = apiTypes.named(type);
  if (named !== undefined) return anyValue(named.underlying, depth);
  if (type.startsWith('[]')) {
    return fc.array(anyValue(type.slice('[]'.length), depth), { minLength: 1, maxLength: 2 });
  }
  return fc.dictionary(fc.string(), anyValue(type.slice('map[string]'.length), depth), {
    minKeys: 1,
    maxKeys: 2,
  });
}

/** A JSON value, which does not distinguish 0 from -0. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const schema = fc.record({ type: fc.constant('string') });

const seconds = fc.integer({ min: -62_135_596_799, max: 253_402_300_799 });

const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.string({ unit: 'grapheme' }),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-(2 ** 63), 2 ** 62)),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  '[]uint8': fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  'resource.Quantity': fc.constantFrom('0', '100m', '1536Mi', '-2k', '1e3'),
  'intstr.IntOrString': fc.oneof(fc.integer(), fc.string()),
  'meta/v1.Time': seconds.map((at) => `${new Date(at * 1000).toISOString().slice(0, 19)}Z`),
  'meta/v1.MicroTime': fc
    .tuple(seconds, fc.nat(999_999))
    .map(
      ([at, micros]) =>
        `${new Date(at * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`,
    ),
  'meta/v1.Duration': fc.nat(2 ** 31).map(formatDuration),
  'meta/v1.FieldsV1': json,
  'runtime.RawExtension': json,
  'apiextensions/v1.JSON': json,
  'apiextensions/v1.JSONSchemaPropsOrArray': fc.oneof(
    schema,
    fc.array(schema, { minLength: 1, maxLength: 2 }),
  ),
  'apiextensions/v1.JSONSchemaPropsOrBool': fc.oneof(schema, fc.boolean()),
  'apiextensions/v1.JSONSchemaPropsOrStringArray': fc.oneof(
    schema,
    fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
  ),
};
