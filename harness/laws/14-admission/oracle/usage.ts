import type { ResourceQuota } from '../../../api/objects.ts';
import { resourceQuotas } from '../../../api/plain-resources.ts';
import { parseQuantity, type Quantity } from '../../../api/quantity.ts';
import { groupResource, type Resource } from '../../../api/resource.ts';
import { type AdmissionHistory, FAULT, type Phase, statusOf, type Write } from '../history.ts';
import { RESOURCES } from '../scenario/objects.ts';
import { type Findings, nameOf } from './findings.ts';
import { chargeOf, hasRoom, lacksAmounts, quotasAt, recount } from './quota.ts';

/** The resources whose objects a scenario stores. */
const COUNTED: readonly Resource[] = [
  ...new Map(Object.values(RESOURCES).map((resource) => [groupResource(resource), resource])).values(),
].filter(({ namespaced }) => namespaced);

const ZERO = parseQuantity('0');

/** Judges the usage of every quota. */
export function judgeQuotas(history: AdmissionHistory, findings: Findings): void {
  if (history.scenario.facts.quotas.length === 0) return;
  for (const write of history.writes) judgeWrite(history, write, findings);
  for (const phase of history.phases) {
    if (phase.method !== 'validate') continue;
    judgeAlone(history, phase, findings);
    judgePatience(history, phase, findings);
    judgeTries(history, phase, findings);
  }
  judgeCharges(history, findings);
}

const isQuota = ({ resource }: Write): boolean => groupResource(resource) === 'resourcequotas';

/** At each write, no more is stored than a quota allows, and than it counts. */
function judgeWrite(history: AdmissionHistory, write: Write, findings: Findings): void {
  const { object, atMs, revision, resource, type } = write;
  const { namespace } = object.metadata;
  if (isQuota(write) && write.author && type !== 'DELETED')
    judgeNames(object as ResourceQuota, write, findings);
  const isStored = COUNTED.some((each) => groupResource(each) === groupResource(resource));
  if (!namespace || type === 'DELETED' || !isStored || !write.author) return;
  for (const quota of quotasAt(history, namespace, revision)) {
    const { hard = {}, used = {} } = (quota.status ?? {}) as Record<'hard' | 'used', Record<string, string>>;
    for (const [name, amount] of recount(history, quota, COUNTED, revision)) {
      if (hard[name] === undefined) continue;
      findings.meet('withinQuota', 'counted');
      const where = `${quota.metadata.name} in ${namespace}`;
      if (amount.cmp(parseQuantity(hard[name])) > 0) {
        findings.report(
          'withinQuota',
          atMs,
          `${name} of ${where}: ${amount} are stored, ${hard[name]} are allowed`,
        );
      }
      if (amount.cmp(parseQuantity(used[name] ?? '0')) > 0) {
        findings.report(
          'counted',
          atMs,
          `${name} of ${where}: ${amount} are stored, but only ${used[name]} are counted`,
        );
      }
    }
  }
}

/** A quota counts only the resources that it limits. */
function judgeNames({ metadata, status = {} }: ResourceQuota, { atMs }: Write, findings: Findings): void {
  const hard = (status.hard ?? {}) as Record<string, string>;
  const extra = Object.keys(status.used ?? {}).find((name) => hard[name] === undefined);
  if (extra === undefined) return;
  findings.report('charged', atMs, `${metadata.name} counts ${extra}, which it does not limit`);
}

/** Returns whether nothing else concerned the quotas of the namespace while a phase ran, and the cache has them. */
function isAlone({ phases, writes }: AdmissionHistory, phase: Phase): boolean {
  const { attributes, startMs, endMs = 0, cachedRevision, endRevision = 0, startRevision } = phase;
  const others = phases.filter(
    (each) =>
      each !== phase &&
      each.method === 'validate' &&
      each.attributes.namespace === attributes.namespace &&
      each.attributes.resource.plural !== 'resourcequotas' &&
      each.startMs <= endMs &&
      (each.endMs ?? Number.POSITIVE_INFINITY) >= startMs,
  );
  if (others.length > 0) return false;
  return !writes.some(
    (write) =>
      isQuota(write) &&
      ((write.revision > cachedRevision && write.revision <= startRevision) ||
        (write.revision > startRevision && write.revision <= endRevision && !write.author)),
  );
}

