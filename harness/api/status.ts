import type { Status as WireStatus } from '#api/meta/v1';
import { groupResource, type Resource } from './resource.ts';

/**
 * A failed `Status` as it is sent: always with code, reason and message.
 *
 * An expected failure is a `Status` object, on the wire and in a `catch`. {@link reasons} is the only registry of
 * reasons: the code, whether the write may have happened, and the recommended reaction. The server, the clients and the
 * book all read it.
 */
export type Status = WireStatus & { status: 'Failure'; code: number; reason: Reason; message: string };

/** An entry of the registry of failure reasons. */
interface ReasonInfo {
  /** HTTP status code. */
  readonly code: number;
  /**
   * Whether the write happened. `no`: certainly not, so it is safe to decide again. `unknown`: it may have happened, so
   * read before you write again.
   */
  readonly written: 'no' | 'unknown';
  /** Whether the same request may succeed later without a change. */
  readonly retry: boolean;
  readonly doc: string;
}

/**
 * Every failure reason of the apiserver.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go StatusReason
 */
export const reasons = {
  BadRequest: {
    code: 400,
    written: 'no',
    retry: false,
    doc: 'The request is malformed: invalid JSON, a wrong kind, a name that does not match the URL.',
  },
  Unauthorized: { code: 401, written: 'no', retry: false, doc: 'The server does not know the user.' },
  Forbidden: {
    code: 403,
    written: 'no',
    retry: false,
    doc: 'The server knows the user and refuses: RBAC, admission, or a terminating namespace.',
  },
  NotFound: { code: 404, written: 'no', retry: false, doc: 'The object or the resource does not exist.' },
  MethodNotAllowed: {
    code: 405,
    written: 'no',
    retry: false,
    doc: 'The resource does not support this verb.',
  },
  NotAcceptable: {
    code: 406,
    written: 'no',
    retry: false,
    doc: 'The server cannot answer in an accepted format.',
  },
  AlreadyExists: {
    code: 409,
    written: 'no',
    retry: false,
    doc: 'An object of that name already exists. After a timeout you may have created it yourself.',
  },
  Conflict: {
    code: 409,
    written: 'no',
    retry: false,
    doc: 'The object has changed since you read it, or a precondition failed. Read it and decide again.',
  },
  Gone: {
    code: 410,
    written: 'no',
    retry: false,
    doc: 'The item no longer exists and will not return.',
  },
  Expired: {
    code: 410,
    written: 'no',
    retry: false,
    doc: 'The requested revision is compacted. List again, then watch from the new revision.',
  },
  RequestEntityTooLarge: {
    code: 413,
    written: 'no',
    retry: false,
    doc: 'The body is larger than the limit of the server.',
  },
  UnsupportedMediaType: {
    code: 415,
    written: 'no',
    retry: false,
    doc: 'The server does not support the format of the body.',
  },
  Invalid: {
    code: 422,
    written: 'no',
    retry: false,
    doc: 'The object fails the validation of its kind. `details.causes` names each field.',
  },
  TooManyRequests: {
    code: 429,
    written: 'no',
    retry: true,
    doc: 'Retry after `retryAfterSeconds`. Also for an eviction that a budget forbids.',
  },
  InternalError: {
    code: 500,
    written: 'unknown',
    retry: true,
    doc: 'The server failed. It may have executed the write.',
  },
  ServerTimeout: {
    code: 500,
    written: 'unknown',
    retry: true,
    doc: 'The server could not complete the operation in time. Retry it.',
  },
  ServiceUnavailable: {
    code: 503,
    written: 'unknown',
    retry: true,
    doc: 'The server is not ready, or is shutting down.',
  },
  Timeout: {
    code: 504,
    written: 'unknown',
    retry: true,
    doc: 'No response in time. The write may have happened: read before you write again.',
  },
} as const satisfies Record<string, ReasonInfo>;

/** The reason of a failed request, in one word: a key of {@link reasons}. */
export type Reason = keyof typeof reasons;

