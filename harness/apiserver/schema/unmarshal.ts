import type { Decoder } from './decoder.ts';
import { definitions } from './definitions.ts';
import { bytesDecoder, integerDecoder, primitiveDecoder } from './scalar.ts';
import { intOrStringDecoder, microTimeDecoder, quantityDecoder, rawDecoder, timeDecoder } from './special.ts';
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
 * Decodes `value` as the struct of that name. The value is not changed, and shares nothing with the result
 * but what is trusted.
 *
 * Decodes plain JSON values into the apiserver's kinds, as if into Go structs: what has no field is left out
 * and reported, what has the wrong type is refused. Whether a required field is there, or a value makes
 * sense, is for validation.
 *
 * Upstream: kubernetes-sigs/json, as kubernetes/apimachinery@v0.30.0 pins it, json.go UnmarshalStrict
 *
 * Differs: Go's encoder leaves out empty values (`labels: {}`, `paused: false`) where the field says
 * omitempty, and writes those that were never sent where it does not; here an object keeps what the client
 * sent, without nulls. A number is what JSON.parse made of it: 1.0 passes for an integer, and int64 is exact
 * up to 2^53 only.
 *
 * @throws UnmarshalError, QuantityError or TimeError when a value does not fit its type, in upstream's words
 * @throws TypeError when the value contains what JSON cannot
 */
export function unmarshal(name: string, value: object, options: UnmarshalOptions = {}): Unmarshalled {
  const wording = options.wording ?? jsonWording;
  const walk = new Walk(wording, options.isTrusted ?? trustNothing);
  const object = decoderOf(`v1.${name}`).decode(value, walk) as Record<string, unknown>;
  walk.finish();
  return { object, unknownFields: wording.order(walk.unknownFields) };
}

/** Does the struct have this field? */
export function hasField(name: string, field: string): boolean {
  return Object.hasOwn(definitions.structs[name] ?? {}, field);
}

const trustNothing = (): boolean => false;

const decoders = new Map<string, Decoder>([
  ['string', primitiveDecoder('string', 'string')],
  ['bool', primitiveDecoder('bool', 'bool')],
  ['int32', integerDecoder('int32')],
  ['int64', integerDecoder('int64')],
  ['[]uint8', bytesDecoder],
  ['resource.Quantity', quantityDecoder],
  ['intstr.IntOrString', intOrStringDecoder],
  ['v1.Time', timeDecoder],
  ['v1.MicroTime', microTimeDecoder],
  ['v1.FieldsV1', rawDecoder],
  ['runtime.RawExtension', rawDecoder],
]);

/** Decoders are made when they are first needed, and kept. */
function decoderOf(type: string): Decoder {
  let decoder = decoders.get(type);
  if (decoder === undefined) {
    decoder = compile(type, definitions.named[type] ?? type);
    decoders.set(type, decoder);
  }
  return decoder;
}

function compile(type: string, underlying: string): Decoder {
  if (underlying === 'string') return primitiveDecoder(type, 'string');
  if (underlying.startsWith('[]')) return sliceDecoder(type, decoderOf(underlying.slice(2)));
  const [map, element = ''] = /^map\[string\](.*)$/.exec(underlying) ?? [];
  if (map !== undefined) {
    if (element.startsWith('v1.') && Object.hasOwn(definitions.structs, element.slice('v1.'.length))) {
      throw new Error(`Failed to decode ${type}: a map of structs is more than a map's decoder can do.`);
    }
    return mapDecoder(type, decoderOf(element));
  }
  const name = type.slice('v1.'.length);
  const fields = definitions.structs[name];
  if (fields === undefined) throw new Error(`Failed to find the type ${type}: it is not defined.`);
  return structDecoder(name, fields);
}

function structDecoder(name: string, types: Readonly<Record<string, string>>): Decoder {
  const fields = new Map<string, Decoder>();
  const fieldOf = (key: string): Decoder | undefined => {
    let field = fields.get(key);
    if (field === undefined && Object.hasOwn(types, key)) {
      field = decoderOf(types[key] ?? '');
      fields.set(key, field);
    }
    return field;
  };
  return {
    zero: () => ({}),
    decode(value, walk) {
      if (typeof value !== 'object' || Array.isArray(value)) {
        return walk.mismatch(value, `v1.${name}`, 'struct');
      }
      if (walk.isTrusted(value)) return value;
      const source = value as Record<string, unknown>;
      const result: Record<string, unknown> = {};
      const outer = walk.struct;
      walk.struct = name;
      for (const key of Object.keys(source)) {
        const item = source[key];
        const field = fieldOf(key);
        if (field === undefined) {
          if (item !== undefined) walk.unknownField(key);
        } else if (typeof item === field.plain) {
          result[key] = item;
        } else if (item !== null && item !== undefined) {
          walk.path.push(key);
          result[key] = field.decode(item, walk);
          walk.path.pop();
        }
      }
      walk.struct = outer;
      return result;
    },
  };
}

function sliceDecoder(type: string, element: Decoder): Decoder {
  return {
    zero: () => [],
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

/**
 * Maps hold no structs, so that no unknown field lies under a key, and their keys need not be on the path.
 */
function mapDecoder(type: string, element: Decoder): Decoder {
  return {
    zero: () => ({}),
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
        const decoded = item === null ? element.zero() : element.decode(item, walk);
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
