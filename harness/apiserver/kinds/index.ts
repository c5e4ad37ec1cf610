import type { Kind } from '../kind.ts';
import { configMap } from './config-map.ts';
import { deployment } from './deployment.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { event } from './event.ts';
import { eventV1 } from './event-v1.ts';
import { lease } from './lease.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { pod } from './pod.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import { priorityClass } from './priority-class.ts';
import { replicaSet } from './replica-set.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';

/**
 * One for each of `resources` in `harness/api/resource.ts`.
 *
 * Every kind that the apiserver serves.
 */
export const kinds: readonly Kind[] = [
  configMap,
  endpoints,
  event,
  namespace,
  node,
  persistentVolumeClaim,
  persistentVolume,
  pod,
  secret,
  serviceAccount,
  service,
  deployment,
  replicaSet,
  eventV1,
  lease,
  endpointSlice,
  podDisruptionBudget,
  priorityClass,
];
