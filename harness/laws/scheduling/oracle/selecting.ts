import type * as core from '#api/core/v1';
import type { LabelSelector } from '#api/meta/v1';
import type { Labels } from '../../../api/label-selector.ts';
import { isValidLabelValue } from '../../../api/names.ts';
import type { Node } from '../../../api/objects.ts';

/**
 * Reports whether a label selector selects labels. A missing selector selects nothing, an empty selector everything.
 *
 * This is an independent, simple implementation: it shares no code with the selectors of the rest of the harness.
 */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => holds(operator, values, labels[key]))
  );
}

/** Reports whether a selector is empty, so that it selects everything. */
export function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Reports whether a node matches the required node affinity and the node selector. */
export function nodeIsWanted({ nodeSelector = {}, affinity }: core.PodSpec, node: Node): boolean {
  const { labels = {} } = node.metadata;
  if (!Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || required.nodeSelectorTerms.some((term) => nodeTermHolds(term, node));
}

/** Reports whether every term requires two node names at once. */
export function wantsNoNode({ affinity }: core.PodSpec): boolean {
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const namesIn = ({ matchFields = [] }: core.NodeSelectorTerm) =>
    new Set(matchFields.flatMap(({ operator, values = [] }) => (operator === 'In' ? values : [])));
  return terms.length > 0 && terms.every((term) => namesIn(term).size > 1);
}

/** Reports whether a term holds for a node. */
export function nodeTermHolds(term: core.NodeSelectorTerm, node: Node): boolean {
  return whyTermFails(term, node) === undefined;
}

/** Explains why a term fails on a node. An empty term fails, and so does a term with an invalid requirement. */
export function whyTermFails(
  { matchExpressions = [], matchFields = [] }: core.NodeSelectorTerm,
  node: Node,
): string | undefined {
  const { labels = {}, name } = node.metadata;
  if (matchExpressions.length + matchFields.length === 0)
    return 'is empty, and an empty term matches no node';
  const senseless =
    matchExpressions.find((each) => !makesSense(each)) ??
    matchFields.find(({ operator, values = [] }) => !/^(In|NotIn)$/.test(operator) || values.length !== 1);
  if (senseless) return `has the invalid requirement "${inWords(senseless)}", so it matches no node`;
  const fields: Labels = { 'metadata.name': name };
  const fails =
    matchExpressions.find(({ key, operator, values = [] }) => !holds(operator, values, labels[key])) ??
    matchFields.find(({ key, operator, values = [] }) => !holds(operator, values, fields[key] ?? ''));
  return fails && `requires "${inWords(fails)}"`;
}

function inWords({ key, operator, values }: core.NodeSelectorRequirement): string {
  return values ? `${key} ${operator} [${values.join(', ')}]` : `${key} ${operator}`;
}

function makesSense({ operator, values = [] }: core.NodeSelectorRequirement): boolean {
  if (!values.every((value) => isValidLabelValue(value).length === 0)) return false;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0;
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0;
    case 'Gt':
    case 'Lt':
      return values.length === 1 && values.every(isInteger);
    default:
      return false;
  }
}

function holds(operator: string, values: readonly string[], actual: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual);
    case 'NotIn':
      return actual === undefined || !values.includes(actual);
    case 'Exists':
      return actual !== undefined;
    case 'DoesNotExist':
      return actual === undefined;
    case 'Gt':
      return actual !== undefined && isInteger(actual) && BigInt(actual) > BigInt(values[0] ?? '');
    case 'Lt':
      return actual !== undefined && isInteger(actual) && BigInt(actual) < BigInt(values[0] ?? '');
    default:
      return false;
  }
}

function isInteger(text: string): boolean {
  return /^-?\d{1,18}$/.test(text);
}
