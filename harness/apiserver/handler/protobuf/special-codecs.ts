import { formatDuration, parseDuration } from '../../../api/duration.ts';
import type { IntOrString } from '../../../api/intstr.ts';
import { parseQuantity } from '../../../api/quantity.ts';
import { parseJson } from '../json-body.ts';
import { type Codec, converted, pointerCodec } from './codec.ts';
import { messageCodec } from './message-codec.ts';
import { ProtobufError } from './protobuf-error.ts';
import { scalarCodecs } from './scalar-codecs.ts';

const { string, int32, int64 } = scalarCodecs;

/**
 * Reads quantities in canonical form.
 *
 * This file has the codecs of types with their own encoding.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity_proto.go
 */
export const quantityCodec: Codec = converted<{ string?: string }>(
  messageCodec('Quantity', () => [{ number: 1, property: 'string', name: 'String_', codec: string }]),
  {
    read: ({ string: text }) => (text === undefined ? '0' : parseQuantity(text).toString()),
    write: (value) => ({ string: String(value ?? 0) }),
  },
);

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go IntOrString */
export const intOrStringCodec: Codec = converted<{ type?: number; intVal?: number; strVal?: string }>(
  messageCodec('IntOrString', () => [
    { number: 1, property: 'type', name: 'Type', codec: int64 },
    { number: 2, property: 'intVal', name: 'IntVal', codec: int32 },
    { number: 3, property: 'strVal', name: 'StrVal', codec: string },
  ]),
  {
    read: ({ type = 0, intVal = 0, strVal = '' }): IntOrString => {
      if (type === 0) return intVal;
      if (type === 1) return strVal;
      throw new ProtobufError('impossible IntOrString.Type');
    },
    write: (value) =>
      typeof value === 'string' ? { type: 1, strVal: value } : { intVal: Number(value ?? 0) },
  },
);

/**
 * Reads whole seconds and ignores the fraction in the message.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/time_proto.go
 *
 * Differs: rejects a year without four digits; upstream accepts it, and then writes JSON that it cannot read.
 */
export const timeCodec: Codec = timestampCodec(({ seconds = 0 }) => {
  const text = dateTime(seconds);
  return text === ZERO_TIME ? null : `${text}Z`;
});

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/micro_time_proto.go */
export const microTimeCodec: Codec = timestampCodec(({ seconds = 0, nanos = 0 }) => {
  const micros = Math.trunc(nanos / 1000);
  const fraction = ((micros % MICROS) + MICROS) % MICROS;
  const text = dateTime(seconds + (micros - fraction) / MICROS);
  return text === ZERO_TIME && fraction === 0 ? null : `${text}.${String(fraction).padStart(6, '0')}Z`;
});

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.proto Duration */
export const durationCodec: Codec = converted<{ duration?: number }>(
  messageCodec('Duration', () => [{ number: 1, property: 'duration', name: 'Duration', codec: int64 }]),
  {
    read: ({ duration = 0 }) => formatDuration(Math.round(duration / NANOS_PER_MS)),
    write: (value) => ({ duration: (parseDuration(String(value)) ?? 0) * NANOS_PER_MS }),
  },
);

const NANOS_PER_MS = 1_000_000;

/**
 * The codec of any JSON value: the bytes are JSON.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/types.go RawExtension, pkg/apis/meta/v1/types.go FieldsV1;
 * kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/types_jsonschema.go JSON
 *
 * Differs: rejects invalid JSON on reading; upstream fails when it writes the value as JSON.
 */
export const rawCodec: Codec = converted<{ raw?: string }>(
  messageCodec('RawExtension', () => [
    { number: 1, property: 'raw', name: 'Raw', codec: pointerCodec(string) },
  ]),
  {
    read: ({ raw = '' }) => {
      if (raw === '') return null;
      try {
        return parseJson(raw);
      } catch (error) {
        throw new ProtobufError((error as Error).message);
      }
    },
    write: (value) => (value === undefined || value === null ? {} : { raw: JSON.stringify(value) }),
  },
);

interface Timestamp {
  readonly seconds?: number;
  readonly nanos?: number;
}

/** A message without fields is the zero time: null. */
function timestampCodec(read: (timestamp: Timestamp) => string | null): Codec {
  const message = messageCodec('Timestamp', () => [
    { number: 1, property: 'seconds', name: 'Seconds', codec: int64 },
    { number: 2, property: 'nanos', name: 'Nanos', codec: int32 },
  ]);
  const { read: convert } = converted<Timestamp>(message, {
    read: (timestamp) => (Object.keys(timestamp).length === 0 ? null : read(timestamp)),
    write: () => ({}),
  });
  return {
    read: convert,
    write: (writer, number, value) => {
      if (typeof value === 'string') message.write(writer, number, timestampOf(value));
      else writer.within(number, () => {});
    },
  };
}

function timestampOf(text: string): Timestamp {
  const [, fraction = ''] = /\.(\d{1,9})/.exec(text) ?? [];
  return { seconds: Math.floor(Date.parse(text) / 1000), nanos: Number(fraction.padEnd(9, '0')) };
}

/** Returns the time in UTC, without the zone. */
function dateTime(seconds: number): string {
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
    throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  return new Date(seconds * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}

const MICROS = 1_000_000;
const SECONDS_MIN = Date.parse('0000-01-01T00:00:00Z') / 1000;
const SECONDS_MAX = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Go's zero time, which is null in JSON. */
const ZERO_TIME = '0001-01-01T00:00:00';
