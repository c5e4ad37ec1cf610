import type { Deployment, EndpointSlice, Node } from '../../api/objects.ts';

/** Returns the status of the condition `Ready` of a node; `Unknown` without one. */
export function readyNodeCondition({ status }: Node): 'True' | 'False' | 'Unknown' {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status;
  return ready === 'True' || ready === 'False' ? ready : 'Unknown';
}

/**
 * Returns whether a Deployment is complete.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollout_status.go DeploymentStatusViewer.Status
 */
export function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    updatedReplicas >= spec.replicas &&
    replicas <= updatedReplicas &&
    availableReplicas >= updatedReplicas
  );
}

/** Returns the name of the Service of an EndpointSlice. */
export function serviceOf({ metadata }: EndpointSlice): string | undefined {
  return metadata.labels?.['kubernetes.io/service-name'];
}
