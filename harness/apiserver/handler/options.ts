import type { Cause } from '../../api/status.ts';
import type {
  DeleteOptions,
  GetOptions,
  ListOptions,
  Patch,
  PatchOptions,
  WatchOptions,
  WriteOptions,
} from '../../contracts/client.ts';
import { invalid, notSupported, tooLong } from '../validation/field-error.ts';
import { mustBeValidOptions, validateListOptions, validateWatchOptions } from '../validation/list-options.ts';
import { validatePatchOptions } from '../validation/patch-options.ts';
import { booleanParameter, numberParameter } from './parameters.ts';

type Query = URLSearchParams;

/**
 * Parses query parameters into options. Ignores unknown parameters. A value that does not parse is a 400; a value that
 * is not allowed is a 422.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go, and
 * pkg/apis/meta/internalversion/validation/validation.go
 */
export function getOptions(query: Query): GetOptions {
  const resourceVersion = query.get('resourceVersion');
  return resourceVersion ? { resourceVersion } : {};
}

/** @throws StatusError BadRequest (not a number), Invalid (contradictory parameters) */
export function listOptions(query: Query): Omit<ListOptions, 'namespace'> {
  const limit = numberParameter(query, 'limit') ?? 0;
  const revision = { ...revisionOptions(query), ...textParameters(query, 'continue') };
  mustBeValidOptions('ListOptions', validateListOptions(revision));
  return {
    ...selectors(query),
    ...(revision as Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch' | 'continue'>),
    ...(limit > 0 ? { limit } : {}),
  };
}

/** @throws StatusError BadRequest (not a number), Invalid (contradictory parameters) */
export function watchOptions(query: Query): Omit<WatchOptions, 'namespace'> {
  const timeoutSeconds = numberParameter(query, 'timeoutSeconds') ?? 0;
  const revision = revisionOptions(query);
  mustBeValidOptions('ListOptions', validateWatchOptions({ ...revision, continue: query.get('continue') }));
  return {
    ...selectors(query),
    ...(revision as Pick<WatchOptions, 'resourceVersion' | 'resourceVersionMatch' | 'sendInitialEvents'>),
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks'),
    ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
  };
}

/** The kind of the options, which validation errors name. */
export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/**
 * Parses the options of a patch. The type of the patch decides which options are allowed.
 *
 * @throws StatusError Invalid
 */
export function patchOptions(query: Query, type: Patch['type']): PatchOptions {
  const force = query.has('force') ? { force: booleanParameter(query, 'force') } : {};
  const causes = validatePatchOptions(type, { fieldManager: query.get('fieldManager') ?? '', ...force });
  return { ...writeOptions(query, 'PatchOptions', causes), ...force };
}

/**
 * @param known - errors that the caller has already found; the answer lists them first
 * @throws StatusError Invalid
 */
export function writeOptions(
  query: Query,
  kind: WriteOptionsKind,
  known: readonly Cause[] = [],
): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const causes = [...known];
  if (Buffer.byteLength(fieldManager) > FIELD_MANAGER_BYTES_MAX) {
    causes.push(tooLong('fieldManager', FIELD_MANAGER_BYTES_MAX));
  }
  causes.push(...unprintable(fieldManager), ...dryRunCauses(query.getAll('dryRun')));
  if (!FIELD_VALIDATIONS.includes(fieldValidation)) {
    causes.push(notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS));
  }
  mustBeValidOptions(kind, causes);
  return {
    dryRun: query.has('dryRun'),
    ...(fieldManager ? { fieldManager } : {}),
    fieldValidation: (fieldValidation || 'Warn') as NonNullable<WriteOptions['fieldValidation']>,
  };
}

/**
 * Adds the field manager. If the options name none, it is the user agent up to the first slash, without unprintable
 * characters.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/create.go managerOrUserAgent, prefixFromUserAgent
 */
