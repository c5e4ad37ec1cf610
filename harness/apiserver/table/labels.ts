import type { LabelSelector } from '#api/meta/v1';
import { labelSelectorAsSelector, SelectorError } from '../../api/label-selector.ts';
import { NONE } from './column.ts';

/**
 * Labels as one text, in order: `app=web,tier=front`; `<none>` without any.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/labels.go FormatLabels
 */
export function formatLabels(labels: Readonly<Record<string, string>> | null | undefined): string {
  const texts = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return texts.sort().join(',') || NONE;
}

/**
 * A selector as one text; `<none>` when it asks for nothing, `<error>` when it cannot be understood.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/helpers.go FormatLabelSelector
 */
export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  return selectorText(selector, '<error>') || NONE;
}

/** A selector as one text, which may be empty. */
export function selectorText(selector: LabelSelector | null | undefined, ifInvalid: string): string {
  try {
    return String(labelSelectorAsSelector(selector));
  } catch (error) {
    if (error instanceof SelectorError) return ifInvalid;
    throw error;
  }
}
