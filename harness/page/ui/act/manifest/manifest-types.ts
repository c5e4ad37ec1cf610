import { apiTypes, type Field, type Struct } from '../../../../api/table/table.ts';
import { fieldsOff, gatesOff } from '../../../../apiserver/schema/feature-gates.ts';
import type { PathStep } from './manifest-lines.ts';

/** The kinds that a client may create: kind and apiVersion. */
export interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
}

/** All kinds of the API table that are resources, the stable ones first. */
export const kinds: readonly Kind[] = Object.values(apiTypes.table.packages)
  .flatMap(({ apiVersion = '', kinds: own = {} }) =>
    Object.entries(own).flatMap(([kind, scope]) => (scope === '' ? [] : [{ kind, apiVersion }])),
  )
  .sort((a, b) => Number(isBeta(a)) - Number(isBeta(b)) || (a.kind < b.kind ? -1 : 1));

/**
 * Returns the type at a path of an object, in the words of the table: `*int32`, `[]core/v1.Container`. Undefined if the
 * kind or a step is unknown.
 */
export function typeAt({ kind, apiVersion }: Kind, path: readonly PathStep[]): string | undefined {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  let type = apiTypes.kind({ group, version, kind })?.name;
  for (const step of path) {
    if (type === undefined) return undefined;
    const plain: string = underlying(type);
    if (typeof step === 'number') type = plain.startsWith('[]') ? plain.slice('[]'.length) : undefined;
    else if (plain.startsWith(MAP)) type = plain.slice(MAP.length);
    else type = apiTypes.struct(plain)?.properties.get(step)?.type;
  }
  return type;
}

const MAP = 'map[string]';

/** Returns the type without pointers and names of other types. A struct and a type that decodes itself keep their name. */
export function underlying(type: string): string {
  const plain = type.replace(/^\*/, '');
  const named = apiTypes.named(plain);
  return named && named.underlying !== 'custom' ? underlying(named.underlying) : plain;
}

/** Returns the struct of a type, or of its items. */
export function structOf(type: string): Struct | undefined {
  return apiTypes.struct(underlying(type).replace(/^\[\]/, ''));
}

/** Returns the allowed values; undefined if there are too many to list. */
export function valuesOf(type: string): readonly string[] | undefined {
  const plain = type.replace(/^\*/, '');
  return apiTypes.named(plain)?.enum ?? (underlying(plain) === 'bool' ? ['true', 'false'] : undefined);
}

/** Returns the fields that a client may set. */
export function fieldsOf(struct: Struct): readonly Field[] {
  return [...struct.properties.values()].filter(
    ({ name, gate }) =>
      !(gate !== undefined && gatesOff.has(gate)) &&
      !fieldsOff.has(`${struct.name}.${name}`) &&
      !(struct.name === 'meta/v1.ObjectMeta' && serverFields.has(name)),
  );
}

/** The metadata that only the server writes. */
const serverFields: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Names a type as the documentation does: `list of Container`, `map of Quantity`, `integer`. */
export function sayType(type: string): string {
  const plain = type.replace(/^\*/, '');
  if (plain === '[]uint8') return 'base64';
  if (plain.startsWith('[]')) return `list of ${sayType(plain.slice('[]'.length))}`;
  if (plain.startsWith(MAP)) return `map of ${sayType(plain.slice(MAP.length))}`;
  return basics[plain] ?? plain.slice(plain.lastIndexOf('.') + 1);
}

const basics: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
  float64: 'number',
  any: 'any value',
};

function isBeta({ apiVersion }: Kind): boolean {
  return /(alpha|beta)\d+$/.test(apiVersion);
}
