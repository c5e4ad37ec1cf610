import { apiTypes, type Field, type Struct } from '../../../api/table/table.ts';
import { type Codec, converted, pointerCodec } from './codec.ts';
import { listCodec, mapCodec, numbersCodec } from './collection-codecs.ts';
import { type MessageCodec, type MessageField, messageCodec } from './message-codec.ts';
import { bytesCodec, type ScalarCodec, scalarCodecs } from './scalar-codecs.ts';
import { schemaCodecs } from './schema-codecs.ts';
import {
  durationCodec,
  intOrStringCodec,
  microTimeCodec,
  quantityCodec,
  rawCodec,
  timeCodec,
} from './special-codecs.ts';
import { WIRE } from './wire.ts';

/**
 * Returns the codec of a struct in the API table. Builds it on first use and caches it.
 *
 * Differs: an error about a wrong type derives the Go name of the field from its JSON name, as in `ApiVersion`.
 */
export function codecOfStruct(struct: Struct): MessageCodec {
  let codec = structs.get(struct.name);
  if (codec === undefined) {
    codec = messageCodec(lastPart(struct.name), () =>
      struct.fields.flatMap((field) =>
        field.protobuf === undefined ? [] : [fieldOf(field, field.protobuf)],
      ),
    );
    structs.set(struct.name, codec);
  }
  return codec;
}

function lastPart(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

function fieldOf({ name, embedded, type, omit }: Field, number: number): MessageField {
  const codec = codecOf(type);
  return {
    number,
    property: embedded ? undefined : name,
    // Go names an ObjectMeta or ListMeta field after its type.
    name: name === 'metadata' ? lastPart(type) : name.charAt(0).toUpperCase() + name.slice(1),
    codec,
    ...(omit === 'empty' && isScalar(codec) ? { leftOut: codec.zero } : {}),
  };
}

const structs = new Map<string, MessageCodec>();

const codecs = new Map<string, Codec>([
  ...Object.entries(scalarCodecs),
  ['[]uint8', bytesCodec],
  ['resource.Quantity', quantityCodec],
  ['intstr.IntOrString', intOrStringCodec],
  ['meta/v1.Time', timeCodec],
  ['meta/v1.MicroTime', microTimeCodec],
  ['meta/v1.Duration', durationCodec],
  ['meta/v1.FieldsV1', rawCodec],
  ['runtime.RawExtension', rawCodec],
  ['apiextensions/v1.JSON', rawCodec],
  ...schemaCodecs(() => codecOf('apiextensions/v1.JSONSchemaProps')),
]);

function codecOf(type: string): Codec {
  let codec = codecs.get(type);
  if (codec === undefined) {
    codec = compile(type);
    codecs.set(type, codec);
  }
  return codec;
}

function compile(type: string): Codec {
  if (type.startsWith('*')) return pointerCodec(codecOf(type.slice(1)));
  const struct = apiTypes.struct(type);
  if (struct !== undefined) return codecOfStruct(struct);
  const named = apiTypes.named(type);
  if (named?.nullable) return nullableCodec(type, codecOf(named.underlying));
  if (named !== undefined) return codecOf(named.underlying);
  if (type.startsWith('map[string]')) return mapCodec(codecOf(type.slice('map[string]'.length)));
  if (type.startsWith('[]')) {
    const item = codecOf(type.slice('[]'.length));
    return isScalar(item) && item.wireType !== WIRE.length ? numbersCodec(item) : listCodec(item);
  }
  throw new Error(`Failed to find the bytes of ${type}: there is no codec for it.`);
}

/** Returns the codec of a list that is a separate message, so that nil and an empty list differ. */
function nullableCodec(type: string, list: Codec): Codec {
  const message = messageCodec(lastPart(type), () => [
    { number: 1, property: 'items', name: 'Items', codec: list },
  ]);
  return pointerCodec(
    converted<{ items?: unknown } | undefined>(message, {
      read: (items) => items?.items ?? [],
      write: (value) => ({ items: value }),
    }),
  );
}

function isScalar(codec: Codec): codec is ScalarCodec {
  return 'zero' in codec;
}
