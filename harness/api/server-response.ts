import { groupResource, type Resource } from './resource.ts';
import { failure, type Reason, StatusError } from './status.ts';

/** The known parts of a response. */
interface ServerResponse {
  /** HTTP status code. */
  readonly code: number;
  /** HTTP method of the request. If `resource` is set, the message contains both. */
  readonly method?: string;
  readonly resource?: Pick<Resource, 'group' | 'plural'> | undefined;
  readonly name?: string | undefined;
  /** The response body, if it is text. */
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number | undefined;
  /** Whether the response is not from an apiserver. Then its text is kept as a cause. */
  readonly unexpected?: boolean;
}

/**
 * Returns Kubernetes' error for a failure with only an HTTP status code. The server uses it for unknown paths and
 * methods; a client uses it for responses without a `Status`, such as those of a proxy.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/errors/errors.go NewGenericServerResponse
 *
 * Differs: for an unknown status code upstream's reason is empty; here it is `BadRequest`.
 */
export function genericServerResponse(response: ServerResponse): StatusError {
  const { code, method = '', resource, name = '', serverMessage = '', retryAfterSeconds = 0 } = response;
  const [reason, message] = describe(code, method, serverMessage);
  const where = resource && [method.toLowerCase(), groupResource(resource), name].filter(Boolean).join(' ');
  const status = failure(reason, where ? `${message} (${where})` : message, {
    ...(name ? { name } : {}),
    ...(resource?.group ? { group: resource.group } : {}),
    ...(resource ? { kind: resource.plural } : {}),
    ...(response.unexpected ? { causes: [{ reason: UNEXPECTED, message: serverMessage }] } : {}),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
  return new StatusError({ ...status, code });
}

const UNEXPECTED = 'UnexpectedServerResponse';

function describe(code: number, method: string, serverMessage: string): [Reason, string] {
  switch (code) {
    case 400:
      return ['BadRequest', 'the server rejected our request for an unknown reason'];
    case 401:
      return ['Unauthorized', 'the server has asked for the client to provide credentials'];
    case 403:
      return ['Forbidden', serverMessage];
    case 404:
      return ['NotFound', 'the server could not find the requested resource'];
    case 405:
      return ['MethodNotAllowed', 'the server does not allow this method on the requested resource'];
    case 406:
      return ['NotAcceptable', notAcceptable(serverMessage)];
    case 409:
      return [method === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
    case 415:
      return ['UnsupportedMediaType', serverMessage];
    case 422:
      return ['Invalid', 'the server rejected our request due to an error in our request'];
    case 429:
      return [
        'TooManyRequests',
        'the server has received too many requests and has asked us to try again later',
      ];
    case 503:
      return ['ServiceUnavailable', 'the server is currently unable to handle the request'];
    case 504:
      return [
        'Timeout',
        'the server was unable to return a response in the time allotted, but may still be processing the request',
      ];
    default:
      return code >= 500
        ? [
            'InternalError',
            `an error on the server (${JSON.stringify(serverMessage)}) has prevented the request from succeeding`,
          ]
        : [
            'BadRequest',
            `the server responded with the status code ${code} but did not return more information`,
          ];
  }
}

function notAcceptable(serverMessage: string): string {
  return serverMessage === '' || serverMessage === 'unknown'
    ? 'the server was unable to respond with a content type that the client supports'
    : serverMessage;
}
