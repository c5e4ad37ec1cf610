// Derived from the Go types of discovery/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface Endpoint {
  addresses: Array<string>;
  conditions?: EndpointConditions;
  hostname?: string;
  targetRef?: core.ObjectReference;
  deprecatedTopology?: { [name: string]: string };
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
}
export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}
export interface EndpointHints {
  forZones?: Array<ForZone>;
  forNodes?: Array<ForNode>;
}
export interface EndpointPort {
  name?: string;
  protocol?: string;
  port?: number;
  appProtocol?: string;
}
export interface EndpointSlice {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  addressType: string;
  endpoints?: Array<Endpoint>;
  ports?: Array<EndpointPort>;
}
export interface EndpointSliceList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<EndpointSlice>;
}
export interface ForNode {
  name: string;
}
export interface ForZone {
  name: string;
}
