import type { NodeMetrics, PodMetrics } from '#api/metrics/v1beta1';
import { parseQuantity, Quantity } from '../../api/quantity.ts';
import { type Column, name, text } from './column.ts';

/**
 * The columns of a NodeMetrics: the usage of a node.
 *
 * Upstream: kubernetes-sigs/metrics-server@v0.8.1 pkg/api/table.go addNodeMetricsToTable
 */
export const nodeMetricsColumns: readonly Column<NodeMetrics>[] = [
  name,
  quantity<NodeMetrics>('cpu', ({ usage }) => usage?.cpu),
  quantity<NodeMetrics>('memory', ({ usage }) => usage?.memory),
  window(),
];

/**
 * The columns of a PodMetrics: the sums over the containers of a pod.
 *
 * Upstream: kubernetes-sigs/metrics-server@v0.8.1 pkg/api/table.go addPodMetricsToTable
 */
export const podMetricsColumns: readonly Column<PodMetrics>[] = [
  name,
  quantity<PodMetrics>('cpu', (pod) => total(pod, 'cpu')),
  quantity<PodMetrics>('memory', (pod) => total(pod, 'memory')),
  window(),
];

function quantity<T>(resource: string, of: (object: T) => string | undefined): Column<T> {
  return {
    ...text<T>(resource, `How much ${resource} it uses.`, (object) => of(object) ?? '0'),
    format: 'quantity',
  };
}

function window<T extends { readonly window?: string }>(): Column<T> {
  return {
    ...text<T>('Window', 'Over how long that was measured.', ({ window: over }) => over ?? '0s'),
    format: 'duration',
  };
}

function total({ containers }: PodMetrics, resource: string): string {
  const used = (containers ?? []).map(({ usage }) => parseQuantity(usage?.[resource] ?? '0'));
  return used.reduce((sum, each) => sum.add(each), new Quantity(0n, 'DecimalSI')).toString();
}
