import type { Compare, KeyValue, Operation, RangeRequest } from '../../../contracts/store/index.ts';
import type { Answer, Request } from '../history.ts';
import type {
  CallPlan,
  ConditionPlan,
  Known as KnownNumber,
  LeasePlan,
  OperationPlan,
  Relative,
} from '../scenario/index.ts';

/** The facts that the clients share: they turn a plan into a call. */
export class Known {
  newest = 1;
  readonly #kvs = new Map<string, KeyValue>();
  readonly #leases: string[] = [];

  /** Notes an answer. */
  learn(request: Request, answer: Answer): void {
    if (answer.kind === 'lease') this.#leases.push(answer.lease.id);
    if (answer.kind === 'range') {
      this.see(answer.result.revision);
      if (request.call === 'range' && request.request.revision === undefined)
        for (const kv of answer.result.kvs) this.#kvs.set(kv.key, kv);
    }
    if (answer.kind !== 'transaction' || request.call !== 'transact') return;
    const { revision, succeeded, results } = answer.result;
    this.see(revision);
    const { then, otherwise = [] } = request.transaction;
    for (const [i, operation] of (succeeded ? then : otherwise).entries()) {
      const result = results[i];
      if ('put' in operation) this.#put(operation.put, revision);
      else if ('delete' in operation) this.#kvs.delete(operation.delete.key);
      else if (result && 'range' in result && operation.range.revision === undefined)
        for (const kv of result.range.kvs) this.#kvs.set(kv.key, kv);
    }
  }

  see(revision: number): void {
    if (revision > this.newest) this.newest = revision;
  }

  #put({ key, value }: { readonly key: string; readonly value: string }, modRevision: number): void {
    const { createRevision = modRevision, version = 0 } = this.#kvs.get(key) ?? {};
    this.#kvs.set(key, { key, value, createRevision, modRevision, version: version + 1 });
  }

  /** Turns a plan into a call. */
  request(plan: CallPlan): Request {
    switch (plan.call) {
      case 'transact': {
        const { compare, then, otherwise } = plan;
        return {
          call: 'transact',
          transaction: {
            ...(compare && { compare: compare.map((one) => this.#compare(one)) }),
            then: then.map((one) => this.#operation(one)),
            ...(otherwise && { otherwise: otherwise.map((one) => this.#operation(one)) }),
          },
        };
      }
      case 'range':
        return { call: 'range', request: this.#range(plan) };
      case 'compact':
        return { call: 'compact', revision: Math.max(1, this.revision(plan.revision)) };
      case 'grantLease':
        return plan;
      case 'revokeLease':
        return { call: 'revokeLease', lease: this.#lease(plan.lease) };
    }
  }

  /** @returns a revision of at least 1 */
  revision({ fromNewest }: Relative): number {
    return Math.max(1, this.newest + fromNewest);
  }

  #compare(plan: ConditionPlan): Compare {
    const { key, is } = plan;
    if (plan.target === 'value') {
      const to = typeof plan.to === 'string' ? plan.to : (this.#kvs.get(key)?.value ?? 'nothing');
      return { key, is, target: 'value', to };
    }
    const { target } = plan;
    return { key, is, target, to: this.#number(key, target, plan.to) };
  }

  #number(key: string, target: 'createRevision' | 'modRevision' | 'version', to: KnownNumber): number {
    if (typeof to === 'number') return to;
    const kv = this.#kvs.get(key);
    return kv ? Math.max(0, kv[target] + to.seen) : Math.max(0, to.seen);
  }

  #operation(plan: OperationPlan): Operation {
    if ('delete' in plan) return { delete: plan.delete };
    if ('range' in plan) return { range: this.#range(plan) };
    const { put: key, value, lease } = plan;
    return { put: { key, value, ...(lease !== undefined && { lease: this.#lease(lease) }) } };
  }

  #range(plan: Extract<OperationPlan, { readonly range: unknown }>): RangeRequest {
    const { range, revision, limit } = plan;
    return {
      ...range,
      ...(revision && { revision: this.revision(revision) }),
      ...(limit !== undefined && { limit }),
    };
  }

  #lease(plan: LeasePlan): string {
    if (plan === 'unknown' || this.#leases.length === 0) return '4711';
    return this.#leases[plan % this.#leases.length] as string;
  }
}
