import type { Status as WireStatus } from '#api/meta/v1';
import { groupResource, type Resource } from './resource.ts';

/**
 * Failures, as Kubernetes says them: an expected failure is a `Status` object, on the wire and in a `catch`.
 *
 * {@link reasons} is the one registry: code, whether the write may have happened, and what to do about it. The
 * server, the clients and the book all read it.
 *
 * A failed `Status` as it travels: always with code, reason and message.
 */
export type Status = WireStatus & { status: 'Failure'; code: number; reason: Reason; message: string };

/** One entry of the registry of failure reasons. */
interface ReasonInfo {
  /** HTTP status code. */
  readonly code: number;
  /**
   * Did the write happen? `no`: certainly not, so it is safe to decide anew. `unknown`: it may have, so look
   * before you write again.
   */
  readonly written: 'no' | 'unknown';
  /** May the very same request succeed later, without anything in it being changed? */
  readonly retry: boolean;
  readonly doc: string;
}

/**
 * Every reason that the apiserver gives.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go StatusReason
 */
export const reasons = {
  BadRequest: {
    code: 400,
    written: 'no',
    retry: false,
    doc: 'The request itself makes no sense: malformed JSON, a wrong kind, a name that does not match the URL.',
  },
  Unauthorized: { code: 401, written: 'no', retry: false, doc: 'The server does not know who is asking.' },
  Forbidden: {
    code: 403,
    written: 'no',
    retry: false,
    doc: 'The server knows who is asking and refuses: RBAC, admission, or a namespace that is going away.',
  },
  NotFound: { code: 404, written: 'no', retry: false, doc: 'There is no such object, or no such resource.' },
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
    doc: 'An object of that name exists already. After a timeout it may be the one you just created.',
  },
  Conflict: {
    code: 409,
    written: 'no',
    retry: false,
    doc: 'The object changed since you read it, or a precondition does not hold. Read again, decide again.',
  },
  Gone: {
    code: 410,
    written: 'no',
    retry: false,
    doc: 'The item is no longer there and will not come back.',
  },
  Expired: {
    code: 410,
    written: 'no',
    retry: false,
    doc: 'The revision you ask for was compacted away. List again, then watch from the new revision.',
  },
  RequestEntityTooLarge: {
    code: 413,
    written: 'no',
    retry: false,
    doc: 'The body is larger than the server takes.',
  },
  UnsupportedMediaType: {
    code: 415,
    written: 'no',
    retry: false,
    doc: 'The body is in a format not understood.',
  },
  Invalid: {
    code: 422,
    written: 'no',
    retry: false,
    doc: 'The object breaks the rules of its kind. `details.causes` names each field.',
  },
  TooManyRequests: {
    code: 429,
    written: 'no',
    retry: true,
    doc: 'Slow down, and come back after `retryAfterSeconds`. Evictions that a budget forbids say this, too.',
  },
  InternalError: {
    code: 500,
    written: 'unknown',
    retry: true,
    doc: 'The server failed; it may have written.',
  },
  ServerTimeout: {
    code: 500,
    written: 'unknown',
    retry: true,
    doc: 'The server could not complete the operation in time and asks for another try.',
  },
  ServiceUnavailable: {
    code: 503,
    written: 'unknown',
    retry: true,
    doc: 'The server is not ready, or going away.',
  },
  Timeout: {
    code: 504,
    written: 'unknown',
    retry: true,
    doc: 'No answer in time. A write may or may not have happened: look before you write again.',
  },
} as const satisfies Record<string, ReasonInfo>;

/** Why a request failed, in one word: a key of {@link reasons}. */
export type Reason = keyof typeof reasons;

/** What the server says about one field or one circumstance. */
export interface Cause {
  /** `FieldValueInvalid`, `FieldValueRequired`, `ResourceVersionTooLarge`, … */
  reason: string;
  message: string;
  /** Path of the field, as in `spec.containers[0].name`. */
  field?: string;
}

/**
 * A failure that the API defines. Everything a {@link Client} rejects with, unless it is aborted, is one of
 * these.
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

  /** How long the server asks to wait before the next try, in seconds; `undefined` if it does not say. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }
}

type Details = NonNullable<WireStatus['details']>;
type Named = Pick<Resource, 'group' | 'plural'>;

/** A `Status` of the given reason; `details` is left out when empty. */
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
 * Builds the failures that the API defines, in the apiserver's own words.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/errors/errors.go NewNotFound and its siblings
 */
export const errors = {
  notFound: (resource: Named, name: string): StatusError =>
    fail('NotFound', `${groupResource(resource)} "${name}" not found`, naming(resource, name)),

  /** Not an object, but the URL is unknown: a resource that is not served. */
  pageNotFound: (): StatusError => fail('NotFound', 'the server could not find the requested resource', {}),

  alreadyExists: (resource: Named, name: string): StatusError =>
    fail('AlreadyExists', `${groupResource(resource)} "${name}" already exists`, naming(resource, name)),

  /** A name made from `generateName` was taken, and so was every other one that was tried. */
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

  /** `kind` is the Kind, not the plural: validation speaks of kinds. */
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

  /** The revision asked for is compacted: HTTP 410. */
  expired: (message: string): StatusError => fail('Expired', message),

  /** A watch that asks for a revision older than the apiserver's watch cache remembers. */
  tooOldResourceVersion: (asked: number, oldest: number): StatusError =>
    fail('Expired', `too old resource version: ${asked} (${oldest})`),

  /** A replica is asked for a revision that it has not reached yet. */
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

/** A failure for one of these reasons. */
type FailedFor<R extends Reason> = StatusError & { readonly reason: R };

/**
 * Is `error` a failure for one of these reasons?
 *
 * Where it is, TypeScript knows the reason, too. Where it is not, `error` keeps its type: it may be a
 * {@link StatusError} for another reason.
 */
export function hasReason<R extends Reason>(error: unknown, ...wanted: readonly R[]): error is FailedFor<R> {
  return error instanceof StatusError && wanted.some((reason) => reason === error.reason);
}

/** Is there no such object, or no such resource? */
export const isNotFound = (error: unknown): error is FailedFor<'NotFound'> => hasReason(error, 'NotFound');

/** Is there an object of that name already? */
export const isAlreadyExists = (error: unknown): error is FailedFor<'AlreadyExists'> =>
  hasReason(error, 'AlreadyExists');

/** Has the object changed since it was read, or does a precondition not hold? */
export const isConflict = (error: unknown): error is FailedFor<'Conflict'> => hasReason(error, 'Conflict');

/** The body is in a format that is not taken here: a strategic merge patch of a custom resource. */
export const isUnsupportedMediaType = (error: unknown): error is FailedFor<'UnsupportedMediaType'> =>
  hasReason(error, 'UnsupportedMediaType');

/** Does the server ask to slow down, or does a disruption budget forbid an eviction? */
export const isTooManyRequests = (error: unknown): error is FailedFor<'TooManyRequests'> =>
  hasReason(error, 'TooManyRequests');

/** The revision is gone: list again. Old servers said `Gone` where today's say `Expired`. */
export const isExpired = (error: unknown): error is FailedFor<'Expired' | 'Gone'> =>
  hasReason(error, 'Expired', 'Gone');

/**
 * A replica has not yet reached the revision asked for. Servers before 1.18.6 say it in their own way: by the message
 * of a cause, or, before 1.17, by the message alone; both with the reason Timeout.
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

/** Was a create refused because its namespace is being deleted? Nothing can be created there, now or later. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
