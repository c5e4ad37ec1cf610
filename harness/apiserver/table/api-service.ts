import type { APIService } from '#api/apiregistration/v1';
import { age, type Column, name, text } from './column.ts';

/**
 * The columns of an APIService.
 *
 * Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/registry/apiservice/etcd/etcd.go REST.ConvertToTable
 *
 * Differs: a watch sends the columns with its first event; upstream repeats them with each event.
 */
export const apiServiceColumns: readonly Column<APIService>[] = [
  name,
  text('Service', 'The service that serves this version, or that it is served here.', ({ spec }) =>
    spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local',
  ),
  text('Available', 'Whether it is served.', available),
  age,
];

function available({ status }: APIService): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status !== 'True' && condition.reason
    ? `${condition.status} (${condition.reason})`
    : condition.status;
}
