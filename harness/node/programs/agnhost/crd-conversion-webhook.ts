import { quote } from '../../../api/names.ts';
import type { HttpAnswer } from '../../../contracts/node/index.ts';
import type { Process, Program, ServedRequest } from '../program.ts';
import { logVerbosely, refuse, serveReviews } from './review-server.ts';

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/types.go ConversionReview */
interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly CustomObject[];
  };
}

interface CustomObject {
  readonly apiVersion: string;
  readonly [field: string]: unknown;
}

const VERSIONS: readonly string[] = ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'];

/**
 * A server that converts custom resources of upstream's tests, at `/crdconvert`: `agnhost crd-conversion-webhook
 * --tls-cert-file=FILE --tls-private-key-file=FILE [--port=443] [-v=2]`. In `stable.example.com/v1` they have the field
 * `hostPort`, and in `v2` the fields `host` and `port`.
 *
 * Differs: it understands only JSON, and does not log conversions that fail.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/crd-conversion-webhook/converter/framework.go serve
 */
export const crdConversionWebhook: Program = (process) =>
  serveReviews(process, async (path, request) =>
    path === '/crdconvert' ? answer(process, request) : undefined,
  );

function answer(process: Process, { headers, body }: ServedRequest): HttpAnswer {
  const contentType = headers['content-type'] ?? '';
  if (contentType !== 'application/json') {
    return refuse(process, `invalid Content-Type header \`${contentType}\``);
  }
  logVerbosely(process, `framework.go] handling request: ${body}`);
  const review = reviewIn(body);
  if (typeof review === 'string') return refuse(process, review);
  const { apiVersion, kind, request } = review;
  const { uid } = request;
  const response = { uid, ...converted(request) };
  const sent = JSON.stringify({
    kind,
    apiVersion,
    request: { uid: '', desiredAPIVersion: '', objects: null },
    response,
  });
  logVerbosely(process, `framework.go] sending response: ${sent}`);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: sent };
}

/** Decodes a review. @returns the problem of a body that is not a review */
function reviewIn(body: string): ConversionReview | string {
  let review: ConversionReview;
  try {
    review = JSON.parse(body);
  } catch (error) {
    const why = `couldn't get version/kind; json parse error: ${(error as Error).message}`;
    return `failed to deserialize body (${body}) with error ${why}`;
  }
  const { apiVersion = '', kind = '' } = review ?? {};
  if (kind === 'ConversionReview' && VERSIONS.includes(apiVersion)) return review;
  return `Unsupported group version kind: ${apiVersion}, Kind=${kind}`;
}

/** Converts all objects, or reports the first failure. */
function converted({ desiredAPIVersion, objects }: ConversionReview['request']) {
  const result: CustomObject[] = [];
  for (const object of objects) {
    const one = convert(object, desiredAPIVersion);
    if (typeof one === 'string') return { convertedObjects: null, result: statusOf('Failure', one) };
    result.push({ ...one, apiVersion: desiredAPIVersion });
  }
  return { convertedObjects: result, result: statusOf('Success') };
}

function statusOf(status: 'Success' | 'Failure', message?: string) {
  return { metadata: {}, status, ...(message !== undefined && { message }) };
}

/**
 * @returns the reason of a failure
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/crd-conversion-webhook/converter/example_converter.go
 * convertExampleCRD
 */
function convert(object: CustomObject, to: string): CustomObject | string {
  const { apiVersion: from } = object;
  if (to === from) return `conversion from a version to itself should not call the webhook: ${to}`;
  const [first, second] = ['stable.example.com/v1', 'stable.example.com/v2'];
  if (from !== first && from !== second) return `unexpected conversion version ${quote(from)}`;
  if (to !== first && to !== second) return `unexpected conversion version ${quote(to)}`;
  if (from === second) {
    const { host, port, ...rest } = object;
    const hasNeither = host === undefined && port === undefined;
    return hasNeither ? object : { ...rest, hostPort: `${host ?? ''}:${port ?? ''}` };
  }
  const { hostPort, ...rest } = object;
  if (hostPort === undefined) return object;
  const parts = String(hostPort).split(':');
  if (parts.length !== 2) return `invalid hostPort value \`${hostPort}\``;
  return { ...rest, host: parts[0], port: parts[1] };
}
