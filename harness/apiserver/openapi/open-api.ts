import { createHash } from '#platform/hash';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';
import { encodeGnostic } from './gnostic.ts';
import type { SchemaSource } from './schema.ts';
import { type SwaggerDocument, swaggerOf } from './swagger.ts';

/** A document in its transmitted form. */
export interface Representation {
  readonly body: string | Uint8Array;
  /** Identifies the content: the SHA-512 of the JSON, in upper-case hexadecimal. */
  readonly hash: string;
}

/**
 * The OpenAPI documents of these resources. Each is built on first use.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/handler3/handler.go OpenAPIService
 */
export class OpenApi {
  /** The documents by path: `api/v1`, `apis/apps/v1`. */
  readonly #documents: ReadonlyMap<string, Lazy<OpenApiDocument>>;
  readonly #contents: ReadonlyMap<string, Lazy<Representation>>;
  readonly #swagger: Lazy<SwaggerDocument>;
  readonly #index: Lazy<Representation>;
  readonly #v2: Lazy<Representation>;
  readonly #v2Protobuf: Lazy<Representation>;

  /**
   * @param source - has the schemas of the resources
   * @param release - the release of the server: `v1.36.3`
   */
  constructor(resources: readonly Resource[], source: SchemaSource, release: string) {
    const groupVersions = [...new Set(resources.map(groupVersion))];
    this.#documents = new Map(
      groupVersions.map((each) => {
        const own = resources.filter((resource) => groupVersion(resource) === each);
        const path = each.includes('/') ? `apis/${each}` : `api/${each}`;
        return [path, lazy(() => openApiDocument(own, source, release))];
      }),
    );
    this.#contents = new Map(
      [...this.#documents].map(([path, document]) => [
        path,
        lazy(() => representationOf(JSON.stringify(document()))),
      ]),
    );
    this.#index = lazy(() => representationOf(JSON.stringify(this.#paths())));
    this.#swagger = lazy(() => swaggerOf([...this.#documents.values()].map((document) => document())));
    this.#v2 = lazy(() => representationOf(JSON.stringify(this.#swagger())));
    // Another encoding of the same content, with the same hash.
    this.#v2Protobuf = lazy(() => ({ body: encodeGnostic(this.#swagger()), hash: this.#v2().hash }));
  }

  /** Returns the index, which has the path of each document. */
  index(): Representation {
    return this.#index();
  }

  /** Returns the document at `apis/apps/v1`; undefined if it does not exist. */
  document(path: string): Representation | undefined {
    return this.#contents.get(path)?.();
  }

  /** Returns all documents merged into one, in Swagger 2.0. */
  swagger(format: 'json' | 'protobuf'): Representation {
    return format === 'json' ? this.#v2() : this.#v2Protobuf();
  }

  #paths(): object {
    const paths = [...this.#contents].map(([path, content]) => [
      path,
      { serverRelativeURL: serverRelativeUrl(path, content().hash) },
    ]);
    return { paths: Object.fromEntries(paths.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))) };
  }
}

/** Returns the URL of a document with this path and content. */
export function serverRelativeUrl(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

type Lazy<T> = () => T;

/** Returns a function that computes the value on the first call. */
function lazy<T>(make: () => T): Lazy<T> {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function representationOf(body: string): Representation {
  return { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase() };
}