/** A request that is alone is accepted if and only if each quota has room, and is charged exactly. */
function judgeAlone(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const { attributes, outcome, startRevision, endRevision = startRevision, calls, endMs = 0 } = phase;
  const { namespace, resource, dryRun } = attributes;
  if (!outcome || groupResource(resource) === 'resourcequotas' || !isAlone(history, phase)) return;
  const before = quotasAt(history, namespace, startRevision);
  if (before.length === 0) return;
  const status = statusOf(outcome);
  const report = (what: string): void => findings.report('charged', endMs, `${nameOf(phase)} ${what}`);
  const lacking = before.find((quota) => lacksAmounts(quota, attributes));
  const full = before.find((quota) => !hasRoom(quota, attributes));
  const isByQuota = status !== undefined && /quota/.test(status.message);
  const wrongAnswer = (): string | undefined => {
    if ('value' in outcome) {
      if (lacking) return `was accepted although ${lacking.metadata.name} requires amounts that it lacks`;
      return full && `was accepted although ${full.metadata.name} has no room for it`;
    }
    if (!isByQuota) return undefined;
    if (!lacking && !full) return `was refused although each quota has room: ${status?.message}`;
    return status?.code === 403 ? undefined : `was refused with a ${status?.code} instead of a 403`;
  };
  if (lacking || full) findings.meet('charged');
  // One of several quotas may be charged before the storage is out of order.
  if (status?.message.includes(FAULT)) return;
  const wrong = wrongAnswer();
  if (wrong !== undefined) {
    report(wrong);
    return;
  }
  const isCharged = 'value' in outcome && !dryRun;
  for (const quota of before) {
    const { name } = quota.metadata;
    const after = history.read(resourceQuotas as Resource, { namespace, name }, endRevision) as
      | ResourceQuota
      | undefined;
    if (!after) continue;
    const charge = chargeOf(quota, attributes);
    if (charge.size > 0 && isCharged) findings.meet('charged');
    for (const key of Object.keys(quota.status?.hard ?? {})) {
      const was = usedOf(quota, key);
      const is = usedOf(after, key);
      const expected = isCharged ? was.add(charge.get(key) ?? ZERO) : was;
      if (is.cmp(expected) === 0) continue;
      const law = dryRun ? 'dryRun' : 'value' in outcome ? 'charged' : 'noTrace';
      const why = dryRun ? 'was a dry run' : 'value' in outcome ? 'was accepted' : 'was refused';
      const asked = calls.length > 0 ? ' by a webhook' : '';
      const how = 'value' in outcome ? '' : asked;
      findings.report(
        law,
        endMs,
        `${nameOf(phase)} ${why}${how}: ${name} counts ${key}=${is}, expected ${expected}`,
      );
    }
  }
}

const usedOf = ({ status }: ResourceQuota, key: string): Quantity =>
  parseQuantity(((status?.used ?? {}) as Record<string, string>)[key] ?? '0');

/**
 * How often a plugin tries to write the usage of a quota.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go checkAttributes
 */
const TRIES = 4;

/** A request gives up only if others were faster again and again. */
function judgePatience(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const {
    outcome,
    attributes,
    startRevision,
    cachedRevision,
    endRevision = startRevision,
    endMs = 0,
  } = phase;
  const status = statusOf(outcome);
  if (status !== undefined && /resourcequotas .*not found/.test(status.message)) {
    findings.report('charged', endMs, `${nameOf(phase)} was refused because a quota was deleted`);
    return;
  }
  const isOutOfOrder = history.scenario.steps.some(
    (step) => step.do === 'change' && step.change.of === 'quota fault',
  );
  if (isOutOfOrder) return;
  const isConflict = status !== undefined && /resourcequotas .*has been modified/.test(status.message);
  if (!isConflict || cachedRevision < startRevision) return;
  const writes = history.writes.filter(
    (write) =>
      isQuota(write) &&
      write.revision > startRevision &&
      write.revision <= endRevision &&
      write.object.metadata.namespace === attributes.namespace,
  );
  const most = Math.max(0, ...writes.map(({ key }) => writes.filter((other) => other.key === key).length));
  if (most >= TRIES) return;
  findings.report(
    'charged',
    endMs,
    `${nameOf(phase)} gave up after ${most} conflicts about a quota, not ${TRIES}`,
  );
}

