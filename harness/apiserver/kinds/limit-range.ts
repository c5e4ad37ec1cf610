import type * as core from '#api/core/v1';
import { isQualifiedName } from '../../api/names.ts';
import type { LimitRange } from '../../api/objects.ts';
import { limitRanges } from '../../api/plain-resources.ts';
import { parseQuantity, type Quantity } from '../../api/quantity.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { duplicate, forbidden, invalid, invalidEach, required } from '../validation/field-error.ts';
import { canonicalResourceList, quantityOf, type ResourceList } from './pod/quantities.ts';
import { isOvercommitAllowed, validateContainerResourceName } from './pod/resources.ts';
import { validateResourceName } from './quota-resources.ts';

/**
 * The kind LimitRange. An admission plugin applies it to pods and claims.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/limitrange/strategy.go, pkg/apis/core/v1/defaults.go
 * SetDefaults_LimitRangeItem, pkg/apis/core/validation/validation.go ValidateLimitRange
 *
 * Differs: an object without a name is rejected; upstream generates a UUID as its name.
 */
export const limitRange = declareKind<LimitRange>({
  resource: limitRanges,
  allowCreateOnUpdate: true,
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withChanged(spec, 'limits', (limits) => mapItems(limits, setItemDefaults)),
    ),
  rules: [
    ({ spec }) => {
      const limits = spec.limits ?? [];
      return limits.flatMap((item, i) => {
        const path = `spec.limits[${i}]`;
        const isSeen = limits.slice(0, i).some(({ type }) => type === item.type);
        return [
          ...validateType(item.type, `${path}.type`),
          ...(isSeen ? [duplicate(`${path}.type`, item.type)] : []),
          ...validateItem(item, path),
        ];
      });
    },
  ],
});

const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Sets the defaults for containers: the limit from the maximum, the request from the limit or the minimum. */
function setItemDefaults(item: core.LimitRangeItem): core.LimitRangeItem {
  let result = item;
  for (const list of LISTS) result = withChanged(result, list, canonicalResourceList);
  if (result.type !== 'Container') return result;
  const { max = {}, min = {} } = result;
  const limits = withDefaults(result.default ?? {}, max);
  const requests = withDefaults(withDefaults(result.defaultRequest ?? {}, limits), min);
  if (Object.keys(limits).length > 0 && limits !== result.default) result = { ...result, default: limits };
  const isNew = Object.keys(requests).length > 0 && requests !== result.defaultRequest;
  return isNew ? { ...result, defaultRequest: requests } : result;
}

function validateType(type = '', path: string): Cause[] {
  const causes = invalidEach(path, type, isQualifiedName(type));
  const isStandard = ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type);
  if (causes.length > 0 || type.includes('/') || isStandard) return causes;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: core.LimitRangeItem, path: string): Cause[] {
  const { type } = item;
  const validateName =
    type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const namesIn = (list: (typeof LISTS)[number]) =>
    Object.keys(item[list] ?? {}).flatMap((name) => validateName(name, `${path}.${list}[${name}]`));
  const causes = [...namesIn('max'), ...namesIn('min')];
  for (const list of ['default', 'defaultRequest'] as const) {
    if (type !== 'Pod') causes.push(...namesIn(list));
    else if (Object.keys(item[list] ?? {}).length > 0) {
      causes.push(forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    causes.push(required(`${path}.limits`, detail));
  }
  causes.push(...namesIn('maxLimitRequestRatio'));
  const names = new Set(LISTS.flatMap((list) => Object.keys(item[list] ?? {})));
  return [...causes, ...[...names].flatMap((name) => validateAmounts(item, name, path))];
}

/** Larger amounts are compared in whole units. Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go MaxMilliValue */
const MILLI_VALUE_MAX = (2 ** 63 - 1) / 1000;

/** Validates the order of the amounts of one resource. */
function validateAmounts(item: core.LimitRangeItem, name: string, path: string): Cause[] {
  const of = (list: ResourceList | undefined) =>
    list?.[name] === undefined ? undefined : quantityOf(list[name]);
  const [min, max, ratio] = [of(item.min), of(item.max), of(item.maxLimitRequestRatio)];
  const given = item.type === 'Pod' ? undefined : of(item.default);
  const request = item.type === 'Pod' ? undefined : of(item.defaultRequest);
  const causes: Cause[] = [];
  const refuse = (list: (typeof LISTS)[number], value: Quantity, detail: string) =>
    causes.push(invalid(`${path}.${list}[${name}]`, value.toString(), detail));
  const exceeds = (a: Quantity | undefined, b: Quantity | undefined): boolean => !!a && !!b && a.cmp(b) > 0;
  if (min && exceeds(min, max)) refuse('min', min, `min value ${min} is greater than max value ${max}`);
  if (request && exceeds(min, request)) {
    refuse('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  }
  if (request && exceeds(request, max)) {
    refuse('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  }
  if (request && exceeds(request, given)) {
    const detail = `default request value ${request} is greater than default limit value ${given}`;
    refuse('defaultRequest', request, detail);
  }
  // Upstream reports the bound instead of these two values.
  if (min && exceeds(min, given)) {
    refuse('default', min, `min value ${min} is greater than default value ${given}`);
  }
  if (max && exceeds(given, max)) {
    refuse('default', max, `default value ${given} is greater than max value ${max}`);
  }
  if (ratio && exceeds(parseQuantity('1'), ratio)) {
    refuse('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  }
  if (ratio && min && max) {
    const isSmall = [ratio, min, max].every((amount) => amount.value() < MILLI_VALUE_MAX);
    const [inUnits, lowest, highest] = [ratio, min, max].map((amount) =>
      isSmall ? amount.milliValue() : amount.value(),
    ) as [number, number, number];
    const bound = highest / lowest;
    if (inUnits / (isSmall ? 1000 : 1) > bound) {
      refuse('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${bound.toFixed(6)}`);
    }
  }
  if (!isOvercommitAllowed(name) && given && request && given.cmp(request) !== 0) {
    const detail = `default value ${given} must equal to defaultRequest value ${request} in ${name}`;
    refuse('defaultRequest', request, detail);
  }
  return causes;
}
