import { quote } from '../../api/names.ts';
import { failure, StatusError } from '../../api/status.ts';
import { invalid } from '../validation/field-error.ts';

/**
 * Parses the resourceVersion of a request. Returns the revision, or `undefined` if there is none.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/api_object_versioner.go APIObjectVersioner.ParseResourceVersion
 *
 * @param refuse - creates the error. A list returns a 400. A get and a watch return an error without a specific status,
 *   the default
 * @throws StatusError InternalError, or the error from `refuse`, when the text is not a 64-bit integer
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