/** The server's message about a field or a circumstance. */
export interface Cause {
  /** `FieldValueInvalid`, `FieldValueRequired`, `ResourceVersionTooLarge`, … */
  reason: string;
  message: string;
  /** Path of the field, as in `spec.containers[0].name`. */
  field?: string;
}

/**
 * A failure that the API defines. A {@link Client} rejects with it when the server refuses a request.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/errors/errors.go StatusError
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;

  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }

  get reason(): Reason {
    return this.status.reason;
  }

  get code(): number {
    return this.status.code;
  }

  /** The delay in seconds that the server requests before a retry; `undefined` without a request. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }
}

type Details = NonNullable<WireStatus['details']>;
type Named = Pick<Resource, 'group' | 'plural'>;

/** Returns a `Status` with the given reason; empty `details` are omitted. */
export function failure(
  reason: Reason,
  message: string,
  details?: Details,
  code = reasons[reason].code,
): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details ? { details } : {}),
    code,
  };
}

const naming = (resource: Named, name: string): Details => ({
  ...(name ? { name } : {}),
  ...(resource.group ? { group: resource.group } : {}),
  kind: resource.plural,
});

const fail = (reason: Reason, message: string, details?: Details): StatusError =>
  new StatusError(failure(reason, message, details));

/**
 * Creates the failures that the API defines, with the apiserver's messages.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/errors/errors.go NewNotFound and its siblings
 */
