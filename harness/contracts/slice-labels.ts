/**
 * The labels of an EndpointSlice with the name of its Service, and with the program that writes it.
 *
 * Upstream: kubernetes/api@v0.36.3 discovery/v1/well_known_labels.go LabelServiceName, LabelManagedBy
 */
export const SLICE = {
  service: 'kubernetes.io/service-name',
  managedBy: 'endpointslice.kubernetes.io/managed-by',
} as const;
