import type { ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import type { NodeNetwork } from '../../contracts/node/index.ts';
import type { KubeletServer } from '../../contracts/node/kubelet-server.ts';
import type { Clock } from '../../sim/index.ts';
import type { Decoders } from './body.ts';
import type { Answer } from './respond.ts';

/** A parsed request. */
export interface Call {
  readonly client: Client;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly resource: Resource;
  /** `''` if the path names no namespace. */
  readonly namespace: string;
  /** `''` if the path names no object. */
  readonly name: string;
  readonly decoders: Decoders;
  readonly kubelets: Kubelets;
  readonly podNetwork: PodNetwork;
  /** The clock for the ages in tables. */
  readonly clock: Pick<Clock, 'now'> | undefined;
  /**
   * Sends a warning to the client, with the answer or the error.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/warning.go recorder.AddWarning, which sets a header at once
   */
  readonly warn: (warning: string) => void;
}

/** Returns the kubelet of a node by the node's name; undefined if no kubelet answers. */
export type Kubelets = (node: string) => KubeletServer | undefined;

/** Sends requests to the addresses of pods. */
export type PodNetwork = Pick<NodeNetwork, 'request'>;

/** Handles one parsed request and returns its answer. */
type Endpoint = (call: Call) => Promise<Answer | Response>;

/** Endpoints by verb. A missing verb is not allowed. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Returns the key of the object that the path names. */
export function keyOf({
  resource,
  namespace,
  name,
}: Pick<Call, 'resource' | 'namespace' | 'name'>): ObjectKey {
  return resource.namespaced ? { namespace, name } : { name };
}
