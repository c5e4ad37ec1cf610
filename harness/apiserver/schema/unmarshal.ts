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
import { Walk } from './walk.ts';
import { jsonWording, type Wording } from './wording.ts';

export { UnmarshalError } from './walk.ts';

/** How values are decoded. */
export interface UnmarshalOptions {
  /**
   * Is this object, at this place, one that the server made? It is taken as it is then and not looked into,
   * so that an update costs what has changed.
   *
   * @defaultValue nothing is trusted
   */
  readonly isTrusted?: ((value: object) => boolean) | undefined;
  /** @defaultValue jsonWording */
  readonly wording?: Wording;
}

/** What came out of a value. */
export interface Unmarshalled {
  /** A new object, apart from its trusted parts. */
  readonly object: Record<string, unknown>;
  /** The fields left out, by their paths. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes `value` as a struct of the table of the API. The value is not changed, and shares nothing with the result
 * but what is trusted.
 *
 * Plain JSON values become what Go's would be after they went into the apiserver's structs and were printed again.
 * What has no field is left out and reported, what has the wrong type is refused. What is empty is left out where
 * the field says so (`labels: {}`, `paused: false`, `command: []`); what is absent is written where it does not
 * (`resources: {}`, `status: {}`, `lastProbeTime: null`). So two objects that Go cannot tell apart are the same.
 * Whether a required field is there, or a value makes sense, is for validation.
 *
 * Upstream: kubernetes-sigs/json, as kubernetes/apimachinery@v0.36.3 pins it, json.go UnmarshalStrict, and
 * encoding/json's `omitempty` and `omitzero` in Go's standard library
 *
 * Differs: the fields stand in the order of the client, and what is added stands last; Go prints them in the order
 * of the struct. A number is what JSON.parse made of it: 1.0 passes for an integer, and int64 is exact up to 2^53
 * only.
 *
 * @param struct - qualified: `apps/v1.Deployment`
 * @throws UnmarshalError, QuantityError or TimeError when a value does not fit its type, in upstream's words
 * @throws TypeError when the value contains what JSON cannot
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
  ['apiextensions/v1.JSONSchemaPropsOrArray', rawDecoder],
  ['apiextensions/v1.JSONSchemaPropsOrBool', rawDecoder],
  ['apiextensions/v1.JSONSchemaPropsOrStringArray', rawDecoder],
]);

/** Decoders are made when they are first needed, and kept. */
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

/** A type as Go prints it, with the last part of its package's path: `[]v1.Container`. */
function goName(type: string): string {
  return type.replace(/[a-z]+\/(?=\w+\.)/g, '').replace('*', '');
}

/** Absent is nil, and nothing else is. */
function pointerDecoder(target: Decoder): Decoder {
  return { ...target, zero: () => null, isEmpty: undefined };
}

/** A field of a struct, with what is printed of it. */
interface Property {
  readonly decoder: Decoder;
  /** Is this decoded value left out? Undefined when none is. */
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
  /** What is printed even if it is absent. It is frozen, and shared by all. */
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

/** A struct is never empty to Go, and what does not say when it is left out never is. */
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
      // A copy keeps a key such as "__proto__", which an assignment would not.
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
