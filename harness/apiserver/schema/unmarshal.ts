import { deepFreeze } from '../../api/freeze.ts';
import { apiTypes, type Field, type Struct } from '../../api/table/table.ts';
import type { Decoder } from './decoder.ts';
import { fieldsOff, gatesOff } from './feature-gates.ts';
import { bytesDecoder, doubleDecoder, integerDecoder, primitiveDecoder } from './scalar.ts';
import {
  durationDecoder,
  intOrStringDecoder,
  microTimeDecoder,
  quantityDecoder,
  rawDecoder,
  timeDecoder,
} from './special.ts';
import { UnmarshalError, Walk } from './walk.ts';
import { jsonWording, type Wording } from './wording.ts';

export { UnmarshalError } from './walk.ts';

/** Options of {@link unmarshal}. */
export interface UnmarshalOptions {
  /**
   * Reports whether the server created this object for this place. Such an object is used without a check, so that an
   * update costs only as much as its changes.
   *
   * @defaultValue nothing is trusted
   */
  readonly isTrusted?: ((value: object) => boolean) | undefined;
  /** @defaultValue jsonWording */
  readonly wording?: Wording;
}

/** The result of decoding a value. */
export interface Unmarshalled {
  /** A new object, except for its trusted parts. */
  readonly object: Record<string, unknown>;
  /** The paths of the dropped fields. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes `value` as a struct of the API table. Does not change the value, and shares only trusted parts with the
 * result.
 *
 * Converts plain JSON to the JSON that Go would print after decoding it into the apiserver's structs. Drops and reports
 * unknown fields, and rejects values of a wrong type. Omits empty values if the field says so (`labels: {}`, `paused:
 * false`, `command: []`), and adds absent values otherwise (`resources: {}`, `status: {}`, `lastProbeTime: null`). So
 * two objects that Go cannot distinguish become equal. Validation later checks required fields and the meaning of
 * values.
 *
 * Upstream: kubernetes-sigs/json, as kubernetes/apimachinery@v0.36.3 pins it, json.go UnmarshalStrict, and
 * encoding/json's `omitempty` and `omitzero` in Go's standard library
 *
 * Differs: fields keep the client's order, and added fields come last; Go prints them in the order of the struct.
 * Numbers are those of JSON.parse: 1.0 counts as an integer, and int64 is exact only up to 2^53.
 *
 * @param struct - the qualified name: `apps/v1.Deployment`
 * @throws UnmarshalError, QuantityError or TimeError when a value does not fit its type, in upstream's words
 * @throws TypeError when the value contains a part that JSON does not have
 */
export function unmarshal(struct: Struct, value: object, options: UnmarshalOptions = {}): Unmarshalled {
  const wording = options.wording ?? jsonWording;
  const walk = new Walk(wording, options.isTrusted ?? trustNothing);
  const object = decoderOf(struct.name).decode(value, walk) as Record<string, unknown>;
  walk.finish();
  return { object, unknownFields: wording.order(walk.unknownFields) };
}

const trustNothing = (): boolean => false;

const decoders = new Map<string, Decoder>([
  ['string', primitiveDecoder('string', 'string')],
  ['bool', primitiveDecoder('bool', 'bool')],
  ['int32', integerDecoder('int32')],
  ['int64', integerDecoder('int64')],
  ['float64', doubleDecoder],
  ['[]uint8', bytesDecoder],
  ['any', rawDecoder],
  ['resource.Quantity', quantityDecoder],
  ['intstr.IntOrString', intOrStringDecoder],
  ['meta/v1.Time', timeDecoder],
  ['meta/v1.MicroTime', microTimeDecoder],
  ['meta/v1.Duration', durationDecoder],
  ['meta/v1.FieldsV1', rawDecoder],
  ['runtime.RawExtension', rawDecoder],
  ['apiextensions/v1.JSON', rawDecoder],
  ['apiextensions/v1.JSONSchemaPropsOrArray', jsonSchemaOr('[]apiextensions/v1.JSONSchemaProps')],
  ['apiextensions/v1.JSONSchemaPropsOrBool', { ...jsonSchemaOr(), plain: 'boolean' }],
  ['apiextensions/v1.JSONSchemaPropsOrStringArray', jsonSchemaOr('[]string')],
]);

/**
 * Returns the decoder of a JSON schema or an alternative list. If a list is allowed, any other value becomes null.
 * Unknown fields in a schema are not reported.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/marshal.go UnmarshalJSON
 */
function jsonSchemaOr(list?: string): Decoder {
  const inner = (type: string, value: object, walk: Walk): unknown => {
    const ownWalk = new Walk(walk.wording, walk.isTrusted);
    const decoded = decoderOf(type).decode(value, ownWalk);
    ownWalk.finish();
    return decoded;
  };
  return {
    zero: () => null,
    decode(value, walk) {
      if (Array.isArray(value) && list) return value.length > 0 ? inner(list, value, walk) : null;
      if (typeof value === 'object' && !Array.isArray(value)) {
        return inner('apiextensions/v1.JSONSchemaProps', value, walk);
      }
      if (list) return null;
      throw new UnmarshalError('boolean or JSON schema expected');
    },
  };
}

/** Returns the decoder of a type. Builds it on first use and caches it. */
function decoderOf(type: string): Decoder {
  let decoder = decoders.get(type);
  if (decoder === undefined) {
    decoder = compile(type);
    decoders.set(type, decoder);
  }
  return decoder;
}

function compile(type: string): Decoder {
  if (type.startsWith('*')) return pointerDecoder(decoderOf(type.slice(1)));
  const struct = apiTypes.struct(type);
  if (struct !== undefined) return structDecoder(struct);
  const underlying = apiTypes.named(type)?.underlying ?? type;
  if (underlying === 'string') return primitiveDecoder(goName(type), 'string');
  if (underlying.startsWith('[]'))
    return sliceDecoder(goName(type), decoderOf(underlying.slice('[]'.length)));
  if (underlying.startsWith('map[string]')) {
    return mapDecoder(goName(type), decoderOf(underlying.slice('map[string]'.length)));
  }
  throw new Error(`Failed to decode ${type}: there is no decoder for it.`);
}

/** Returns the Go name of a type, with the last part of its package path: `[]v1.Container`. */
function goName(type: string): string {
  return type.replace(/[a-z]+\/(?=\w+\.)/g, '').replace('*', '');
}

/** Returns the decoder of a pointer: only an absent value is nil. */
function pointerDecoder(target: Decoder): Decoder {
  return { ...target, zero: () => null, isEmpty: undefined };
}

/** A field of a struct and its rules for omission. */
interface Property {
  readonly decoder: Decoder;
  /** Reports whether the decoded value is omitted. Undefined if no value is. */
  readonly isLeftOut: ((value: unknown) => boolean) | undefined;
}

function propertyOf(struct: Struct, { name, type, omit, gate }: Field): Property {
  const decoder = decoderOf(type);
  const isOff = (gate !== undefined && gatesOff.has(gate)) || fieldsOff.has(`${struct.name}.${name}`);
  if (isOff) return { decoder, isLeftOut: () => true };
  return { decoder, isLeftOut: omit === 'never' ? undefined : decoder.isEmpty };
}

function structDecoder(struct: Struct): Decoder {
  const name = goName(struct.name);
  const inner = name.slice(name.lastIndexOf('.') + 1);
  const properties = new Map<string, Property>();
  const propertyFor = (key: string): Property | undefined => {
    let property = properties.get(key);
    const field = property === undefined ? struct.properties.get(key) : undefined;
    if (field !== undefined) {
      property = propertyOf(struct, field);
      properties.set(key, property);
    }
    return property;
  };
  /** The fields that are printed even if they are absent. Their zero values are frozen and shared. */
  let printed: readonly (readonly [name: string, zero: unknown])[] | undefined;
  const complete = (result: Record<string, unknown>): Record<string, unknown> => {
    printed ??= [...struct.properties.values()]
      .filter(isPrintedWhenAbsent)
      .map((field) => [field.name, deepFreeze(decoderOf(field.type).zero())]);
    for (const [key, zero] of printed) if (!Object.hasOwn(result, key)) result[key] = zero;
    return result;
  };
  return {
    zero: () => complete({}),
    decode(value, walk) {
      if (typeof value !== 'object' || Array.isArray(value)) return walk.mismatch(value, name, 'struct');
      if (walk.isTrusted(value)) return value;
      const source = value as Record<string, unknown>;
      const result: Record<string, unknown> = {};
      const outer = walk.struct;
      walk.struct = inner;
      for (const key of Object.keys(source)) {
        const item = source[key];
        const property = propertyFor(key);
        if (property === undefined) {
          if (item !== undefined) walk.unknownField(key);
          continue;
        }
        const { decoder, isLeftOut } = property;
        let decoded = item;
        if (typeof item !== decoder.plain) {
          if (item === null || item === undefined) continue;
          walk.path.push(key);
          decoded = decoder.decode(item, walk);
          walk.path.pop();
        }
        if (!isLeftOut?.(decoded)) result[key] = decoded;
      }
      walk.struct = outer;
      return complete(result);
    },
  };
}

/** Go never considers a struct empty, and never omits a field without an omission rule. */
function isPrintedWhenAbsent({ type, omit }: Field): boolean {
  return (
    omit === 'never' || (omit === 'empty' && decoderOf(type).isEmpty === undefined && !type.startsWith('*'))
  );
}

function sliceDecoder(type: string, element: Decoder): Decoder {
  return {
    zero: () => null,
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
    decode(value, walk) {
      if (!Array.isArray(value)) return walk.mismatch(value, type, 'slice');
      if (walk.isTrusted(value)) return value;
      const result: unknown[] = new Array(value.length);
      for (let index = 0; index < value.length; index++) {
        const item: unknown = value[index];
        walk.path.push(index);
        result[index] = item === null || item === undefined ? element.zero() : element.decode(item, walk);
        walk.path.pop();
      }
      return result;
    },
  };
}

function mapDecoder(type: string, element: Decoder): Decoder {
  return {
    zero: () => null,
    isEmpty: (value) => typeof value === 'object' && value !== null && isEmptyObject(value),
    decode(value, walk) {
      if (typeof value !== 'object' || Array.isArray(value)) return walk.mismatch(value, type, 'map');
      if (walk.isTrusted(value)) return value;
      const source = value as Record<string, unknown>;
      // A copy keeps a key such as "__proto__", unlike an assignment.
      const result = { ...source };
      for (const key of Object.keys(source)) {
        const item = source[key];
        if (typeof item === element.plain) continue;
        if (item === undefined) {
          delete result[key];
          continue;
        }
        walk.path.push({ key });
        const decoded = item === null ? element.zero() : element.decode(item, walk);
        walk.path.pop();
        if (decoded !== item) {
          Object.defineProperty(result, key, {
            value: decoded,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
      }
      return result;
    },
  };
}

function isEmptyObject(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
