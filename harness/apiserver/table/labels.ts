import type { LabelSelector } from '#api/meta/v1';
import { labelSelectorAsSelector, SelectorError } from '../../api/label-selector.ts';
import { NONE } from './column.ts';

/**
 * Prints labels in order: `app=web,tier=front`; `<none>` without labels.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/labels.go FormatLabels
 */
export function formatLabels(labels: Readonly<Record<string, string>> | null | undefined): string {
  const texts = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return texts.sort().join(',') || NONE;
}

/**
 * Prints a selector: `<none>` if it has no requirements, `<error>` if it is invalid.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/helpers.go FormatLabelSelector
 */
export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  return selectorText(selector, '<error>') || NONE;
}

/** Prints a selector; the text can be empty. */
export function selectorText(selector: LabelSelector | null | undefined, ifInvalid: string): string {
  try {
    return String(labelSelectorAsSelector(selector));
  } catch (error) {
    if (error instanceof SelectorError) return ifInvalid;
    throw error;
  }
}
