import type * as core from '#api/core/v1';
import type { KubeObject, Pod } from '../../../api/objects.ts';
import { parseQuantity, type Quantity } from '../../../api/quantity.ts';
import type { Snapshot } from '../history.ts';

type Amounts = Readonly<Record<string, string>>;

/** Returns whether the LimitRanges allow the object as it will be stored. */
export function isWithinLimits(
  object: KubeObject | undefined,
  { resource, subresource, operation }: Snapshot,
  ranges: readonly core.LimitRangeItem[],
): boolean {
  if (!object || subresource !== '' || resource.group !== '') return true;
  if (resource.plural === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE')) {
    const { requests = {} } = (object as unknown as core.PersistentVolumeClaim).spec?.resources ?? {};
    return ranges.every(
      ({ type, min, max }) =>
        type !== 'PersistentVolumeClaim' ||
        (compares(requests as Amounts, min, (order) => order >= 0) &&
          compares(requests as Amounts, max, (order) => order <= 0)),
    );
  }
  if (resource.plural !== 'pods' || operation !== 'CREATE') return true;
  const { spec } = object as Pod;
  return ranges.every((range) => {
    if (range.type === 'Container') {
      const all = [...spec.containers, ...(spec.initContainers ?? [])];
      return all.every(({ resources = {} }) => isAllowed(resources as Lists, range));
    }
    if (range.type !== 'Pod') return true;
    return isAllowed({ requests: totalOf(spec, 'requests'), limits: totalOf(spec, 'limits') }, range);
  });
}

interface Lists {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

function isAllowed({ requests = {}, limits = {} }: Lists, range: core.LimitRangeItem): boolean {
  const { min, max, maxLimitRequestRatio = {} } = range;
  const isAtLeast = (order: number): boolean => order >= 0;
  const isAtMost = (order: number): boolean => order <= 0;
  const hasRatio = Object.entries(maxLimitRequestRatio as Amounts).every(([name, text]) => {
    const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
    if (!request || !limit || request.isZero() || limit.isZero()) return false;
    return Number(limit.nanos) / Number(request.nanos) <= Number(parseQuantity(text).nanos) / 1e9;
  });
  return (
    hasRatio &&
    compares(requests, min, isAtLeast) &&
    compares(limits, known(min, limits), isAtLeast) &&
    compares(limits, max, isAtMost) &&
    compares(requests, known(max, requests), isAtMost)
  );
}

const amountOf = (list: Amounts, name: string): Quantity | undefined =>
  list[name] === undefined ? undefined : parseQuantity(list[name]);

/** Returns the bounds of resources that the list has. */
const known = (bounds: unknown, list: Amounts): Amounts =>
  Object.fromEntries(Object.entries((bounds ?? {}) as Amounts).filter(([name]) => list[name] !== undefined));

function compares(list: Amounts, bounds: unknown, isGood: (order: number) => boolean): boolean {
  return Object.entries((bounds ?? {}) as Amounts).every(([name, text]) => {
    const amount = amountOf(list, name);
    return amount !== undefined && isGood(amount.cmp(parseQuantity(text)));
  });
}

/** Returns the amounts that a pod needs at most at one time: all containers together, or one init container. */
export function totalOf(spec: core.PodSpec, list: 'requests' | 'limits'): Amounts {
  const total = new Map<string, Quantity>();
  const amountsOf = ({ resources = {} }: core.Container): [string, Quantity][] =>
    Object.entries((resources[list] ?? {}) as Amounts).map(([name, text]) => [name, parseQuantity(text)]);
  for (const container of spec.containers) {
    for (const [name, amount] of amountsOf(container)) {
      total.set(name, total.get(name)?.add(amount) ?? amount);
    }
  }
  for (const container of spec.initContainers ?? []) {
    for (const [name, amount] of amountsOf(container)) {
      const before = total.get(name);
      if (!before || before.cmp(amount) < 0) total.set(name, amount);
    }
  }
  return Object.fromEntries([...total].map(([name, amount]) => [name, amount.toString()]));
}