export function withManager<T extends WriteOptions>(options: T, { headers }: Request): T {
  if (options.fieldManager) return options;
  const [name = ''] = (headers.get('user-agent') ?? '').split('/', 1);
  let manager = '';
  for (const char of name.replace(UNPRINTABLE, '')) {
    if (Buffer.byteLength(manager + char) > FIELD_MANAGER_BYTES_MAX) break;
    manager += char;
  }
  return { ...options, fieldManager: manager };
}

/**
 * Parses DeleteOptions from the body if there is one, and then ignores the parameters; otherwise from the parameters.
 *
 * @throws StatusError BadRequest, Invalid
 */
export function deleteOptions(query: Query, body?: object): DeleteOptions {
  const given: WireDeleteOptions = body ?? deleteParameters(query);
  const { propagationPolicy, orphanDependents, dryRun = [], preconditions, gracePeriodSeconds } = given;
  const causes: Cause[] = [];
  if (typeof orphanDependents === 'boolean' && propagationPolicy) {
    causes.push(
      invalid(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (propagationPolicy && !PROPAGATION_POLICIES.includes(propagationPolicy)) {
    causes.push(notSupported('propagationPolicy', propagationPolicy, [...PROPAGATION_POLICIES, 'nil']));
  }
  causes.push(...dryRunCauses(dryRun ?? []));
  mustBeValidOptions('DeleteOptions', causes);
  const policy = propagationPolicy || policyOf(orphanDependents);
  return {
    ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
    ...(policy ? { propagationPolicy: policy as NonNullable<DeleteOptions['propagationPolicy']> } : {}),
    ...(preconditions ? { preconditions } : {}),
    ...(dryRun?.length ? { dryRun: true } : {}),
  };
}

/** `DeleteOptions` on the wire. */
interface WireDeleteOptions {
  readonly gracePeriodSeconds?: number | null | undefined;
  readonly propagationPolicy?: string | null | undefined;
  readonly orphanDependents?: boolean | null | undefined;
  readonly dryRun?: readonly string[] | null | undefined;
  readonly preconditions?: NonNullable<DeleteOptions['preconditions']> | null | undefined;
}

/** Returns the policy that corresponds to the older `orphanDependents`. */
function policyOf(orphanDependents: boolean | null | undefined): string | undefined {
  if (typeof orphanDependents !== 'boolean') return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function deleteParameters(query: Query): WireDeleteOptions {
  return {
    gracePeriodSeconds: numberParameter(query, 'gracePeriodSeconds'),
    propagationPolicy: query.get('propagationPolicy'),
    orphanDependents: query.has('orphanDependents') ? booleanParameter(query, 'orphanDependents') : undefined,
    dryRun: query.getAll('dryRun'),
  };
}

/** Parses the revision parameters without validation: `resourceVersionMatch` can be any text. */
function revisionOptions(query: Query) {
  return {
    ...textParameters(query, 'resourceVersion', 'resourceVersionMatch'),
    ...(query.has(INITIAL_EVENTS) ? { sendInitialEvents: booleanParameter(query, INITIAL_EVENTS) } : {}),
  };
}

const INITIAL_EVENTS = 'sendInitialEvents';
const FIELD_MANAGER_BYTES_MAX = 128;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const FIELD_VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];
const PROPAGATION_POLICIES = ['Foreground', 'Background', 'Orphan'];

function dryRunCauses(values: readonly string[]): readonly Cause[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', values, ['All'])];
}

function unprintable(fieldManager: string): readonly Cause[] {
  return [...fieldManager.matchAll(UNPRINTABLE)].map((found) => {
    const code = found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    const at = Buffer.byteLength(fieldManager.slice(0, found.index));
    return invalid('fieldManager', fieldManager, `invalid character U+${code} (at position ${at})`);
  });
}

function selectors(query: Query): { labelSelector?: string; fieldSelector?: string } {
  return textParameters(query, 'labelSelector', 'fieldSelector');
}

function textParameters<K extends string>(query: Query, ...names: readonly K[]): { [key in K]?: string } {
  const result: { [key in K]?: string } = {};
  for (const name of names) {
    const value = query.get(name);
    if (value) result[name] = value;
  }
  return result;
}
