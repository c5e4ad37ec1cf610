import { errors } from '../../api/status.ts';

/**
 * A resourceVersion that a client sent: a revision, or `undefined` where it is absent.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/api_object_versioner.go APIObjectVersioner.ParseResourceVersion
 *
 * @throws StatusError Invalid when it is no whole number
 */
export function parseResourceVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw errors.invalid({ group: '', kind: 'Unknown' }, '', [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
      field: 'resourceVersion',
    },
  ]);
}
