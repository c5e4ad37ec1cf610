import { type Cause, errors } from '../../api/status.ts';
import { forbidden, notSupported } from './field-error.ts';

/** The options of a list or watch that have rules. They are strings, because they can come directly from a URL. */
interface RevisionOptions {
  readonly resourceVersion?: string | null | undefined;
  readonly resourceVersionMatch?: string | null | undefined;
  readonly continue?: string | null | undefined;
  readonly sendInitialEvents?: boolean | undefined;
}

const MATCH = 'resourceVersionMatch';

/**
 * Returns the violations in the options of a list: the allowed revisions and matches.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/internalversion/validation/validation.go ValidateListOptions
 */
export function validateListOptions(options: RevisionOptions): readonly Cause[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const causes: Cause[] = [];
  const refuse = (why: string): number => causes.push(forbidden(MATCH, `resourceVersionMatch ${why}`));
  if (match) {
    if (!resourceVersion) refuse('is forbidden unless resourceVersion is provided');
    if (options.continue) refuse('is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      refuse('"exact" is forbidden for resourceVersion "0"');
    }
  }
  if (options.sendInitialEvents !== undefined) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return causes;
}

/**
 * Returns the violations in the options of a watch: initial events require a match.
 *
 * @param servesStreamingLists - the feature gate WatchList
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/internalversion/validation/validation.go validateWatchOptions
 */
export function validateWatchOptions(
  options: RevisionOptions,
  servesStreamingLists = true,
): readonly Cause[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const causes: Cause[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    causes.push(forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (sendInitialEvents !== undefined && !servesStreamingLists) {
    const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    causes.push(forbidden('sendInitialEvents', why));
  }
  if (!match) return causes;
  if (sendInitialEvents === undefined) {
    causes.push(
      forbidden(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (match !== 'NotOlderThan') causes.push(notSupported(MATCH, match, ['NotOlderThan']));
  if (options.continue) {
    causes.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return causes;
}

/** @throws StatusError Invalid when there are causes. `kind` is the kind of the options: `ListOptions` */
export function mustBeValidOptions(kind: string, causes: readonly Cause[]): void {
  if (causes.length > 0) throw errors.invalid({ group: 'meta.k8s.io', kind }, '', causes);
}
