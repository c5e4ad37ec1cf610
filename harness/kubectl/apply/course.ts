import type { RecordedRequest } from './recorder.ts';

/** The requests of an apply, and its output. */
export interface StepRecord {
  readonly requests: readonly RecordedRequest[];
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The applies of a row, in their order. */
export type Course = readonly StepRecord[];

type Json = unknown;
type Fields = Readonly<Record<string, Json>>;

const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the requests in the form of the comparison.
 *
 * - kubectl looks whether a namespace exists before it creates an object there. The answer changes nothing.
 * - The type of a DeleteOptions is optional.
 * - A time and a version of a patch differ from run to run.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/visitor.go Info.Get
 */
function comparable(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return requests.flatMap((request, index) => {
    const { method, path } = request;
    const next = requests[index + 1];
    const isLook =
      method === 'GET' && next?.method === 'POST' && next.path.includes(`${path.slice('/api/v1'.length)}/`);
    if (isLook && path.startsWith('/api/v1/namespaces/')) return [];
    return 'body' in request ? [{ ...request, body: comparableBody(request) }] : [request];
  });
}

function comparableBody({ method, contentType = '', body }: RecordedRequest): Json {
  if (method === 'DELETE' && isFields(body)) {
    const { kind: _, apiVersion: __, ...options } = body;
    return options;
  }
  if (!contentType.startsWith('application/json-patch') || !Array.isArray(body)) return body;
  return body.map((operation: { readonly path: string; readonly value: Json }) => ({
    ...operation,
    value:
      operation.path === '/metadata/resourceVersion'
        ? 'the version'
        : JSON.parse(
            JSON.stringify(operation.value, (field, value) => (field === 'time' ? 'the time' : value)),
          ),
  }));
}

/** Returns the course of a row in the form of the comparison. */
export function comparableCourse(course: Course): Course {
  return course.map(({ requests, err, ...step }) => ({
    ...step,
    // The log of a Go program: a level, and the time.
    err: err.replaceAll(/^[IWE]\d{4} [\d:.]+ .*\n/gm, ''),
    requests: comparable(requests),
  }));
}
