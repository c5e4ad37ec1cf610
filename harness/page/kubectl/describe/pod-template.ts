import type { PodTemplateSpec, Toleration, TopologySpreadConstraint } from '#api/core/v1';
import { formatLabelSelector } from '../../../apiserver/table/labels.ts';
import { containerLines } from './containers.ts';
import { annotationLines, columnLines, type Lines, labelLines } from './text.ts';
import { volumeLines } from './volumes.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go DescribePodTemplate */
export function podTemplateLines({ metadata, spec }: PodTemplateSpec): Lines {
  const { serviceAccountName, initContainers = [], containers = [], priorityClassName } = spec ?? {};
  const annotations = metadata?.annotations ?? {};
  const indent = '  ';
  return [
    'Pod Template:',
    ...labelLines('  Labels', metadata?.labels),
    ...(Object.keys(annotations).length > 0 ? annotationLines('  Annotations', annotations) : []),
    ...(serviceAccountName ? [`  Service Account:\t${serviceAccountName}`] : []),
    ...(initContainers.length > 0 ? containerLines('Init Containers', initContainers, { indent }) : []),
    ...containerLines('Containers', containers, { indent }),
    ...volumeLines(spec?.volumes, indent),
    ...spreadLines(spec?.topologySpreadConstraints, indent),
    ...(priorityClassName ? [`  Priority Class Name:\t${priorityClassName}`] : []),
    ...labelLines('  Node-Selectors', spec?.nodeSelector),
    ...tolerationLines('  Tolerations', spec?.tolerations),
  ];
}

/** Lists tolerations: `node.kubernetes.io/not-ready:NoExecute op=Exists for 300s`. */
export function tolerationLines(title: string, tolerations: readonly Toleration[] = []): Lines {
  const texts = tolerations
    .toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : (a.key ?? '') > (b.key ?? '') ? 1 : 0))
    .map(({ key = '', value, effect, operator, tolerationSeconds }) => {
      const head = `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`;
      const exists = operator === 'Exists' && !value ? `${key || effect ? ' ' : ''}op=Exists` : '';
      const time = tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`;
      return `${head}${exists}${time}`;
    });
  return columnLines(title, texts);
}

/** Lists the constraints that spread pods; nothing without one. */
export function spreadLines(constraints: readonly TopologySpreadConstraint[] = [], indent = ''): Lines {
  if (constraints.length === 0) return [];
  const texts = constraints
    .toSorted((a, b) => (a.topologyKey < b.topologyKey ? -1 : 1))
    .map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
      const selector = labelSelector ? ` for selector ${formatLabelSelector(labelSelector)}` : '';
      return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector}`;
    });
  const [first, ...others] = texts;
  return [`${indent}Topology Spread Constraints:\t${first}`, ...others.map((text) => `${indent}\t${text}`)];
}
