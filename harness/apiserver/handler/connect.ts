import { errors } from '../../api/status.ts';
import { type ConnectOptions, Session } from '../session.ts';
import type { PodCall } from './pod-target.ts';
import { streamsWanted } from './upgrade-command.ts';
import { portsOf } from './upgrade-port-forward.ts';

/** A call that connects to a subresource. */
type ConnectCall = Pick<PodCall, 'client' | 'query' | 'resource' | 'namespace' | 'name'>;

/**
 * Leads `exec`, `attach` or `portforward` through admission. The options of the request are its query.
 *
 * @returns the call, with the options as admission leaves them
 * @throws StatusError when a parameter is invalid, or admission refuses the connection
 */
export async function admitStreams<C extends ConnectCall>(call: C, subresource: string): Promise<C> {
  const options = streamOptions(call.query, subresource);
  const admitted = await admitConnection(call, subresource, options);
  return admitted === options ? call : { ...call, query: queryOf(admitted) };
}

/**
 * Leads a request to `proxy` through admission.
 *
 * @param path - the path behind the proxy, such as `/metrics`; empty if the request ends before it
 * @returns the path, as admission leaves it
 * @throws StatusError when admission refuses the request
 */
export async function admitProxy(call: ConnectCall, path: string): Promise<string> {
  const kind = `${call.resource.kind}ProxyOptions`;
  const options: ConnectOptions = { kind, apiVersion: 'v1', ...(path && { path }) };
  const admitted = await admitConnection(call, 'proxy', options);
  return admitted === options ? path : String(admitted.path ?? '');
}

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go ConnectResource
 *
 * Differs: a client that is no apiserver admits every connection. Warnings of plugins do not reach the client.
 */
async function admitConnection(
  { client, query, resource, namespace, name }: ConnectCall,
  subresource: string,
  options: ConnectOptions,
): Promise<ConnectOptions> {
  if (query.has('dryRun')) throw errors.badRequest('dryRun is not supported');
  if (!(client instanceof Session)) return options;
  return client.connect({ resource, subresource, namespace, name }, options);
}

/** Upstream: kubernetes/api@v0.36.3 core/v1/types.go PodExecOptions, PodAttachOptions, PodPortForwardOptions */
function streamOptions(query: URLSearchParams, subresource: string): ConnectOptions {
  const apiVersion = 'v1';
  if (subresource === 'portforward') {
    const ports = portsOf(query);
    return { kind: 'PodPortForwardOptions', apiVersion, ...(ports.length > 0 && { ports }) };
  }
  const container = query.get('container') ?? '';
  const wanted = Object.entries(streamsWanted(query)).filter(([, isWanted]) => isWanted);
  const streams = { ...Object.fromEntries(wanted), ...(container && { container }) };
  if (subresource === 'attach') return { kind: 'PodAttachOptions', apiVersion, ...streams };
  const command = query.getAll('command');
  // Go prints an empty slice as null.
  return { kind: 'PodExecOptions', apiVersion, ...streams, command: command.length > 0 ? command : null };
}

/** Returns options as a query. */
function queryOf({ kind, apiVersion, ...options }: ConnectOptions): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) {
    for (const each of [value ?? []].flat()) query.append(name, String(each));
  }
  return query;
}
