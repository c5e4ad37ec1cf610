import { type Codec, converted, pointerCodec } from './codec.ts';
import { listCodec } from './collection-codecs.ts';
import { type MessageField, messageCodec } from './message-codec.ts';
import { scalarCodecs } from './scalar-codecs.ts';

/**
 * Returns codecs for the places in a JSON schema that hold a schema or an alternative. JSON has one or the other; the
 * message has a field for each.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/{types_jsonschema,marshal}.go
 * JSONSchemaPropsOrArray, JSONSchemaPropsOrBool, JSONSchemaPropsOrStringArray
 *
 * @param schema - returns the codec of a schema, which contains these codecs
 * @returns codecs by the names of their Go types
 */
export function schemaCodecs(schema: () => Codec): readonly (readonly [type: string, codec: Codec])[] {
  const schemaField = (number: number): MessageField => ({
    ...{ number, property: 'schema', name: 'Schema' },
    codec: pointerCodec(schema()),
  });
  const orArray = messageCodec('JSONSchemaPropsOrArray', () => [
    schemaField(1),
    { number: 2, property: 'list', name: 'JSONSchemas', codec: listCodec(schema()) },
  ]);
  const orBool = messageCodec('JSONSchemaPropsOrBool', () => [
    { number: 1, property: 'allows', name: 'Allows', codec: scalarCodecs.bool },
    schemaField(2),
  ]);
  const orStringArray = messageCodec('JSONSchemaPropsOrStringArray', () => [
    schemaField(1),
    { number: 2, property: 'list', name: 'Property', codec: listCodec(scalarCodecs.string) },
  ]);
  return [
    ['apiextensions/v1.JSONSchemaPropsOrArray', converted(orArray, schemaOrList)],
    ['apiextensions/v1.JSONSchemaPropsOrBool', converted(orBool, schemaOrBool)],
    ['apiextensions/v1.JSONSchemaPropsOrStringArray', converted(orStringArray, schemaOrList)],
  ];
}

const schemaOrList = {
  read: ({ list, schema = null }: { list?: unknown; schema?: unknown }) => list ?? schema,
  write: (value: unknown) => (Array.isArray(value) ? { list: value } : { schema: value }),
};

const schemaOrBool = {
  read: ({ allows = false, schema = allows }: { allows?: boolean; schema?: unknown }) => schema,
  write: (value: unknown) =>
    typeof value === 'object' && value !== null
      ? { allows: true, schema: value }
      : { allows: value === true },
};