/** A request that no other one of its apiserver meets tries each write four times at most, and writes only what it adds. */
function judgeTries(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const { attributes, server, startMs, endMs = history.endMs, startRevision, outcome } = phase;
  const { namespace } = attributes;
  const isRival = (each: Phase): boolean =>
    each !== phase &&
    each.method === 'validate' &&
    each.server === server &&
    each.attributes.namespace === namespace &&
    each.startMs <= endMs &&
    (each.endMs ?? Number.POSITIVE_INFINITY) >= startMs;
  if (groupResource(attributes.resource) === 'resourcequotas') return;
  if (history.phases.some((each) => isRival(each) && each.attributes.resource.plural !== 'resourcequotas'))
    return;
  const report = (what: string): void => findings.report('charged', endMs, `${nameOf(phase)} ${what}`);
  const tries = history.quotaWrites.filter(
    (each) =>
      each.server === server && each.namespace === namespace && each.atMs >= startMs && each.atMs <= endMs,
  );
  const status = statusOf(outcome);
  const hasGivenUp = status !== undefined && isUnwritten(status.message);
  const counts = quotasAt(history, namespace, startRevision).map((quota) => {
    const { name } = quota.metadata;
    const count = tries.filter((each) => each.name === name).length;
    if (count > 0 && chargeOf(quota, attributes).size === 0) report(`wrote ${name} without a charge`);
    if (count > TRIES) report(`tried ${count} times to write ${name}, not ${TRIES} times`);
    return count;
  });
  const most = Math.max(0, ...counts);
  if (hasGivenUp && most > 0 && most < TRIES) {
    report(`gave up after ${most} tries to write a quota, not ${TRIES}`);
  }
}

const isUnwritten = (message: string): boolean =>
  /resourcequotas .*has been modified/.test(message) || message.includes(FAULT);

/** Nothing is counted twice: all usage comes from a request that passed the other plugins. */
function judgeCharges(history: AdmissionHistory, findings: Findings): void {
  const last = history.writes.at(-1)?.revision ?? 0;
  for (const [i, { namespace, used: initial = {} }] of history.scenario.facts.quotas.entries()) {
    const key = { namespace: `ns-${namespace}`, name: `quota-${i}` };
    const quota = history.read(resourceQuotas as Resource, key, last) as ResourceQuota | undefined;
    if (!quota) continue;
    const most = new Map<string, Quantity>();
    for (const phase of history.phases) {
      const { attributes, outcome, method } = phase;
      if (method !== 'validate' || attributes.dryRun || attributes.namespace !== key.namespace) continue;
      if (groupResource(attributes.resource) === 'resourcequotas') continue;
      const status = statusOf(outcome);
      // A quota of several may be charged before another one turns out to be full.
      const isCharged =
        !status ||
        (/quota|modified|etcdserver/.test(status.message) && history.scenario.facts.quotas.length > 1);
      if (!isCharged) continue;
      for (const [name, amount] of chargeOf(quota, attributes)) {
        most.set(name, most.get(name)?.add(amount) ?? amount);
      }
    }
    for (const name of Object.keys(quota.status?.hard ?? {})) {
      const used = usedOf(quota, name);
      const expected = parseQuantity(initial[name] ?? '0').add(most.get(name) ?? ZERO);
      if (used.cmp(expected) <= 0) continue;
      const message = `${quota.metadata.name} counts ${name}=${used} in the end, but the accepted requests add up to ${expected}`;
      findings.report('charged', history.endMs, message);
    }
  }
}
