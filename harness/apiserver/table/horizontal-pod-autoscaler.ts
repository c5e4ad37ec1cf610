import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '#api/autoscaling/v2';
import { autoscalerToV2 } from '../kinds/autoscaling-conversion.ts';
import { type Ago, UNKNOWN } from './ago.ts';
import { age, type Column, NONE, name, text, UNSET } from './column.ts';

const columns: readonly Column<HorizontalPodAutoscaler>[] = [
  name,
  text('Reference', 'The object that it scales.', ({ spec }) => {
    const { kind = '', name: of = '' } = spec?.scaleTargetRef ?? {};
    return `${kind}/${of}`;
  }),
  text('Targets', 'What is measured, and what it shall be.', metrics),
  text('MinPods', 'How few pods there may be.', ({ spec }) => String(spec?.minReplicas ?? UNSET)),
  text('MaxPods', 'How many pods there may be.', ({ spec }) => spec?.maxReplicas ?? 0),
  text('Replicas', 'How many pods there are.', ({ status }) => status?.currentReplicas ?? 0),
  age,
];

/** The columns of a HorizontalPodAutoscaler, which are the same for both versions. */
export const horizontalPodAutoscalerColumns = columns.map((column) => ({
  ...column,
  cell: (object: HorizontalPodAutoscaler, ago: Ago) => column.cell(inVersion2(object), ago),
}));

function inVersion2(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  return object.apiVersion === 'autoscaling/v1'
    ? (autoscalerToV2(object) as HorizontalPodAutoscaler)
    : object;
}

const METRICS_SHOWN_MAX = 2;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go formatHPAMetrics */
function metrics({ spec, status }: HorizontalPodAutoscaler): string {
  const specs = spec?.metrics ?? [];
  if (specs.length === 0) return NONE;
  const texts = specs.map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  const shown = texts.slice(0, METRICS_SHOWN_MAX).join(', ');
  const more = texts.length - METRICS_SHOWN_MAX;
  return more > 0 ? `${shown} + ${more} more...` : shown;
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return amountText(spec.external?.target, status?.external?.current);
    case 'Object':
      return amountText(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${amount(status?.pods?.current, 'averageValue')}/${spec.pods?.target?.averageValue ?? NIL}`;
    case 'Resource':
      return resourceText(spec.resource, status?.resource?.current);
    case 'ContainerResource':
      return resourceText(spec.containerResource, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

/** Go's text for a missing quantity. */
const NIL = '<nil>';

function amountText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (!target?.averageValue) return `${amount(current, 'value')}/${target?.value ?? NIL}`;
  return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
}

function resourceText(
  source: { readonly name: string; readonly target: MetricTarget } | undefined,
  current: MetricValueStatus | undefined,
): string {
  const { name: resource = '', target } = source ?? {};
  if (target?.averageValue) {
    return `${resource}: ${amount(current, 'averageValue')}/${target.averageValue}`;
  }
  const is = percent(current?.averageUtilization) ?? UNKNOWN;
  return `${resource}: ${is}/${percent(target?.averageUtilization) ?? '<auto>'}`;
}

function amount(current: MetricValueStatus | undefined, field: 'value' | 'averageValue'): string {
  return current ? (current[field] ?? NIL) : UNKNOWN;
}

function percent(value: number | null | undefined): string | undefined {
  return typeof value === 'number' ? `${value}%` : undefined;
}