export const errors = {
  notFound: (resource: Named, name: string): StatusError =>
    fail('NotFound', `${groupResource(resource)} "${name}" not found`, naming(resource, name)),

  /** The URL itself is unknown: the resource is not served. */
  pageNotFound: (): StatusError => fail('NotFound', 'the server could not find the requested resource', {}),

  alreadyExists: (resource: Named, name: string): StatusError =>
    fail('AlreadyExists', `${groupResource(resource)} "${name}" already exists`, naming(resource, name)),

  /** The name generated from `generateName` already exists, and so does every other generated name that was tried. */
  generateNameConflict: (resource: Named, name: string): StatusError =>
    fail(
      'AlreadyExists',
      `${groupResource(resource)} "${name}" already exists, the server was not able to generate a unique name for the object`,
      { ...naming(resource, name), retryAfterSeconds: 1 },
    ),

  conflict: (resource: Named, name: string, why: string): StatusError =>
    fail(
      'Conflict',
      `Operation cannot be fulfilled on ${groupResource(resource)} "${name}": ${why}`,
      naming(resource, name),
    ),

  /** `kind` is the Kind, not the plural: validation errors name kinds. */
  invalid: (kind: { group: string; kind: string }, name: string, causes: readonly Cause[]): StatusError => {
    const qualified = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
    const bodies = [...new Set(causes.map((c) => (c.field ? `${c.field}: ${c.message}` : c.message)))];
    const why = bodies.length > 1 ? `[${bodies.join(', ')}]` : (bodies[0] ?? '');
    return fail('Invalid', `${qualified} "${name}" is invalid${why ? `: ${why}` : ''}`, {
      ...(name ? { name } : {}),
      ...(kind.group ? { group: kind.group } : {}),
      kind: kind.kind,
      causes: causes.map((c) => ({ ...c })),
    });
  },

  badRequest: (message: string): StatusError => fail('BadRequest', message),

  forbidden: (resource: Named, name: string, why: string): StatusError =>
    fail(
      'Forbidden',
      `${groupResource(resource)}${name ? ` "${name}"` : ''} is forbidden: ${why}`,
      naming(resource, name),
    ),

  methodNotAllowed: (resource: Named, action: string): StatusError =>
    fail(
      'MethodNotAllowed',
      `${action} is not supported on resources of kind "${groupResource(resource)}"`,
      naming(resource, ''),
    ),

  notAcceptable: (accepted: readonly string[]): StatusError =>
    fail('NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`),

  unsupportedMediaType: (accepted: readonly string[]): StatusError =>
    fail(
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    ),

  tooLarge: (message: string): StatusError =>
    fail('RequestEntityTooLarge', `Request entity too large: ${message}`),

  /** The requested revision is compacted: HTTP 410. */
  expired: (message: string): StatusError => fail('Expired', message),

  /** A watch requests a revision older than the apiserver's watch cache. */
  tooOldResourceVersion: (asked: number, oldest: number): StatusError =>
    fail('Expired', `too old resource version: ${asked} (${oldest})`),

  /** The replica has not reached the requested revision yet. */
  tooLargeResourceVersion: (asked: number, current: number): StatusError =>
    fail('Timeout', `Timeout: ${TOO_LARGE}: ${asked}, current: ${current}`, {
      retryAfterSeconds: 1,
      causes: [{ reason: 'ResourceVersionTooLarge', message: TOO_LARGE }],
    }),

  tooManyRequests: (message: string, retryAfterSeconds: number): StatusError =>
    fail('TooManyRequests', message, { retryAfterSeconds }),

  internal: (why: string): StatusError =>
    fail('InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] }),

  timeout: (message: string, retryAfterSeconds = 0): StatusError =>
    fail('Timeout', `Timeout: ${message}`, retryAfterSeconds ? { retryAfterSeconds } : undefined),

  unavailable: (message: string): StatusError => fail('ServiceUnavailable', message),
};

/** A failure with one of these reasons. */
type FailedFor<R extends Reason> = StatusError & { readonly reason: R };

/**
 * Returns whether `error` is a failure with one of these reasons.
 *
 * If true, TypeScript also narrows the reason. If false, `error` keeps its type: it may be a {@link StatusError} with
 * another reason.
 */
export function hasReason<R extends Reason>(error: unknown, ...wanted: readonly R[]): error is FailedFor<R> {
  return error instanceof StatusError && wanted.some((reason) => reason === error.reason);
}

/** Returns whether the object or the resource does not exist. */
export const isNotFound = (error: unknown): error is FailedFor<'NotFound'> => hasReason(error, 'NotFound');

/** Returns whether an object of that name already exists. */
export const isAlreadyExists = (error: unknown): error is FailedFor<'AlreadyExists'> =>
  hasReason(error, 'AlreadyExists');

/** Returns whether the object has changed since it was read, or a precondition failed. */
export const isConflict = (error: unknown): error is FailedFor<'Conflict'> => hasReason(error, 'Conflict');

/** Returns whether the server does not support the format of the body: a strategic merge patch of a custom resource. */
export const isUnsupportedMediaType = (error: unknown): error is FailedFor<'UnsupportedMediaType'> =>
  hasReason(error, 'UnsupportedMediaType');

/** Returns whether the server throttles the client, or a disruption budget forbids an eviction. */
export const isTooManyRequests = (error: unknown): error is FailedFor<'TooManyRequests'> =>
  hasReason(error, 'TooManyRequests');

/**
 * Returns whether the revision is compacted, so that the client must list again. Old servers return `Gone` instead of
 * `Expired`.
 */
export const isExpired = (error: unknown): error is FailedFor<'Expired' | 'Gone'> =>
  hasReason(error, 'Expired', 'Gone');

/**
 * Returns whether a replica has not yet reached the requested revision. Servers before 1.18.6 report it in the message
 * of a cause, and servers before 1.17 only in the message, both with the reason Timeout.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go isTooLargeResourceVersionError
 */
export function isTooLargeResourceVersion(error: unknown): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  const { message, details } = error.status;
  const causes = details?.causes ?? [];
  if (causes.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return true;
  if (error.reason !== 'Timeout' || !details) return false;
  return causes.some((cause) => cause.message === TOO_LARGE) || message.includes(TOO_LARGE);
}

const TOO_LARGE = 'Too large resource version';

/** Returns whether a create was refused because its namespace is terminating. A retry cannot succeed. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
