import { parse as parseLabelSelector, SelectorError } from '../../api/label-selector.ts';
import type { Verb } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import { nameSelectedBy } from '../request-attributes.ts';
import { booleanParameter, numberParameter } from './parameters.ts';

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
  /** One of {@link Verb} or `proxy`; the method in lower case if the request names no resource; `''` if unknown. */
  readonly verb: string;
  /** `''` for the core group. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** The namespace of the request; for a request for one namespace, the name of that namespace. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** The name in the path. A list or a watch of at most one object has the name that its field selector requires. */
  readonly name: string;
  /** The field selector of a list, a watch or a deletecollection, as sent. */
  readonly fieldSelector: string;
  /** The path from the resource on: resource, name, subresource, and the rest. */
  readonly parts: readonly string[];
}

/**
 * Parses the method and URL of a request. `/api/v1/…` and `/apis/{group}/{version}/…` name resources; all other paths
 * do not.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo.go RequestInfoFactory.NewRequestInfo
 */
export function requestInfo(method: string, url: URL): RequestInfo {
  const path = decodePath(url.pathname);
  const segments = path.replace(/^\/+|\/+$/g, '').split('/');
  const about = segments[0] === 'api' ? segments.slice(1) : segments[0] === 'apis' ? segments.slice(2) : [];
  const [apiVersion = '', ...rest] = about;
  if (rest.length === 0) return { ...NOTHING, path, verb: method.toLowerCase() };

  // Prefixes of older paths. No server serves `proxy` any more.
  const prefix = rest.length > 1 && (rest[0] === 'watch' || rest[0] === 'proxy') ? rest[0] : undefined;
  const { namespace, parts } = splitNamespace(prefix ? rest.slice(1) : rest);
  const [resource = '', named = '', subresource = ''] = parts;
  const verb = prefix ?? verbOf(method, named, url.searchParams);
  const selects = prefix === undefined && (verb === 'list' || verb === 'watch');
  return {
    isResourceRequest: true,
    path,
    verb,
    apiGroup: segments[0] === 'apis' ? (segments[1] ?? '') : '',
    apiVersion,
    namespace,
    resource,
    subresource: prefix === 'proxy' ? '' : subresource,
    name: named || (selects ? selectedName(url.searchParams) : ''),
    fieldSelector:
      selects || verb === 'deletecollection' ? (url.searchParams.get('fieldSelector') ?? '') : '',
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
  fieldSelector: '',
  parts: [],
};

/** Returns the name that the options select. Options that cannot be read select none. */
function selectedName(query: URLSearchParams): string {
  const fieldSelector = query.get('fieldSelector');
  if (!fieldSelector) return '';
  try {
    for (const name of ['limit', 'timeoutSeconds']) numberParameter(query, name);
    parseLabelSelector(query.get('labelSelector') ?? '');
  } catch (error) {
    if (error instanceof StatusError || error instanceof SelectorError) return '';
    throw error;
  }
  return nameSelectedBy(fieldSelector);
}

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

/** Decodes a path. A path with invalid escapes stays unchanged: it names nothing. */
function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
