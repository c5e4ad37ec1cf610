import { referredBy, type Schema } from './schema.ts';

/**
 * Returns the violations of a schema in a value, each with its path. An unknown field is a violation: OpenAPI allows
 * it, but the apiserver's strict decoding does not.
 */
export function violationsOf(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema,
  value: unknown,
  place = '',
): readonly string[] {
  const below = (part: Schema, item: unknown, at: string) => violationsOf(schemas, part, item, at);
  const { $ref, allOf = [], oneOf, type, format, enum: values, required = [], items } = schema;
  const referred = $ref === undefined ? [] : [schemas[referredBy($ref)] ?? { enum: [] }];
  const inherited = [...referred, ...allOf].flatMap((part) => below(part, value, place));
  const own: string[] = [];
  if (oneOf && oneOf.filter((part) => below(part, value, place).length === 0).length !== 1) {
    own.push(`${place}: not one of ${oneOf.map((part) => part.type).join(', ')}`);
  }
  if (type !== undefined && !isOf(type, value)) return [...inherited, ...own, `${place}: no ${type}`];
  if (values && !values.includes(value as string)) own.push(`${place}: not among ${values.join(', ')}`);
  if (format === 'date-time' && Number.isNaN(Date.parse(String(value)))) own.push(`${place}: no time`);
  if (type === 'object' && (schema.properties || schema.additionalProperties)) {
    const object = value as Record<string, unknown>;
    own.push(...required.filter((name) => !(name in object)).map((name) => `${place}.${name}: is missing`));
    for (const [name, item] of Object.entries(object)) {
      // Null counts as absent, because Go prints a zero time as null.
      if (item === null) continue;
      const { additionalProperties } = schema;
      const part =
        schema.properties?.[name] ?? (additionalProperties === true ? undefined : additionalProperties);
      own.push(...(part ? below(part, item, `${place}.${name}`) : [`${place}.${name}: is unknown`]));
    }
  }
  if (items) own.push(...(value as unknown[]).flatMap((item, at) => below(items, item, `${place}[${at}]`)));
  return [...inherited, ...own];
}

function isOf(type: NonNullable<Schema['type']>, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
