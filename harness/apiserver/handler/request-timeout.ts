import { parseDuration } from '../../api/duration.ts';
import { quote } from '../../api/names.ts';
import { errors } from '../../api/status.ts';
import type { RequestInfo } from './request-info.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/apiserver/config.go BuildGenericConfig, LongRunningFunc */
const LONG_RUNNING_VERBS = ['watch', 'proxy'];
const LONG_RUNNING_SUBRESOURCES = ['attach', 'exec', 'proxy', 'log', 'portforward'];

/**
 * Returns the time limit in the query of a request, `?timeout=5s`, in ms; undefined without one. Long requests have none.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/request_deadline.go withRequestDeadline
 *
 * Differs: upstream's limit ends every request; here only webhooks and conversions take any time.
 *
 * @throws StatusError BadRequest when it is not a duration
 */
export function timeoutOf({ url }: Request, { verb, subresource }: RequestInfo): number | undefined {
  if (LONG_RUNNING_VERBS.includes(verb) || LONG_RUNNING_SUBRESOURCES.includes(subresource)) return undefined;
  const text = /[?&]timeout=/.test(url) ? new URL(url).searchParams.get('timeout') : '';
  if (!text || text === '0') return undefined;
  const timeoutMs = parseDuration(text);
  if (timeoutMs === undefined) {
    const problem = /^[\d.]+$/.test(text) ? 'missing unit in' : 'invalid';
    const why = `time: ${problem} duration ${quote(text)}`;
    throw errors.badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
  return timeoutMs === 0 ? undefined : timeoutMs;
}
