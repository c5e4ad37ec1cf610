import { quote } from '../../api/names.ts';
import { failure, StatusError } from '../../api/status.ts';
import { invalid } from '../validation/field-error.ts';

/**
 * A resourceVersion that a client sent: a revision, or `undefined` where it is absent.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/api_object_versioner.go APIObjectVersioner.ParseResourceVersion
 *
 * @param refuse makes the failure of what is wrong. A list says 400. A get and a watch pass on an error that has no
 * status of its own, which is the default
 * @throws StatusError InternalError, or what `refuse` makes, when it is no whole number of 64 bits
 */
export function parseResourceVersion(
  text: string | undefined,
  refuse: (why: string) => StatusError = unexpected,
): number | undefined {
  if (text === undefined || text === '') return undefined;
  const why = whyNoNumber(text);
  if (why === undefined) return Number(text);
  const { field, message } = invalid(
    'resourceVersion',
    text,
    `strconv.ParseUint: parsing ${quote(text)}: ${why}`,
  );
  throw refuse(`${field}: ${message}`);
}

/** Upstream: Go's strconv.ParseUint */
function whyNoNumber(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return 'invalid syntax';
  return BigInt(text) < 1n << 64n ? undefined : 'value out of range';
}

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/status.go ErrorToAPIStatus
 *
 * Differs: upstream leaves the reason empty.
 */
function unexpected(why: string): StatusError {
  return new StatusError(failure('InternalError', why));
}
