import { elementText, type PathElement } from './path-element.ts';

/** What is wrong with one value of an object. */
export interface TypedIssue {
  /** As messages show it; empty for the whole object. */
  readonly path: string;
  readonly message: string;
}

/**
 * An object is not what its schema says.
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

/** One issue of the value at hand. */
export const issue = (message: string): readonly TypedIssue[] => [{ path: '', message }];

/** The issues of a value, as those of what it is in. */
export function below(element: PathElement, issues: readonly TypedIssue[]): readonly TypedIssue[] {
  if (issues.length === 0) return issues;
  const step = elementText(element);
  return issues.map(({ path, message }) => ({ path: step + path, message }));
}
