/** The pieces that requests are put together from: path, query and the bodies that are options. */
import type { ObjectKey } from '../api/objects.ts';
import type { Resource, Subresource } from '../api/resource.ts';
import type { DeleteOptions, ListOptions, Selection, WriteOptions } from '../contracts/client.ts';

/** Parameters of a URL. Those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Path and query: of one object where there is a key, of a collection elsewhere. */
export function urlOf(
  resource: Resource,
  request: {
    readonly key?: ObjectKey;
    readonly namespace?: string | undefined;
    readonly subresource?: Subresource | undefined;
    readonly query?: Query;
  },
): string {
  const { key, subresource, query = {} } = request;
  const namespace = resource.namespaced ? (key?.namespace ?? request.namespace) : undefined;
  const path = [
    ...(resource.group ? ['apis', resource.group] : ['api']),
    resource.version,
    ...(namespace ? ['namespaces', namespace] : []),
    resource.plural,
    ...(key ? [key.name] : []),
    ...(subresource ? [subresource] : []),
  ];
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return `/${path.map(encodeURIComponent).join('/')}${search}`;
}

export function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}

/** Unlike kubectl, which lets the server's default be, our clients want to know about every field that is lost. */
export function writeQuery({ dryRun, fieldManager, fieldValidation = 'Strict' }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation };
}

/** What is to be deleted. How, {@link deleteBody} says. */
export function deleteQuery(options: ListOptions): Query {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  return {
    ...selectionQuery(options),
    resourceVersion,
    resourceVersionMatch,
    limit,
    continue: options.continue,
  };
}

export function deleteBody(options: DeleteOptions): object {
  const { gracePeriodSeconds, preconditions, propagationPolicy, dryRun } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds,
    preconditions,
    propagationPolicy,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}
