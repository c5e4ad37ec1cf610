import { type Cause, errors } from '../../api/status.ts';
import { forbidden, notSupported } from './field-error.ts';

/** The options of a list on which rules hold. Texts, for they may come straight from a URL. */
interface RevisionOptions {
  readonly resourceVersion?: string | null | undefined;
  readonly resourceVersionMatch?: string | null | undefined;
  readonly continue?: string | null | undefined;
}

/**
 * Every rule that the options of a list break: which revision it may ask for, and how exactly.
 *
 * Upstream: kubernetes/apimachinery@v0.30.0 pkg/apis/meta/internalversion/validation/validation.go ValidateListOptions
 */
export function validateListOptions(options: RevisionOptions): readonly Cause[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (!match) return [];
  const causes: Cause[] = [];
  const refuse = (why: string): number => causes.push(forbidden(MATCH, `resourceVersionMatch ${why}`));
  if (!resourceVersion) refuse('is forbidden unless resourceVersion is provided');
  if (options.continue) refuse('is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    causes.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') refuse('"exact" is forbidden for resourceVersion "0"');
  return causes;
}

const MATCH = 'resourceVersionMatch';

/** @throws StatusError Invalid, when there are causes. `kind` is that of the options: `ListOptions` */
export function mustBeValidOptions(kind: string, causes: readonly Cause[]): void {
  if (causes.length > 0) throw errors.invalid({ group: 'meta.k8s.io', kind }, '', causes);
}
