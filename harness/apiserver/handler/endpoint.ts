import type { ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import type { KubeletServer } from '../../contracts/node/kubelet-server.ts';
import type { Clock } from '../../sim/index.ts';
import type { Decoders } from './body.ts';
import type { Answer } from './respond.ts';

/** One request, taken apart. */
export interface Call {
  readonly client: Client;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly resource: Resource;
  /** `''` for none. */
  readonly namespace: string;
  /** `''` for none. */
  readonly name: string;
  readonly decoders: Decoders;
  readonly kubelets: Kubelets;
  /** By which the ages in tables are reckoned. */
  readonly clock: Pick<Clock, 'now'> | undefined;
}

/** The kubelet of a node, by the node's name; undefined where none answers. */
export type Kubelets = (node: string) => KubeletServer | undefined;

/** What an endpoint is: one request, taken apart, goes in, and one answer comes out. */
type Endpoint = (call: Call) => Promise<Answer | Response>;

/** By verb. A verb that is absent is not allowed. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** The key of the object that the path names. */
export function keyOf({
  resource,
  namespace,
  name,
}: Pick<Call, 'resource' | 'namespace' | 'name'>): ObjectKey {
  return resource.namespaced ? { namespace, name } : { name };
}
