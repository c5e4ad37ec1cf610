import { quote } from '../../api/names.ts';
import { errors } from '../../api/status.ts';

/**
 * Returns true for a present parameter, with or without a value, unless its value is `false` or `0`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/conversion.go Convert_Slice_string_To_bool
 */
export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** Parses an integer parameter; undefined if it is missing. @throws StatusError BadRequest */
export function numberParameter(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?\d+$/.test(value)) {
    throw errors.badRequest(`strconv.ParseInt: parsing ${quote(value)}: invalid syntax`);
  }
  const number = Number(value);
  if (Math.abs(number) >= 2 ** 63) {
    throw errors.badRequest(`strconv.ParseInt: parsing ${quote(value)}: value out of range`);
  }
  return number;
}
