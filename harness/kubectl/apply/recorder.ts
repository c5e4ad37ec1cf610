import type { FetchHandler } from '../../mount/fetch.ts';

/** A request as the server received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** The parameters in alphabetical order; absent without any. */
  readonly query?: string;
  /** Absent without a body. */
  readonly contentType?: string;
  /** The decoded JSON; absent without a body. */
  readonly body?: unknown;
}

/**
 * Paths of discovery and of the description of the API, which each client reads when it likes. kubectl also lists the
 * definitions of custom resources, before it validates an object of an unknown kind.
 */
const DISCOVERY =
  /^\/apis\/apiextensions\.k8s\.io\/v1\/customresourcedefinitions$|^\/(?:api|apis|version|openapi(?:\/.*)?|api\/[^/]+|apis\/[^/]+(?:\/[^/]+)?)\/?$/;

/** One warning of a header: `299 - "text"`. */
const WARNING = /\b299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** Records the requests of a client, except for discovery. */
export class Recorder {
  readonly #requests: RecordedRequest[] = [];
  readonly #warnings = new Set<string>();

  /** Returns a handler that records each request and passes it on. */
  around(handler: FetchHandler): FetchHandler {
    return async (request, peer) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === 'GET' && DISCOVERY.test(pathname)) return handler(request, peer);
      const text = await request.clone().text();
      searchParams.sort();
      const query = searchParams.toString();
      this.#requests.push({
        method: request.method,
        path: decodeURI(pathname).replaceAll('%3A', ':'),
        ...(query !== '' && { query }),
        ...(text !== '' && {
          contentType: request.headers.get('content-type') ?? '',
          body: JSON.parse(text),
        }),
      });
      const response = await handler(request, peer);
      for (const [, warning = ''] of (response.headers.get('warning') ?? '').matchAll(WARNING)) {
        this.#warnings.add(warning.replaceAll(/\\(.)/g, '$1'));
      }
      return response;
    };
  }

  /** Returns the warnings of the server since the last call, each once. */
  takeWarnings(): readonly string[] {
    const warnings = [...this.#warnings];
    this.#warnings.clear();
    return warnings;
  }

  /** Returns the requests since the last call. */
  take(): readonly RecordedRequest[] {
    return this.#requests.splice(0);
  }
}
