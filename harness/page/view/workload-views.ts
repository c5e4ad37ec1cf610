import type { Deployment, EndpointSlice, ReplicaSet, Service } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { DeploymentView, EndpointView, ReplicaSetView, ServiceView } from '../protocol/view.ts';
import { grouped } from './grouped.ts';
import { isRolledOut, serviceOf } from './predicates.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go RevisionAnnotation */
const REVISION = 'deployment.kubernetes.io/revision';

/** Returns the pictures of all Deployments. ReplicaSets without pods are left out, except for the newest. */
export function deploymentViewsOf(
  deployments: readonly Deployment[],
  replicaSets: readonly ReplicaSet[],
): readonly DeploymentView[] {
  const byOwner = grouped(replicaSets, (each) => controllerOf(each)?.uid);
  return deployments.map(({ metadata, spec, status, ...rest }) => ({
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    desired: spec.replicas,
    updated: status.updatedReplicas ?? 0,
    ready: status.readyReplicas ?? 0,
    available: status.availableReplicas ?? 0,
    isPaused: spec.paused ?? false,
    isComplete: isRolledOut({ metadata, spec, status, ...rest }),
    ...stuckOf(status),
    replicaSets: (byOwner.get(metadata.uid) ?? [])
      .toSorted((a, b) => revisionOf(b) - revisionOf(a))
      .filter((each, i) => i === 0 || each.spec.replicas > 0 || (each.status.replicas ?? 0) > 0)
      .map(replicaSetViewOf),
  }));
}

/** Returns the reason of a roll-out that makes no progress; empty if it does. */
export function stuckOf({ conditions }: Deployment['status']): Pick<DeploymentView, 'stuck'> {
  const progressing = conditions?.find(({ type }) => type === 'Progressing');
  return progressing?.status === 'False' ? { stuck: progressing.reason ?? progressing.type } : {};
}

function replicaSetViewOf(replicaSet: ReplicaSet): ReplicaSetView {
  const { metadata, spec, status } = replicaSet;
  return {
    name: metadata.name,
    revision: metadata.annotations?.[REVISION] ?? '',
    desired: spec.replicas,
    current: status.replicas ?? 0,
    ready: status.readyReplicas ?? 0,
  };
}

function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

/** Returns the pictures of all Services, with the endpoints of their EndpointSlices. */
export function serviceViewsOf(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
): readonly ServiceView[] {
  const byService = grouped(slices, (each) => `${each.metadata.namespace}/${serviceOf(each)}`);
  return services.map(({ metadata, spec }) => {
    const { clusterIP, type = 'ClusterIP', ports = [] } = spec;
    const own = byService.get(`${metadata.namespace}/${metadata.name}`) ?? [];
    return {
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      type,
      ...(clusterIP !== undefined && clusterIP !== '' && { clusterIP }),
      ports: ports.map(
        ({ port, nodePort, protocol = 'TCP' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`,
      ),
      endpoints: own.flatMap(endpointsOf),
    };
  });
}

function endpointsOf({ endpoints }: EndpointSlice): readonly EndpointView[] {
  return (endpoints ?? []).map(({ addresses, conditions, targetRef }) => ({
    address: addresses[0] ?? '',
    isReady: conditions?.ready ?? true,
    isTerminating: conditions?.terminating ?? false,
    ...(targetRef?.kind === 'Pod' && { pod: `${targetRef.namespace}/${targetRef.name}` }),
  }));
}
