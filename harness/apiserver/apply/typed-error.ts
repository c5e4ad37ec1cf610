import { elementText, type PathElement } from './path-element.ts';

/** A type error in one value of an object. */
export interface TypedIssue {
  /** The path as in error messages; empty for the whole object. */
  readonly path: string;
  readonly message: string;
}

/**
 * The error for an object that violates its schema.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/helpers.go ValidationErrors
 */
export class TypedError extends Error {
  override readonly name = 'TypedError';

  constructor(issues: readonly TypedIssue[]) {
    const texts = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
  }
}

/** Returns one issue of the current value. */
export const issue = (message: string): readonly TypedIssue[] => [{ path: '', message }];

/** Prefixes the issues of a value with its step in the parent. */
export function below(element: PathElement, issues: readonly TypedIssue[]): readonly TypedIssue[] {
  if (issues.length === 0) return issues;
  const step = elementText(element);
  return issues.map(({ path, message }) => ({ path: step + path, message }));
}
