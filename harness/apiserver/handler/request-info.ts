import type { Verb } from '../../api/resource.ts';

/**
 * The intent of a request, from its method and path: the verb, and the resource, namespace and name. Nothing here knows
 * which resources exist.
 *
 * Parts that the path does not have are empty.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo.go RequestInfo
 */
export interface RequestInfo {
  /** Whether the request names a resource. If not, only `path` and `verb` are meaningful. */
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** One of {@link Verb}; the method in lower case if the request names no resource; `''` if unknown. */
  readonly verb: string;
  /** `''` for the core group. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** The namespace of the request; for a request for one namespace, the name of that namespace. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The path from the resource on: resource, name, subresource, and the rest. */
  readonly parts: readonly string[];
}

/**
 * Parses the method and URL of a request. `/api/v1/…` and `/apis/{group}/{version}/…` name resources; all other paths
 * do not.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo.go RequestInfoFactory.NewRequestInfo
 *
 * Differs: the `proxy` prefix, which no apiserver serves any more, has no special meaning.
 */
export function requestInfo(method: string, url: URL): RequestInfo {
  const path = decodePath(url.pathname);
  const segments = path.replace(/^\/+|\/+$/g, '').split('/');
  const about = segments[0] === 'api' ? segments.slice(1) : segments[0] === 'apis' ? segments.slice(2) : [];
  const [apiVersion = '', ...rest] = about;
  if (rest.length === 0) return { ...NOTHING, path, verb: method.toLowerCase() };

  const watches = rest[0] === 'watch' && rest.length > 1;
  const { namespace, parts } = splitNamespace(watches ? rest.slice(1) : rest);
  const [resource = '', name = '', subresource = ''] = parts;
  return {
    isResourceRequest: true,
    path,
    verb: watches ? 'watch' : verbOf(method, name, url.searchParams),
    apiGroup: segments[0] === 'apis' ? (segments[1] ?? '') : '',
    apiVersion,
    namespace,
    resource,
    subresource,
    name,
    parts,
  };
}

const NOTHING: Omit<RequestInfo, 'path' | 'verb'> = {
  isResourceRequest: false,
  apiGroup: '',
  apiVersion: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
};

/** Subresources of a namespace; they can follow its name and are not resources in it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

function splitNamespace(rest: readonly string[]): { namespace: string; parts: readonly string[] } {
  const [first, namespace = '', next] = rest;
  if (first !== 'namespaces') return { namespace: '', parts: rest };
  const within = next !== undefined && !NAMESPACE_SUBRESOURCES.includes(next);
  return { namespace, parts: within ? rest.slice(2) : rest };
}

function verbOf(method: string, name: string, query: URLSearchParams): Verb | '' {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name ? 'delete' : 'deletecollection';
    case 'GET':
    case 'HEAD':
      if (name) return 'get';
      return booleanParameter(query, 'watch') ? 'watch' : 'list';
    default:
      return '';
  }
}

/**
 * Returns true for a present parameter, with or without a value, unless its value is `false` or `0`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/conversion.go Convert_Slice_string_To_bool
 */
export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** Decodes a path. A path with invalid escapes stays unchanged: it names nothing. */
function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
