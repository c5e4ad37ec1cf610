import { quote } from '../../api/names.ts';
import { type Cause, errors } from '../../api/status.ts';
import type { LogOptions } from '../../contracts/node/kubelet-server.ts';
import { forbidden, invalid, notSupported } from '../validation/field-error.ts';

import { booleanParameter, numberParameter } from './parameters.ts';

const STREAMS: readonly string[] = ['All', 'Stdout', 'Stderr'];

/**
 * Parses the query parameters that select a part of a log.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodLogOptions
 *
 * @param name - the name of the pod
 * @throws StatusError BadRequest, Invalid
 */
export function logOptions(query: URLSearchParams, name: string): LogOptions {
  const tailLines = numberParameter(query, 'tailLines');
  const limitBytes = numberParameter(query, 'limitBytes');
  const sinceSeconds = numberParameter(query, 'sinceSeconds');
  const sinceTime = query.get('sinceTime');
  const stream = query.get('stream') ?? 'All';
  const causes: Cause[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    causes.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    causes.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime) {
    causes.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    causes.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (!STREAMS.includes(stream)) causes.push(notSupported('stream', stream, STREAMS));
  if (stream !== 'All' && tailLines !== undefined) {
    causes.push(forbidden('', '`tailLines` and specific `stream` are mutually exclusive for now'));
  }
  if (causes.length > 0) throw errors.invalid({ group: '', kind: 'PodLogOptions' }, name, causes);
  return {
    follow: booleanParameter(query, 'follow'),
    previous: booleanParameter(query, 'previous'),
    timestamps: booleanParameter(query, 'timestamps'),
    stream: stream as NonNullable<LogOptions['stream']>,
    ...(sinceTime ? { sinceMs: timeOf(sinceTime) } : {}),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
  };
}

/** @throws StatusError BadRequest */
function timeOf(text: string): number {
  const ms = Date.parse(text);
  if (RFC_3339.test(text) && !Number.isNaN(ms)) return ms;
  throw errors.badRequest(`parsing time ${quote(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
