import type { Resource } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import type { ApplyError, ApplyOptions, ApplyReport } from '../contracts/apply/index.ts';

/**
 * Returns the name of an object in kubectl's messages: `deployment.apps/web`, or `pod/web` in the core group.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/printers/name.go NamePrinter.PrintObj
 */
export function shownName({ kind, group }: Pick<Resource, 'kind' | 'group'>, name: string): string {
  return `${kindName({ kind, group })}/${name}`;
}

/** Returns `deployment.apps`, or `pod` in the core group. */
export function kindName({ kind, group }: Pick<Resource, 'kind' | 'group'>): string {
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
}

/**
 * Returns a refusal of the server as kubectl prints it if it is the only error, without a newline.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/helpers.go checkErr
 */
export function statusMessage({ reason, status: { message, details = {} } }: StatusError): string {
  if (reason !== 'Invalid') return `Error from server (${reason}): ${message}`;
  const { name = '', kind = '', causes = [] } = details;
  const isNamed = name !== '' || kind !== '';
  const subject = isNamed ? `The ${kind} "${name}" is invalid` : 'The request is invalid';
  const [only, ...more] = causes.map((cause) => `${cause.field}: ${cause.message}`);
  if (only === undefined) return isNamed ? subject : `${subject}: ${message}`;
  if (more.length === 0) return `${subject}: ${only}`;
  return [`${subject}: `, ...[only, ...more].map((each) => `* ${each}`)].join('\n');
}

/** Returns ` (dry run)` or ` (server dry run)` if nothing was written, and nothing otherwise. */
export function dryRunSuffix(dryRun: ApplyOptions['dryRun']): string {
  if (dryRun === undefined) return '';
  return dryRun === 'client' ? ' (dry run)' : ' (server dry run)';
}

/** Returns a line of kubectl for each applied object: `deployment.apps/web configured`. */
export function appliedLines({ applied }: ApplyReport, dryRun?: ApplyOptions['dryRun']): readonly string[] {
  return applied.map(
    ({ resource, key, outcome }) => `${shownName(resource, key.name)} ${outcome}${dryRunSuffix(dryRun)}`,
  );
}

/**
 * Returns the errors of an apply as kubectl prints them. A single error has other words than one of several.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/helpers.go checkErr, MultipleErrors
 */
export function errorLines({ errors }: ApplyReport): readonly string[] {
  const [only, ...more] = errors;
  if (!only || more.length > 0) return errors.map((error) => wordsOf(error) ?? error.message);
  if (only.cause instanceof StatusError && only.cause.reason === 'Invalid')
    return [statusMessage(only.cause)];
  return [wordsOf(only) ?? (only.message.startsWith('error: ') ? only.message : `error: ${only.message}`)];
}

/** Returns a refusal of the server in words; undefined for another error. */
function wordsOf({ message, cause }: ApplyError): string | undefined {
  if (!(cause instanceof StatusError) || IN_OTHER_WORDS.test(message)) return undefined;
  return `Error from server (${cause.reason}): ${message}`;
}

/** kubectl prints these refusals in other words. */
const IN_OTHER_WORDS =
  /\nPlease review the fields above|^Server-side apply not available|^error pruning|^An error occurred force-replacing/;
