import { quote } from '../../api/names.ts';
import { type Cause, errors } from '../../api/status.ts';
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
import { booleanParameter } from './request-info.ts';

type Query = URLSearchParams;

/**
 * Query parameters, and the options that they are. Unknown parameters are ignored, values that do not
 * parse are a 400, values that are not allowed a 422.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go, and
 * pkg/apis/meta/internalversion/validation/validation.go
 */
export function getOptions(query: Query): GetOptions {
  const resourceVersion = query.get('resourceVersion');
  return resourceVersion ? { resourceVersion } : {};
}

/** @throws StatusError BadRequest (no number), Invalid (combinations that make no sense) */
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

/** @throws StatusError BadRequest (no number), Invalid (combinations that make no sense) */
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

/** Whose options they are; a refusal names it. */
export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/**
 * The options of a patch. Its type decides what they may be.
 *
 * @throws StatusError Invalid
 */
export function patchOptions(query: Query, type: Patch['type']): PatchOptions {
  const force = query.has('force') ? { force: booleanParameter(query, 'force') } : {};
  const causes = validatePatchOptions(type, { fieldManager: query.get('fieldManager') ?? '', ...force });
  return { ...writeOptions(query, 'PatchOptions', causes), ...force };
}

/**
 * @param known what is wrong with them besides; it is told first
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
 * The options, with a manager of the fields: where they name none, it is the part of the user agent before the first
 * slash, without what does not print.
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
 * From the body if there is one, and then the parameters count for nothing; else from the parameters.
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

/** `DeleteOptions` as they travel. */
interface WireDeleteOptions {
  readonly gracePeriodSeconds?: number | null | undefined;
  readonly propagationPolicy?: string | null | undefined;
  readonly orphanDependents?: boolean | null | undefined;
  readonly dryRun?: readonly string[] | null | undefined;
  readonly preconditions?: NonNullable<DeleteOptions['preconditions']> | null | undefined;
}

/** What one asked for before there were policies. */
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

/** Not checked yet: `resourceVersionMatch` may be any text. */
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

/** A whole number; undefined where there is none. @throws StatusError BadRequest */
export function numberParameter(query: Query, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?\d+$/.test(value)) {
    throw errors.badRequest(`strconv.ParseInt: parsing ${quote(value)}: invalid syntax`);
  }
  const number = Number(value);
  if (Math.abs(number) >= 2 ** 63) {
    throw errors.badRequest(`strconv.ParseInt: parsing ${quote(value)}: value out of range`);
  }
  return number;
}
