import {
  addLists,
  formatList,
  namesAbove,
  onlyNames,
  type QuotaRequest,
  type QuotaStore,
  Refusal,
  type ResourceList,
  type ResourceQuota,
  subtractToZero,
  withoutZeros,
} from '#given/14-admission';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go CheckRequest */
export function chargeOf(request: QuotaRequest, quota: ResourceQuota): ResourceList {
  const { usage, oldUsage } = request;
  const isCharged = oldUsage !== undefined && request.wasCountedBy(quota);
  const delta = isCharged ? subtractToZero(usage, oldUsage) : usage;
  return withoutZeros(onlyNames(delta, Object.keys(quota.status.hard ?? {})));
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go CheckRequest */
export function withCharge(quota: ResourceQuota, charge: ResourceList): ResourceQuota {
  if (Object.keys(charge).length === 0) return quota;
  const { hard = {}, used = {} } = quota.status;
  const total = addLists(used, charge);
  // A request that adds nothing to a resource passes, although the resource is above its limit.
  const exceeded = namesAbove(onlyNames(total, Object.keys(charge)), hard);
  if (exceeded.length > 0) {
    const [asked, had, limited] = [charge, used, hard].map((list) => formatList(onlyNames(list, exceeded)));
    throw new Refusal(
      `exceeded quota: ${quota.metadata.name}, requested: ${asked}, used: ${had}, limited: ${limited}`,
    );
  }
  return { ...quota, status: { ...quota.status, used: { ...total } } };
}

export const QUOTA_RETRIES = 3;

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go checkQuotas */
export async function reserve(request: QuotaRequest, store: QuotaStore): Promise<void> {
  let quotas = await store.list();
  for (let retries = QUOTA_RETRIES; ; retries--) {
    const counting = quotas.filter((quota) => request.isCountedBy(quota) || quota.spec.scopes !== undefined);
    for (const quota of counting) {
      const why = request.refusal(quota);
      if (why) throw new Refusal(why);
    }
    // First all are checked, then all are written: a refusal charges nothing.
    const charged = counting.map((quota) => withCharge(quota, chargeOf(request, quota)));
    if (request.dryRun) return;
    const failed: string[] = [];
    let lastError: unknown;
    for (const [i, quota] of charged.entries()) {
      if (quota === counting[i]) continue;
      try {
        await store.writeStatus(quota);
      } catch (error) {
        failed.push(quota.metadata.name);
        lastError = error;
      }
    }
    if (failed.length === 0) return;
    if (retries === 0) throw lastError;
    quotas = await store.reread(failed);
  }
}
