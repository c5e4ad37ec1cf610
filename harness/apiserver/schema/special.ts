import { formatDuration, parseDuration } from '../../api/duration.ts';
import { isIntOrString } from '../../api/intstr.ts';
import { quote } from '../../api/names.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { Decoder } from './decoder.ts';
import { canonicalMicroTime, canonicalTime, TimeError } from './time.ts';

/**
 * Decodes quantities to their canonical form, and numbers to strings: 0.5 is "500m".
 *
 * This file has the decoders of types with their own decoding. Their errors end the whole decoding.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go Quantity.UnmarshalJSON
 */
export const quantityDecoder: Decoder = {
  zero: () => '0',
  decode: (value) =>
    parseQuantity(typeof value === 'string' ? value.trim() : JSON.stringify(value)).toString(),
};

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go IntOrString.UnmarshalJSON */
export const intOrStringDecoder: Decoder = {
  plain: 'string',
  zero: () => 0,
  decode: (value, walk) => (isIntOrString(value) ? value : walk.refuseInner(value, 'int32')),
};

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/time.go Time.UnmarshalJSON */
export const timeDecoder: Decoder = {
  zero: () => null,
  decode: (value, walk) =>
    typeof value === 'string' ? canonicalTime(value) : walk.refuseInner(value, 'string'),
};

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/micro_time.go MicroTime.UnmarshalJSON */
export const microTimeDecoder: Decoder = {
  zero: () => null,
  decode: (value, walk) =>
    typeof value === 'string' ? canonicalMicroTime(value) : walk.refuseInner(value, 'string'),
};

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/duration.go Duration.UnmarshalJSON */
export const durationDecoder: Decoder = {
  zero: () => formatDuration(0),
  decode: (value, walk) => {
    if (typeof value !== 'string') return walk.refuseInner(value, 'string');
    const ms = parseDuration(value);
    if (ms === undefined) throw new TimeError(`time: invalid duration ${quote(value)}`);
    return formatDuration(ms);
  },
};

/** Keeps any value unchanged, including nulls: managedFields, and extensions of other components. */
export const rawDecoder: Decoder = {
  zero: () => null,
  decode: (value, walk) => (typeof value === 'object' && walk.isTrusted(value) ? value : copyOf(value)),
};

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
